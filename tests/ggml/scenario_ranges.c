// Tensors that change between two calls on them, after the same call was made twice: what was told
// of them before must not be told again.
#include "scenario.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void twice(tensor_t *tensor) {
    ggml_backend_tensor_memset(tensor, 1, 0, 16);
    ggml_backend_tensor_memset(tensor, 2, 0, 16);
}

// One field after the other; ends as another tensor at the same address.
void changes(int unused) {
    (void)unused;
    struct machine m;
    start(&m);
    void *other = ggml_backend_buft_alloc_buffer((void *)1, 4096);
    tensor_t tensor;
    place(&tensor, "first", m.device_memory, 0, TENSOR_BYTES);
    twice(&tensor);
    strcpy(tensor.name, "second");
    twice(&tensor);
    tensor.data = (char *)tensor.data + 512;
    twice(&tensor);
    tensor.ne[0] = 128;
    twice(&tensor);
    tensor.flags = TENSOR_FLAG_INPUT;
    twice(&tensor);
    tensor.flags = 0;
    tensor.buffer = other; // whose memory has the same addresses
    twice(&tensor);
    ggml_backend_buffer_set_usage(other, 1);
    twice(&tensor);
    tensor.view_src = &m.cache;
    twice(&tensor);
    m.cache.data = (char *)m.cache.data + 256;
    twice(&tensor);
    place(&tensor, "again", m.host_memory, 64, 32);
    twice(&tensor);
}

// Whole tensors: their size and whether they have holes are theirs to say.
void shapes(int unused) {
    (void)unused;
    struct machine m;
    start(&m);
    for (int i = 0; i < 2; i++)
        ggml_backend_tensor_copy(&m.side, &m.copy);
    m.copy.ne[0] = m.side.ne[0] = 64;
    for (int i = 0; i < 2; i++)
        ggml_backend_tensor_copy(&m.side, &m.copy);
    m.copy.ne[1] = m.side.ne[1] = 2;
    m.copy.nb[1] = m.side.nb[1] = 96;
    for (int i = 0; i < 2; i++)
        ggml_backend_tensor_copy(&m.side, &m.copy);
}

static void *begin(void) { return ggml_backend_buft_alloc_buffer((void *)1, 2 * TENSOR_BYTES); }

static void *let_go(void *buffer) {
    ggml_backend_buffer_free(buffer);
    return begin();
}

// A buffer ends and another one begins at its address, every other time by another thread's calls.
void lives(int count) {
    void *first[16]; // more than the allocator lays by: from then on it hands out the last freed
    for (int i = 0; i < 16; i++)
        first[i] = begin();
    for (int i = 0; i < 16; i++)
        ggml_backend_buffer_free(first[i]);
    void *buffer = begin();
    tensor_t tensor;
    for (int i = 0; i < count; i++) {
        place(&tensor, "tensor", buffer, 0, TENSOR_BYTES);
        twice(&tensor);
        pthread_t thread;
        if (i % 2 && pthread_create(&thread, NULL, let_go, buffer) == 0)
            pthread_join(thread, &buffer);
        else
            buffer = let_go(buffer);
    }
}

// Host memory becomes a buffer's and is the program's own again.
void borrowed(int count) {
    static char memory[4096];
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++) {
        ggml_backend_tensor_set(&m.copy, memory, 0, 16);
        ggml_backend_tensor_set(&m.copy, memory, 0, 16);
        void *buffer = ggml_backend_cpu_buffer_from_ptr(memory, sizeof memory);
        ggml_backend_tensor_set(&m.copy, memory, 0, 16);
        ggml_backend_tensor_set(&m.copy, memory, 0, 16);
        ggml_backend_buffer_free(buffer);
    }
}

// More tensors, and more parts of one, than are remembered at once; and again.
void many(int count) {
    enum { MANY = 400 };
    static tensor_t tensors[MANY];
    struct machine m;
    start(&m);
    for (int i = 0; i < MANY; i++) {
        char name[16];
        snprintf(name, sizeof name, "tensor %d", i);
        place(&tensors[i], name, m.device_memory, (size_t)i * 8, 8);
    }
    for (int round = 0; round < count; round++) {
        for (int i = 0; i < MANY; i++)
            ggml_backend_tensor_memset(&tensors[i], round, 0, 8);
        for (int i = 0; i < MANY; i++)
            ggml_backend_tensor_memset(&m.cache, round, (size_t)i, 1 + (size_t)i % 3);
    }
}

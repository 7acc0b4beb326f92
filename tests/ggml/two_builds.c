// A race at two places: an async copy whose source is written again. Built twice, the second time
// with lines above, other optimisation and padding. OTHER: the second write is made by another
// function.
#include "fake.h"
#include <string.h>

#define PLACE __attribute__((noinline, noclone))
static char source[256];

#ifdef MOVED
__attribute__((used, noinline)) static int padding(int n) { return n * 3 + 1; }
#endif

static void fill(tensor_t *tensor, void *buffer, size_t bytes) {
    memset(tensor, 0, sizeof *tensor);
    tensor->buffer = buffer;
    tensor->data = ggml_backend_buffer_get_base(buffer);
    tensor->ne[0] = (int64_t)bytes;
    strcpy(tensor->name, "input");
}

PLACE void upload(backend_t device, tensor_t *tensor, size_t bytes) {
    ggml_backend_tensor_set_async(device, tensor, source, 0, bytes);
    __asm__ volatile(""); // no tail call: the frame stays
}

PLACE void finish(backend_t device, int value) {
    memset(source, value, sizeof source);
    ggml_backend_synchronize(device);
    __asm__ volatile("");
}

PLACE void finish_otherwise(backend_t device, int value) {
    memset(source, value, sizeof source);
    ggml_backend_synchronize(device);
    __asm__ volatile("");
}

int main(void) {
    ggml_backend_load_all();
    backend_t device = ggml_backend_dev_init((void *)1, NULL);
    void *memory = ggml_backend_buft_alloc_buffer((void *)1, 4096);
    tensor_t tensor;
    fill(&tensor, memory, sizeof source);
    for (int i = 0; i < 5; i++) {
        upload(device, &tensor, i == 3 ? 256 : 64);
#ifdef OTHER
        finish_otherwise(device, i + 1);
#else
        finish(device, i + 1);
#endif
    }
    return 0;
}

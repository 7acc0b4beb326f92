// A program on ggml's public API: a kernel reads an input in pinned host memory while it changes.
//
//     ggml_in_place {race|fixed}
//
// The input lies in ROCm_Host, as llama.cpp's inputs do, and the graph is given to the device as it
// is, as on a GPU that shares the host's memory (llama.cpp PR 25863): nothing copies it. Each turn
// sets the input and launches the graph; `fixed` waits for the device before it sets it again.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS = 4096, TURNS = 3, ROOM = 1 << 16, TYPE_F32 = 0 };
struct init_params { // ggml_init_params
    size_t bytes;
    void *memory;
    bool no_alloc;
};

// Of ggml.h, ggml-backend.h and ggml-cuda.h, as far as they are called.
void *ggml_init(struct init_params params);
void *ggml_new_tensor_1d(void *context, int type, int64_t elements);
void *ggml_add(void *context, void *a, void *b);
void *ggml_new_graph(void *context);
void ggml_build_forward_expand(void *graph, void *tensor);
void *ggml_set_name(void *tensor, const char *name);
void ggml_set_input(void *tensor);
void *ggml_backend_cuda_init(int device);
void *ggml_backend_cuda_host_buffer_type(void);
void *ggml_backend_get_default_buffer_type(void *backend);
void *ggml_backend_buft_alloc_buffer(void *type, size_t bytes);
char *ggml_backend_buffer_get_base(void *buffer);
void ggml_backend_buffer_free(void *buffer);
int ggml_backend_tensor_alloc(void *buffer, void *tensor, void *address);
void ggml_backend_tensor_set(void *tensor, const void *data, size_t offset, size_t bytes);
void ggml_backend_tensor_get(const void *tensor, void *data, size_t offset, size_t bytes);
int ggml_backend_graph_compute_async(void *backend, void *graph);
void ggml_backend_synchronize(void *backend);
void ggml_backend_free(void *backend);

static void *tensor(void *context, const char *name) {
    return ggml_set_name(ggml_new_tensor_1d(context, TYPE_F32, ELEMENTS), name);
}

int main(int argc, char **argv) {
    bool fixed = argc > 1 && strcmp(argv[1], "fixed") == 0;
    static float values[ELEMENTS];
    void *backend = ggml_backend_cuda_init(0);
    void *context = ggml_init((struct init_params){1 << 20, NULL, true});
    if (!backend || !context)
        return 1;
    void *tokens = tensor(context, "inp_tokens"), *weights = tensor(context, "weights");
    void *sum = ggml_set_name(ggml_add(context, tokens, weights), "sum");
    ggml_set_input(tokens);
    void *graph = ggml_new_graph(context);
    ggml_build_forward_expand(graph, sum);

    void *pinned = ggml_backend_buft_alloc_buffer(ggml_backend_cuda_host_buffer_type(), ROOM);
    void *type = ggml_backend_get_default_buffer_type(backend);
    void *memory = ggml_backend_buft_alloc_buffer(type, 2 * ROOM);
    ggml_backend_tensor_alloc(pinned, tokens, ggml_backend_buffer_get_base(pinned));
    ggml_backend_tensor_alloc(memory, weights, ggml_backend_buffer_get_base(memory));
    ggml_backend_tensor_alloc(memory, sum, ggml_backend_buffer_get_base(memory) + ROOM);

    ggml_backend_tensor_set(weights, values, 0, sizeof values);
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn && fixed)
            ggml_backend_synchronize(backend);
        for (int i = 0; i < ELEMENTS; i++)
            values[i] = (float)(turn + 1);
        ggml_backend_tensor_set(tokens, values, 0, sizeof values);
        if (ggml_backend_graph_compute_async(backend, graph))
            return 1;
    }
    ggml_backend_synchronize(backend);
    ggml_backend_tensor_get(sum, values, 0, sizeof values);
    ggml_backend_buffer_free(memory);
    ggml_backend_buffer_free(pinned);
    ggml_backend_free(backend);
    printf("%d turns\n", TURNS);
    return 0;
}

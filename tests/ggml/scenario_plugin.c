// Scenarios about backends that know their buffers, and about backends of others.
#include "scenario.h"
#include <stdio.h>

// From device to device: its backend copies between its own buffers without the host.
void moves(int count) {
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++)
        ggml_backend_tensor_copy(&m.copy, &m.result);
}

// On device 1 of the backend that GGML_BACKEND_PATH names.
void elsewhere(int count) {
    void *device = (void *)(FAKE_DEVICES + 1);
    backend_t backend = ggml_backend_dev_init(device, NULL);
    void *buffer = ggml_backend_buft_alloc_buffer(device, 4096);
    tensor_t tensor;
    place(&tensor, "theirs", buffer, 0, TENSOR_BYTES);
    for (int i = 0; i < count; i++) {
        ggml_backend_tensor_memset(&tensor, i, 0, TENSOR_BYTES);
        ggml_backend_synchronize(backend);
    }
}

void registries(int unused) {
    (void)unused;
    for (size_t i = 0; i < ggml_backend_reg_count(); i++) {
        struct ggml_registry *registry = ggml_backend_reg_get(i);
        printf("%s %zu\n", registry->name(registry), registry->devices(registry));
    }
}

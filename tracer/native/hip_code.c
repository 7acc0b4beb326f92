// HIP's code: what is registered at start-up or loaded later, so that launches know their kernels.
#include "hip_calls.h"
#include "hip_version.h"

// Asked when the first kernel is: devices are there then.
__attribute__((constructor)) static void tell_who_knows(void) {
    code_ask_architectures = hip_architectures;
}

void hip_fat_binary(void **handle, const void *data) {
    if (handle && data)
        code_register(handle, data);
}

void hip_fat_binary_gone(void **handle) { code_unregister(handle); }

void hip_function_registered(void **handle, const void *stub, const char *name) {
    if (name)
        kernel_register(handle, stub, name);
}

void hip_module(int rc, void **module, const void *image) {
    if (rc == 0)
        module_loaded(*module, image, 0);
}

void hip_module_file(int rc, void **module, const char *path) {
    if (rc == 0)
        module_loaded_file(*module, path);
}

void hip_module_gone(int rc, void *module) {
    if (rc == 0)
        module_unloaded(module);
}

void hip_module_function(int rc, void **function, void *module, const char *name) {
    if (rc == 0)
        function_found(*function, module, name);
}

void hip_library_kernels(int rc, void **kernels, unsigned count, void *library) {
    int (*ask)(const char **, void *) =
        (int (*)(const char **, void *))hip_unrecorded("hipKernelGetName");
    for (unsigned i = 0; rc == 0 && ask && i < count; i++) {
        const char *name = NULL;
        if (kernels[i] && ask(&name, kernels[i]) == 0 && name)
            function_found(kernels[i], library, name);
    }
}

void hip_kernel_function(int rc, void **function, const void *kernel) {
    if (rc == 0)
        function_of_function(*function, kernel);
}

void hip_symbol_function(int rc, void **function, const void *symbol) {
    if (rc == 0)
        function_of_stub(*function, symbol);
}

void hip_global(int rc, void **address, const size_t *bytes) {
    if (rc == 0 && address && bytes)
        api_global(*address, *bytes, false);
}

static size_t size_of_symbol(const void *symbol) {
    size_t size = 0;
    int (*ask)(size_t *, const void *) =
        (int (*)(size_t *, const void *))hip_unrecorded("hipGetSymbolSize");
    return ask && ask(&size, symbol) == 0 ? size : 0;
}

void hip_symbol(int rc, void **address, const void *symbol) {
    if (rc == 0 && address)
        api_global(*address, size_of_symbol(symbol), false);
}

char *hip_symbol_address(struct api_call *call, const void *symbol) {
    void *address = NULL;
    int (*ask)(void **, const void *) =
        (int (*)(void **, const void *))hip_function(HIP_hipGetSymbolAddress);
    if (ask(&address, symbol) != 0)
        return NULL;
    api_found(call, address, size_of_symbol(symbol), false);
    return address;
}

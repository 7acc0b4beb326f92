// Modules, symbols, and what can be asked of a function. Code objects are not read: every name that
// a module is asked for is a kernel of it, and a variable's bytes begin as zeros.
#include "standin.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct symbol { // a __device__ variable: memory of its own on each device
    struct symbol *next;
    const void *shadow;
    char *name;
    size_t size;
    struct memory *on[MAX_DEVICES];
};
static struct symbol *symbols;
static char a_module; // all of them: nothing is known of any

void **impl___hipRegisterFatBinary(const void *data) {
    void **handle = malloc(sizeof *handle);
    *handle = (void *)data;
    return handle;
}
void impl___hipUnregisterFatBinary(void **handle) { free(handle); }

void impl___hipRegisterVar(void **modules, void *shadow, char *host_name, char *name, int external,
                           size_t size, int constant, int global) {
    (void)modules, (void)host_name, (void)external, (void)constant, (void)global;
    struct symbol *symbol = calloc(1, sizeof *symbol);
    symbol->shadow = shadow;
    symbol->name = strdup(name);
    symbol->size = size;
    lock();
    symbol->next = symbols;
    symbols = symbol;
    unlock();
}
void impl___hipRegisterManagedVar(void *module, void **pointer, void *initial, const char *name,
                                  size_t size, unsigned align) {
    (void)align;
    lock();
    struct memory *memory = new_memory(size, hipMemoryTypeManaged, 0, 0);
    if (memory) {
        *pointer = memory->base;
        memcpy(memory->base, initial, size);
    }
    unlock();
    impl___hipRegisterVar(module, *pointer, NULL, (char *)name, 0, size, 0, 0);
}
void impl___hipRegisterSurface(void **modules, void *variable, char *host_name, char *name,
                               int type, int external) {
    (void)modules, (void)variable, (void)host_name, (void)name, (void)type, (void)external;
}
void impl___hipRegisterTexture(void **modules, void *variable, char *host_name, char *name,
                               int type, int normalized, int external) {
    (void)normalized;
    impl___hipRegisterSurface(modules, variable, host_name, name, type, external);
}

static struct memory *bytes_of(struct symbol *symbol) {
    int device = current_device();
    if (!symbol->on[device]) {
        symbol->on[device] = new_memory(symbol->size, hipMemoryTypeDevice, device, 0);
        if (symbol->on[device])
            memset(symbol->on[device]->base, 0, symbol->size);
    }
    return symbol->on[device];
}
static hipError_t find_symbol(const void *shadow, const char *name, void **address, size_t *size) {
    hipError_t error = hipErrorInvalidSymbol;
    lock();
    for (struct symbol *s = symbols; s; s = s->next)
        if ((shadow && s->shadow == shadow) || (name && !strcmp(s->name, name))) {
            struct memory *memory = bytes_of(s);
            error = memory ? hipSuccess : hipErrorOutOfMemory;
            if (address && memory)
                *address = memory->base;
            if (size)
                *size = s->size;
            break;
        }
    unlock();
    return error;
}
hipError_t impl_hipGetSymbolAddress(void **address, const void *shadow) {
    return fail(find_symbol(shadow, NULL, address, NULL));
}
hipError_t impl_hipGetSymbolSize(size_t *size, const void *shadow) {
    return fail(find_symbol(shadow, NULL, NULL, size));
}
hipError_t address_in_symbol(const void *shadow, size_t offset, size_t size, char **address) {
    size_t whole = 0;
    void *base = NULL;
    hipError_t error = find_symbol(shadow, NULL, &base, &whole);
    *address = (char *)base + offset;
    return !error && (offset > whole || size > whole - offset) ? hipErrorInvalidValue : error;
}

static hipError_t copy_symbol(const void *symbol, size_t offset, size_t size, void *other, bool to,
                              int kind, hipStream_t stream, enum manner manner) {
    char *address;
    hipError_t error = address_in_symbol(symbol, offset, size, &address);
    if (error)
        return fail(error);
    struct copy copy = to ? linear_copy(address, other, size) : linear_copy(other, address, size);
    return copy_box(&copy, kind, stream, manner);
}
hipError_t impl_hipMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset,
                                  hipMemcpyKind kind) {
    return copy_symbol(symbol, offset, size, (void *)src, true, (int)kind, NULL, SYNC);
}
hipError_t impl_hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size,
                                       size_t offset, hipMemcpyKind kind, hipStream_t stream) {
    return copy_symbol(symbol, offset, size, (void *)src, true, (int)kind, stream, ASYNC);
}
hipError_t impl_hipMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset,
                                    hipMemcpyKind kind) {
    return copy_symbol(symbol, offset, size, dst, false, (int)kind, NULL, SYNC);
}
hipError_t impl_hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset,
                                         hipMemcpyKind kind, hipStream_t stream) {
    return copy_symbol(symbol, offset, size, dst, false, (int)kind, stream, ASYNC);
}

hipError_t impl_hipModuleLoadData(hipModule_t *module, const void *image) {
    if (!module || !image)
        return fail(hipErrorInvalidValue);
    *module = (hipModule_t)&a_module;
    return hipSuccess;
}
hipError_t impl_hipModuleLoad(hipModule_t *module, const char *file) {
    if (!file || access(file, R_OK))
        return fail(hipErrorFileNotFound);
    return impl_hipModuleLoadData(module, file);
}
hipError_t impl_hipModuleLoadFatBinary(hipModule_t *module, const void *image) {
    return impl_hipModuleLoadData(module, image);
}
hipError_t impl_hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned count,
                                    hipJitOption *options, void **values) {
    (void)count, (void)options, (void)values;
    return impl_hipModuleLoadData(module, image);
}
hipError_t impl_hipModuleUnload(hipModule_t module) {
    return module == (hipModule_t)&a_module ? hipSuccess : fail(hipErrorInvalidHandle);
}
hipError_t impl_hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                     const char *name) {
    if (!function || !name || module != (hipModule_t)&a_module)
        return fail(hipErrorInvalidValue);
    lock();
    *function = function_named(name);
    unlock();
    return hipSuccess;
}
hipError_t impl_hipModuleGetGlobal(hipDeviceptr_t *address, size_t *size, hipModule_t module,
                                   const char *name) {
    (void)module;
    hipError_t error = name ? find_symbol(NULL, name, address, size) : hipErrorInvalidValue;
    return fail(error == hipErrorInvalidSymbol ? hipErrorNotFound : error);
}
hipError_t impl_hipGetFuncBySymbol(hipFunction_t *function, const void *stub) {
    if (!function || !stub)
        return fail(hipErrorInvalidDeviceFunction);
    lock();
    *function = function_of(stub);
    unlock();
    return hipSuccess;
}
static const char *name_or_empty(const void *function) {
    lock();
    const char *name = name_of_function(function);
    unlock();
    return name ? name : "";
}
const char *impl_hipKernelNameRef(const hipFunction_t function) { return name_or_empty(function); }
const char *impl_hipKernelNameRefByPtr(const void *stub, hipStream_t stream) {
    (void)stream;
    return name_or_empty(stub);
}

hipError_t impl_hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
    if (!attributes || !function)
        return fail(hipErrorInvalidDeviceFunction);
    *attributes = (hipFuncAttributes){.maxThreadsPerBlock = MAX_THREADS,
                                      .maxDynamicSharedSizeBytes = SHARED_BYTES,
                                      .numRegs = 32};
    return hipSuccess;
}
hipError_t impl_hipFuncGetAttribute(int *value, hipFunction_attribute attribute,
                                    hipFunction_t function) {
    if (!value || !function)
        return fail(hipErrorInvalidValue);
    *value = attribute == 0 ? MAX_THREADS : attribute == 8 ? SHARED_BYTES : 0;
    return hipSuccess;
}
hipError_t impl_hipFuncSetAttribute(const void *function, hipFuncAttribute attribute, int value) {
    (void)attribute, (void)value;
    return function ? hipSuccess : fail(hipErrorInvalidDeviceFunction);
}
hipError_t impl_hipFuncSetCacheConfig(const void *function, hipFuncCache_t config) {
    return impl_hipFuncSetAttribute(function, 0, config);
}

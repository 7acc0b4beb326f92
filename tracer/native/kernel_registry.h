// What a launch names (the host stub of a kernel, or a function of a module) -> the kernel's
// layout. Looked up without a lock. Registration remembers addresses only: images are read at the
// first launch of a kernel of theirs; those of modules when they are loaded, since their bytes may
// go.
#pragma once
#include "kernel_layout.h"
#include <stdatomic.h>

struct kernel {
    const char *name; // mangled
    struct code_image *image;
    struct kernel *next; // of the same image
    const void *key;     // stub or function
    uint64_t code;       // of the image that it was loaded from, as a driver tells; 0: not known
    _Atomic(const struct kernel_layout *) layout;
    _Atomic uint32_t id, told; // the front-end's: its number, the process epoch that was told of it
    _Atomic bool stale;        // code was unloaded since: its handle may be another kernel's
};

// The architectures of all GPUs in use: images read from then on are read for these alone.
// Otherwise an argument has the mode that covers what the code does with it on any GPU that the
// image is for, which is more than what it does on one.
void code_architectures(const struct architectures *all);
// The front-end's, asked once, before the first image is read; false: not known.
extern bool (*code_ask_architectures)(struct architectures *all);

// __hipRegisterFatBinary(wrapper) == handle; __hipUnregisterFatBinary(handle).
void code_register(void **handle, const void *wrapper);
void code_unregister(void **handle);
// __hipRegisterFunction(handle, stub, ..., name): the name stays where it is.
void kernel_register(void **handle, const void *stub, const char *name);
// Null: never registered.
struct kernel *kernel_of_stub(const void *stub);

// hipModuleLoadData and the like (size 0: not known), hipModuleLoad, hipModuleUnload.
void module_loaded(void *module, const void *image, size_t size);
void module_loaded_file(void *module, const char *path);
void module_unloaded(void *module);
// hipModuleGetFunction; hipGetFuncBySymbol.
void function_found(void *function, void *module, const char *name);
void function_of_stub(void *function, const void *stub);
// hipKernelGetFunction: the same kernel by another handle.
void function_of_function(void *function, const void *of);
// Null: never seen.
struct kernel *kernel_of_function(const void *function);

// Kernels that the driver itself describes (CUDA's). A function that is known by another name or of
// another image is another kernel; arguments null: its layout is not known. Null: no memory.
struct kernel *function_described(void *function, const char *name, uint64_t code,
                                  const struct kernel_argument *argument, unsigned count);
// Code was unloaded: all that were described are asked for again.
void functions_stale(void);

// Read at its first call; never null (a kernel that is null has a layout that is not known; so has
// one for which there was no memory, until there is).
const struct kernel_layout *kernel_layout_of(struct kernel *kernel);

// The stand-in's registry of backends: its own devices, and what GGML_BACKEND_PATH names.
// FAKE_VERSION: its version of the plug-in interface.
#include "fake.h"
#include <dlfcn.h>
#include <stdio.h>

static const char *name(struct ggml_registry *registry) {
    (void)registry;
    return "Fake";
}

enum { MOST = 8 };
static struct ggml_registry built_in = {PLUGIN_INTERFACE, name,          fake_count,
                                        fake_device_at,   fake_function, NULL};
static struct ggml_registry *registries[MOST] = {&built_in};
static size_t registered = 1;

struct ggml_registry *fake_registry(void) {
    if (getenv("FAKE_VERSION"))
        built_in.version = atoi(getenv("FAKE_VERSION"));
    return &built_in;
}

size_t ggml_backend_reg_count(void) { return registered; }
struct ggml_registry *ggml_backend_reg_get(size_t index) {
    fake_registry();
    return registries[index];
}
size_t ggml_backend_dev_count(void) {
    size_t all = 0;
    for (size_t i = 0; i < registered; i++)
        all += registries[i]->devices(registries[i]);
    return all;
}
void *ggml_backend_dev_get(size_t index) {
    for (size_t i = 0; i < registered; i++) {
        size_t own = registries[i]->devices(registries[i]);
        if (index < own)
            return registries[i]->device(registries[i], index);
        index -= own;
    }
    abort();
}
// FAKE_OTHER_DEVICE: as if devices had another field there.
struct ggml_registry *ggml_backend_dev_backend_reg(void *device) {
    return getenv("FAKE_OTHER_DEVICE") ? NULL : ((struct fake_device *)device)->registry;
}
void *ggml_backend_buft_get_device(void *type) { return ((struct fake_type *)type)->device; }
void *ggml_backend_cpu_buffer_type(void) { return &fake_devices()->type; }

// Numbers from 0 as device numbers; behind the built-in ones, those of other backends.
struct fake_device *fake_device_of(void *device) {
    uintptr_t number = (uintptr_t)device;
    return number < 64 ? ggml_backend_dev_get(number) : device;
}

void ggml_backend_load_all(void) {
    const char *path = getenv("GGML_BACKEND_PATH");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*score)(void) = library ? (int (*)(void))dlsym(library, "ggml_backend_score") : NULL;
    if (!library || (score && score() == 0))
        return;
    struct ggml_registry *(*init)(void) =
        (struct ggml_registry * (*)(void)) dlsym(library, "ggml_backend_init");
    struct ggml_registry *registry = init ? init() : NULL;
    if (!registry || registry->version != fake_registry()->version || registered == MOST) {
        fprintf(stderr, "no backend of ours in %s\n", path);
        return;
    }
    for (size_t i = 0; i < registered; i++)
        if (registries[i] == registry)
            return;
    registries[registered++] = registry;
}

// The recorder as one of ggml's own out-of-tree backends: GGML_BACKEND_PATH names this library, and
// ggml_backend_load_all() calls ggml_backend_init(). It brings no device. Where ggml's calls of
// itself do not come by the names interposed here, it puts its hooks into the slots of the devices
// that are there; what they make is met from there on.
#include "binding.h"
#include "ggml_abi.h"
#include "ggml_device_slots.h"
#include "ggml_layout.h"
#include "process.h"
#include "resolve.h"
#include "slots.h"
#include <dlfcn.h>
#include <stdlib.h>

static const char *name(struct ggml_registry *registry) {
    (void)registry;
    return "synctrace";
}

static size_t devices(struct ggml_registry *registry) {
    (void)registry;
    return 0;
}

static void *device(struct ggml_registry *registry, size_t index) {
    (void)registry, (void)index;
    return NULL;
}

static void *function(struct ggml_registry *registry, const char *wanted) {
    (void)registry, (void)wanted;
    return NULL;
}

static struct ggml_registry ours = {PLUGIN_INTERFACE, name, devices, device, function, NULL};

typedef int (*score_function)(void);
typedef struct ggml_registry *(*init_function)(void);

// The variable names one library only. If the program's user had named another, that one is loaded
// as ggml would have loaded it, and its backend is handed on in place of this empty one.
static struct ggml_registry *registry_to_give(void) {
    const char *path = getenv("SYNCTRACE_BACKEND_PATH");
    if (!path || !*path)
        return &ours;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL; // ggml then says that there is no backend
    score_function score = (score_function)dlsym(library, "ggml_backend_score");
    if (score && score() == 0)
        return &ours; // it does not support this machine: ggml would pass over it
    init_function init = (init_function)dlsym(library, "ggml_backend_init");
    return init && !symbol_is_ours((void *)init) ? init() : NULL;
}

// Every registry that ggml has accepted is of its own version of the interface.
static int version_here(void) {
    __typeof__(&ggml_backend_reg_count) count = REAL(ggml_backend_reg_count);
    __typeof__(&ggml_backend_reg_get) get = REAL(ggml_backend_reg_get);
    return count && get && count() > 0 ? get(0)->version : PLUGIN_INTERFACE;
}

static bool take_devices(void) {
    __typeof__(&ggml_backend_dev_count) count = REAL(ggml_backend_dev_count);
    __typeof__(&ggml_backend_dev_get) get = REAL(ggml_backend_dev_get);
    bool some = false;
    for (size_t i = 0; count && get && i < count(); i++)
        some |= device_slots_take(get(i));
    return some;
}

// ggml enters these once this function has returned.
static bool take_devices_of(struct ggml_registry *registry) {
    bool some = false;
    if (registry && registry->version == PLUGIN_INTERFACE)
        for (size_t i = 0; i < registry->devices(registry); i++)
            some |= device_slots_take(registry->device(registry, i));
    return some;
}

static void take_slots(struct ggml_registry *registry) {
    bool some = take_devices();
    if (!take_devices_of(registry) && !some)
        return;
    host_type_slots_take();
    atomic_store(&slots_in_use, true);
    if (atomic_load(&process.control->layout)) // told before the slots were taken
        atomic_fetch_or(&process.control->layout, LAYOUT_BY_SLOTS);
}

static bool comes_by_name(void) {
    const void *real = (const void *)REAL(ggml_backend_graph_compute_async);
    return real && binding_by_name("ggml_backend_graph_compute_async", real);
}

HOOK struct ggml_registry *ggml_backend_init(void) {
    ours.version = version_here();
    struct ggml_registry *registry = registry_to_give();
    if (process.wanted && ours.version == PLUGIN_INTERFACE && !comes_by_name())
        take_slots(registry);
    return registry;
}

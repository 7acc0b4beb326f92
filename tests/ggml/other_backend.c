// A backend library as a user may have one in GGML_BACKEND_PATH: built with fake_device.c, whose
// devices are then its own, and all but its one entry hidden.
#include "fake.h"

static const char *name(struct ggml_registry *registry) {
    (void)registry;
    return "Other";
}

static struct ggml_registry registry = {PLUGIN_INTERFACE, name,          fake_count,
                                        fake_device_at,   fake_function, NULL};
struct ggml_registry *fake_registry(void) {
    return &registry;
}

HOOK struct ggml_registry *ggml_backend_init(void) { return &registry; }

#ifdef UNSUPPORTED
HOOK int ggml_backend_score(void) { return 0; }
#endif

#include "api_runtime.h"
#include "op.h"
#include <stdio.h>

static struct api_runtime *_Atomic met;

void api_runtime_tell(struct api_runtime *runtime, struct thread *thread) {
    uint32_t epoch = process_epoch();
    if (atomic_exchange(&runtime->told, epoch) == epoch)
        return;
    int version = 0;
    int (*ask)(int *) = (int (*)(int *))library_unrecorded(runtime->library, runtime->version);
    char text[32] = "unknown";
    if (ask && ask(&version) == 0 && version > 0)
        snprintf(text, sizeof text, "%d.%d", version / runtime->major,
                 version / runtime->minor % 100);
    process_tell_version(runtime->name, text);
    if (runtime->begins)
        runtime->begins();
    for (unsigned i = 0; i < runtime->library->count; i++)
        op_tell_call(thread, runtime->first_call + i, runtime->library->entries[i].name);
    runtime->ask_device = (int (*)(int *))library_unrecorded(runtime->library, runtime->device);
    runtime->ask_extent =
        (int (*)(void **, size_t *, void *))library_unrecorded(runtime->library, runtime->extent);
    atomic_store(&met, runtime);
}

bool api_runtime_is_met(void) { return atomic_load(&met) != NULL; }

const char *api_runtime_name(void) {
    const struct api_runtime *runtime = atomic_load(&met);
    return runtime ? runtime->name : "GPU";
}

int api_runtime_device(void) {
    const struct api_runtime *runtime = atomic_load(&met);
    int device = 0;
    bool said = runtime && runtime->ask_device && runtime->ask_device(&device) == 0;
    return said ? device : 0;
}

size_t api_runtime_extent(void *memory) {
    const struct api_runtime *runtime = atomic_load(&met);
    void *base = memory;
    size_t size = 0;
    bool said = runtime && runtime->ask_extent && runtime->ask_extent(&base, &size, memory) == 0;
    return said ? size : 0;
}

const char *api_runtime_call(uint32_t call) {
    const struct api_runtime *runtime = atomic_load(&met);
    uint32_t at = runtime ? call - runtime->first_call : 0;
    return runtime && at < runtime->library->count ? runtime->library->entries[at].name : NULL;
}

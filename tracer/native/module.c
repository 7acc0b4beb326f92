#include "module.h"
#include <link.h>
#include <string.h>

static _Atomic unsigned long long loads_told; // dlpi_adds at the last whole look
static _Atomic uint32_t epoch_told;

struct look {
    struct thread *thread;
    unsigned long long loads;
    bool whole;
};

static uint64_t extent(const struct dl_phdr_info *info) {
    uint64_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end)
            end = segment->p_vaddr + segment->p_memsz;
    }
    return end;
}

static int count_loads(struct dl_phdr_info *info, size_t size, void *data) {
    struct look *look = data;
    (void)size;
    look->loads = info->dlpi_adds;
    return 1;
}

// The parent drops what it knows already, so every look tells all.
static int tell(struct dl_phdr_info *info, size_t size, void *data) {
    struct look *look = data;
    (void)size;
    bool main_program = !info->dlpi_name || !info->dlpi_name[0];
    struct record_module module = {
        .base = info->dlpi_addr,
        .size = extent(info),
        .loaded = atomic_load(&process.control->ticket),
    };
    const char *path = main_program ? process.control->program : info->dlpi_name;
    look->whole &= ring_put_named(look->thread->ring, RECORD_MODULE, &module, sizeof module, path);
    return 0;
}

void module_tell_new(struct thread *thread) {
    if (!thread->ring)
        return;
    struct look look = {.thread = thread, .whole = true};
    dl_iterate_phdr(count_loads, &look);
    if (look.loads == atomic_load(&loads_told) && process_epoch() == atomic_load(&epoch_told))
        return;
    dl_iterate_phdr(tell, &look);
    if (look.whole) {
        atomic_store(&loads_told, look.loads);
        atomic_store(&epoch_told, process_epoch());
    }
}

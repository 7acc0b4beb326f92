#include "module.h"
#include "python_frames.h"
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
    python_frames_look();
    dl_iterate_phdr(tell, &look);
    if (look.whole) {
        atomic_store(&loads_told, look.loads);
        atomic_store(&epoch_told, process_epoch());
    }
}

struct places {
    const uint64_t *addresses;
    unsigned count;
    struct module_place *places;
};

static bool holds(const struct dl_phdr_info *info, uint64_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD &&
            address - info->dlpi_addr - segment->p_vaddr < segment->p_memsz)
            return true;
    }
    return false;
}

// Read here, since the module may be unloaded afterwards.
static uint64_t hash_of_name(const char *path) {
    uint64_t hash = 0xcbf29ce484222325ull;
    const char *slash = strrchr(path, '/');
    for (const char *c = slash ? slash + 1 : path; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
    return hash | 1;
}

static int place(struct dl_phdr_info *info, size_t size, void *data) {
    struct places *wanted = data;
    (void)size;
    bool main_program = !info->dlpi_name || !info->dlpi_name[0];
    const char *path = main_program ? process.control->program : info->dlpi_name;
    for (unsigned i = 0; i < wanted->count; i++)
        if (!wanted->places[i].name && holds(info, wanted->addresses[i]))
            wanted->places[i] =
                (struct module_place){hash_of_name(path), wanted->addresses[i] - info->dlpi_addr};
    return 0;
}

void module_places(const uint64_t *addresses, unsigned count, struct module_place *places) {
    struct places wanted = {addresses, count, places};
    memset(places, 0, count * sizeof *places);
    dl_iterate_phdr(place, &wanted);
}

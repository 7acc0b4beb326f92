// The dispatch tables of a HIP runtime since ROCm 6: it hands them to librocprofiler-register, and
// that to whoever has these two functions.
#include "hip.h"
#include "loaded.h"
#include "process.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef int (*setter)(const char *, uint64_t, uint64_t, void **, uint64_t);

// Nobody of rocprofiler-sdk: it asks every library that has such a function what it wants.
EXPORT void *rocprofiler_configure(uint32_t version, const char *runtime, uint32_t priority,
                                   void *id) {
    (void)version, (void)runtime, (void)priority, (void)id;
    return NULL;
}

static int table_named(const char *name) {
    return strcmp(name, "hip") == 0            ? HIP_RUNTIME
           : strcmp(name, "hip_compiler") == 0 ? HIP_COMPILER
                                               : -1;
}

// A table begins with its size in bytes, which bounds what an older runtime has. What was there is
// kept before the wrapper is put in its place: a call may come at any time.
static void take(void **table, enum hip_table which) {
    size_t bytes = (size_t)table[0];
    bool pinned = false;
    for (unsigned i = 0; i < HIP_COUNT; i++) {
        const struct library_entry *entry = &hip_entries[i];
        size_t at = 1 + (size_t)entry->index;
        if (entry->table != which || (at + 1) * sizeof *table > bytes || !table[at] ||
            table[at] == entry->wrapper)
            continue;
        if (!pinned)
            loaded_pin(table[at]);
        pinned = true;
        atomic_store_explicit(&hip_real[i], table[at], memory_order_release);
        __atomic_store_n(&table[at], entry->wrapper, __ATOMIC_RELEASE);
    }
}

// A profiler that is there too gets the tables as well, and before: its functions are called by
// ours, and both see every call.
EXPORT int rocprofiler_set_api_table(const char *name, uint64_t version, uint64_t instance,
                                     void **tables, uint64_t count) {
    static _Atomic bool taken[2];
    setter next = (setter)plain_dlsym(RTLD_NEXT, "rocprofiler_set_api_table");
    int answer = next ? next(name, version, instance, tables, count) : 0;
    int which = table_named(name);
    if (which < 0 || count == 0 || !process_wanted() || atomic_exchange(&taken[which], true))
        return answer;
    take(tables[0], (enum hip_table)which);
    return answer;
}

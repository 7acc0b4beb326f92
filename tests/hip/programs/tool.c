// A tool that takes the dispatch tables: says what it is given, and counts calls to one function.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GET_DEVICE_COUNT = 103 }; // its slot behind the size
typedef int (*get_device_count)(int *count);
static get_device_count real;

static int counted(int *count) {
    puts("seen");
    return real(count);
}

void *rocprofiler_configure(uint32_t version, const char *runtime, uint32_t priority, void *id);
void *rocprofiler_configure(uint32_t version, const char *runtime, uint32_t priority, void *id) {
    (void)version, (void)runtime, (void)priority, (void)id;
    return NULL;
}

int rocprofiler_set_api_table(const char *name, uint64_t version, uint64_t instance, void **tables,
                              uint64_t count);
int rocprofiler_set_api_table(const char *name, uint64_t version, uint64_t instance, void **tables,
                              uint64_t count) {
    uintptr_t *table = tables[0];
    printf("%s %lu %lu %lu\n", name, version, table[0], count);
    if (!strcmp(name, "hip")) {
        real = (get_device_count)table[1 + GET_DEVICE_COUNT];
        table[1 + GET_DEVICE_COUNT] = (uintptr_t)counted;
    }
    return instance ? 1 : 0;
}

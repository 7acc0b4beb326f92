#include "writable.h"
#include "mappings.h"
#include <stdint.h>

bool is_writable(const void *start, size_t bytes) {
    uintptr_t from = (uintptr_t)start, to = from + bytes;
    struct mappings mappings;
    struct mapping mapping;
    bool writable = false;
    mappings_open(&mappings);
    while (mappings_next(&mappings, &mapping)) {
        if (from < mapping.low || from >= mapping.high)
            continue;
        writable = to <= mapping.high && mapping.writable;
        break;
    }
    mappings_close(&mappings);
    return writable;
}

#include "pages.h"
#include "mappings.h"
#include <unistd.h>

static uintptr_t page(void) {
    static uintptr_t bytes;
    return bytes ? bytes : (bytes = (uintptr_t)sysconf(_SC_PAGESIZE));
}

struct pages pages_around(uintptr_t lo, uintptr_t hi) {
    return (struct pages){lo / page() * page(), (hi + page() - 1) / page() * page()};
}

struct pages pages_within(uintptr_t lo, uintptr_t hi) {
    return (struct pages){(lo + page() - 1) / page() * page(), hi / page() * page()};
}

// A stack is that of this thread, or begins behind memory that cannot be touched. Some other memory
// does, too, and is taken for one.
bool pages_are_plain(struct pages pages) {
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    struct mappings mappings;
    struct mapping mapping, below = {0};
    bool plain = false;
    mappings_open(&mappings);
    for (; mappings_next(&mappings, &mapping) && mapping.low <= pages.lo; below = mapping) {
        bool guarded = below.high == mapping.low && !below.readable;
        bool has_stack = stack >= mapping.low && stack < mapping.high;
        plain = pages.hi <= mapping.high && mapping.writable && !guarded && !has_stack;
    }
    mappings_close(&mappings);
    return plain;
}

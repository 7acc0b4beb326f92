// Numbers made of several, for what is known by them.
#pragma once
#include <stdint.h>

static inline uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static inline uint64_t mix_text(uint64_t h, const char *text) {
    for (const char *c = text; *c; c++)
        h = mix(h, (unsigned char)*c);
    return h;
}

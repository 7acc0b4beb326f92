#pragma once
#include <stddef.h>
#include <stdint.h>

// A character (up to 0x10ffff) at text[*used], in up to 4 bytes.
static inline void put_utf8(char *text, size_t *used, uint32_t c) {
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    text[(*used)++] = (char)(first[more] | c >> 6 * more);
    while (more--)
        text[(*used)++] = (char)(0x80 | (c >> 6 * more & 0x3f));
}

#include "mapping.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

enum { LINE = 512 };

// One line at a time without stdio's buffer: nothing is allocated in the program.
struct lines {
    int fd;
    size_t used;
    char text[LINE];
};

// "START-END PERMISSIONS ..."; false at the end. What is longer than a line's room is cut.
static bool next_line(struct lines *lines, char line[LINE]) {
    for (;;) {
        char *end = memchr(lines->text, '\n', lines->used);
        if (end) {
            size_t length = (size_t)(end - lines->text);
            memcpy(line, lines->text, length);
            line[length] = 0;
            lines->used -= length + 1;
            memmove(lines->text, end + 1, lines->used);
            return true;
        }
        if (lines->used == LINE)
            lines->used = LINE / 2; // a long path: its tail is of no interest
        ssize_t n = read(lines->fd, lines->text + lines->used, LINE - lines->used);
        if (n <= 0)
            return false;
        lines->used += (size_t)n;
    }
}

static bool parse(const char *line, struct mapping *mapping) {
    char *at;
    mapping->lo = strtoul(line, &at, 16);
    if (*at != '-')
        return false; // the rest of a line that was cut
    mapping->hi = strtoul(at + 1, &at, 16);
    if (at[0] != ' ' || strlen(at) < 4)
        return false;
    mapping->protection = (at[1] == 'r' ? PROT_READ : 0) | (at[2] == 'w' ? PROT_WRITE : 0) |
                          (at[3] == 'x' ? PROT_EXEC : 0);
    return true;
}

bool mapping_of(uintptr_t address, struct mapping *mapping) {
    struct lines lines = {.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char line[LINE];
    struct mapping below = {0};
    bool found = false;
    while (!found && lines.fd >= 0 && next_line(&lines, line)) {
        if (!parse(line, mapping))
            continue;
        found = address >= mapping->lo && address < mapping->hi;
        mapping->guard_below = below.hi == mapping->lo && below.protection == 0;
        below = *mapping;
    }
    if (lines.fd >= 0)
        close(lines.fd);
    return found;
}

bool is_writable(const void *start, size_t bytes) {
    struct mapping mapping;
    uintptr_t from = (uintptr_t)start;
    return mapping_of(from, &mapping) && from + bytes <= mapping.hi &&
           (mapping.protection & (PROT_READ | PROT_WRITE)) == (PROT_READ | PROT_WRITE);
}

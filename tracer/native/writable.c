#include "writable.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool is_writable(const void *start, size_t bytes) {
    struct lines lines = {.fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    char line[LINE];
    bool writable = false;
    uintptr_t from = (uintptr_t)start, to = from + bytes;
    while (lines.fd >= 0 && next_line(&lines, line)) {
        char *at;
        uintptr_t low = strtoul(line, &at, 16);
        uintptr_t high = *at == '-' ? strtoul(at + 1, &at, 16) : 0;
        if (from < low || from >= high)
            continue;
        writable = to <= high && at[0] == ' ' && at[1] == 'r' && at[2] == 'w';
        break;
    }
    if (lines.fd >= 0)
        close(lines.fd);
    return writable;
}

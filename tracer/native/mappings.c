#include "mappings.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mappings_open(struct mappings *mappings) {
    mappings->fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    mappings->start = mappings->end = 0;
}

void mappings_close(struct mappings *mappings) {
    if (mappings->fd >= 0)
        close(mappings->fd);
}

// The rest of a line that is longer than the text's room is a path: of no interest.
static bool more_text(struct mappings *mappings) {
    mappings->end -= mappings->start;
    memmove(mappings->text, mappings->text + mappings->start, mappings->end);
    mappings->start = 0;
    if (mappings->end == MAPPINGS_TEXT)
        mappings->end = MAPPINGS_TEXT / 2;
    ssize_t n = mappings->fd < 0 ? -1
                                 : read(mappings->fd, mappings->text + mappings->end,
                                        MAPPINGS_TEXT - mappings->end);
    if (n <= 0)
        return false;
    mappings->end += (size_t)n;
    return true;
}

// "START-END PERMISSIONS ..."
static struct mapping parsed(const char *line) {
    char *at;
    struct mapping mapping = {.low = strtoul(line, &at, 16)};
    mapping.high = *at == '-' ? strtoul(at + 1, &at, 16) : 0;
    mapping.readable = at[0] == ' ' && at[1] == 'r';
    mapping.writable = mapping.readable && at[2] == 'w';
    return mapping;
}

bool mappings_next(struct mappings *mappings, struct mapping *mapping) {
    for (;;) {
        char *line = mappings->text + mappings->start;
        char *end = memchr(line, '\n', mappings->end - mappings->start);
        if (end) {
            *end = 0;
            mappings->start = (size_t)(end + 1 - mappings->text);
            *mapping = parsed(line);
            return true;
        }
        if (!more_text(mappings))
            return false;
    }
}

size_t readable_from(const void *start) {
    uintptr_t from = (uintptr_t)start, to = from;
    struct mappings mappings;
    struct mapping mapping;
    mappings_open(&mappings);
    while (mappings_next(&mappings, &mapping) && mapping.low <= to)
        if (to < mapping.high) {
            if (!mapping.readable)
                break;
            to = mapping.high;
        }
    mappings_close(&mappings);
    return to - from;
}

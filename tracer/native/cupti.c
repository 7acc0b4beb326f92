#include "cupti.h"
#include "loaded.h"
#include <string.h>

static const struct {
    uint32_t version, cuda;
} versions[] = {{26, 12080}, {27, 12090}, {28, 12090}};
enum { LAST_OF_12 = 28, FIRST_OF_13 = 130000, NEWEST_KNOWN = 130599 };

uint32_t cupti_cuda_version(uint32_t version) {
    if (version >= FIRST_OF_13)
        return version / 10000 * 1000 + version / 100 % 100 * 10;
    for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
        if (versions[i].version == version)
            return versions[i].cuda;
    return 0;
}

bool cupti_is_known(uint32_t version) {
    return version <= LAST_OF_12 || (version >= FIRST_OF_13 && version <= NEWEST_KNOWN);
}

// Bytes from the start of a record. The kind is the first word of each.
static const struct layout {
    uint32_t kind;
    uint8_t correlation, start, end;
} layouts[] = {
    {CUPTI_MEMCPY, 44, 16, 24},      {CUPTI_MEMSET, 44, 16, 24},    {CUPTI_KERNEL, 92, 16, 24},
    {CUPTI_MEMCPY_PEER, 60, 16, 24}, {CUPTI_GRAPH_TRACE, 4, 8, 16},
};
enum { EXTERNAL_KIND = 4, EXTERNAL_ID = 8, EXTERNAL_CORRELATION = 16 };

static uint32_t word(const char *record, unsigned at) {
    uint32_t value;
    memcpy(&value, record + at, sizeof value);
    return value;
}
static uint64_t long_word(const char *record, unsigned at) {
    uint64_t value;
    memcpy(&value, record + at, sizeof value);
    return value;
}

enum cupti_said cupti_read(const void *from, struct cupti_record *read) {
    const char *record = from;
    read->kind = word(record, 0);
    if (read->kind == CUPTI_EXTERNAL_CORRELATION) {
        read->op = long_word(record, EXTERNAL_ID);
        read->correlation = word(record, EXTERNAL_CORRELATION);
        return word(record, EXTERNAL_KIND) == CUPTI_OF_RECORDER ? CUPTI_SAYS_OP
                                                                : CUPTI_SAYS_NOTHING;
    }
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].kind == read->kind) {
            read->correlation = word(record, layouts[i].correlation);
            read->start = (int64_t)long_word(record, layouts[i].start);
            read->end = (int64_t)long_word(record, layouts[i].end);
            return CUPTI_SAYS_TIMES;
        }
    return CUPTI_SAYS_NOTHING;
}

bool cupti_take(struct cupti *cupti, void *library) {
#define TAKE(name, parameters)                                                                     \
    cupti->name = (int(*) parameters)quiet_dlsym(library, #name);                                  \
    if (!cupti->name)                                                                              \
        return false;
    CUPTI_ASKED(TAKE)
#undef TAKE
    return true;
}

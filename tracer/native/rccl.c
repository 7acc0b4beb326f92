#include "rccl.h"
#include "record.h"

enum { INTERNAL_ERROR = 3 }; // ncclInternalError

_Atomic(void *) rccl_real[RCCL_COUNT];

RCCL_FUNCTIONS(LIBRARY_DECLARE)
const struct library_entry rccl_entries[RCCL_COUNT] = {RCCL_FUNCTIONS(LIBRARY_ENTRY)};

static int failed(void) { return INTERNAL_ERROR; }

struct library rccl_library = {
    .files = {"librccl", "libnccl"},
    .prefixes = {"nccl"},
    .entries = rccl_entries,
    .real = rccl_real,
    .count = RCCL_COUNT,
    .missing = (void *)failed,
    .bit = OTHER_RCCL,
};

#include "hip.h"
#include "record.h"

_Atomic(void *) hip_real[HIP_COUNT];

HIP_FUNCTIONS(LIBRARY_DECLARE)
const struct library_entry hip_entries[HIP_COUNT] = {HIP_FUNCTIONS(LIBRARY_ENTRY)};

static int not_found(void) { return HIP_ERROR_NOT_FOUND; }

struct library hip_library = {
    .files = {"libamdhip64"},
    .prefixes = {"hip", "__hip"},
    .entries = hip_entries,
    .real = hip_real,
    .count = HIP_COUNT,
    .missing = (void *)not_found,
    .bit = OTHER_HIP,
};

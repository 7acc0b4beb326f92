#include "fault.h"
#include "process.h"
#include <stdlib.h>
#include <string.h>

struct faults faults;

static struct skip { uint32_t stack_key, ordinal; } skips[FAULT_SKIPS];

bool fault_skips(uint32_t stack_key, uint32_t ordinal) {
    uint64_t hit = 0;
    for (unsigned i = 0; i < faults.skips; i++)
        if (skips[i].stack_key == stack_key &&
            (skips[i].ordinal == EVERY_CALL || skips[i].ordinal == ordinal))
            hit |= 1ull << i;
    if (!hit)
        return false;
    atomic_fetch_or(&process.control->faults_hit, hit);
    atomic_fetch_add(&process.control->skipped, 1);
    return true;
}

void fault_tell_copies(int made) { atomic_store(&process.control->copies, (uint64_t)made); }

// KEY[.ORDINAL],...: `record` has checked the form.
__attribute__((constructor)) static void read_environment(void) {
    const char *at = getenv("SYNCTRACE_SKIP_SYNC"), *copies = getenv("SYNCTRACE_FORCE_COPIES");
    faults.copies = copies ? atoi(copies) : 0;
    while (at && *at && faults.skips < FAULT_SKIPS) {
        char *end;
        struct skip *skip = &skips[faults.skips++];
        skip->stack_key = (uint32_t)strtoul(at, &end, 16);
        skip->ordinal = *end == '.' ? (uint32_t)strtoul(end + 1, &end, 10) : EVERY_CALL;
        at = strchr(end, ',');
        at = at ? at + 1 : NULL;
    }
}

#include "spans.h"

struct spans in_flight = NO_SPANS;

static void widen(struct spans *spans, uintptr_t lo, uintptr_t hi) {
    uintptr_t low = atomic_load(&spans->start), high = atomic_load(&spans->end);
    while (lo < low && !atomic_compare_exchange_weak(&spans->start, &low, lo))
        ;
    while (hi > high && !atomic_compare_exchange_weak(&spans->end, &high, hi))
        ;
}

void span_set(struct spans *spans, unsigned n, uintptr_t lo, uintptr_t hi) {
    atomic_store(&spans->lo[n], lo);
    if (atomic_exchange(&spans->hi[n], hi) == 0)
        atomic_fetch_add(&spans->count, 1);
    widen(spans, lo, hi);
}

// The bounds are narrowed when nothing is left. Another thread may have set a span since: it is
// counted by then, and widens them once more.
void span_clear(struct spans *spans, unsigned n) {
    if (atomic_exchange(&spans->hi[n], 0) == 0 || atomic_fetch_sub(&spans->count, 1) != 1)
        return;
    atomic_store(&spans->end, 0);
    atomic_store(&spans->start, UINTPTR_MAX);
    for (unsigned i = 0; atomic_load(&spans->count) && i < pending_used(); i++) {
        uintptr_t hi = atomic_load(&spans->hi[i]);
        if (hi)
            widen(spans, atomic_load(&spans->lo[i]), hi);
    }
}

bool spans_meet(struct spans *spans, uintptr_t lo, uintptr_t hi) {
    if (!spans_end_behind(spans, lo) || !spans_start_before(spans, hi))
        return false;
    for (unsigned n = 0; n < pending_used(); n++)
        if (span_meets(spans, n, lo, hi))
            return true;
    return false;
}

// Steps over what covers the start until nothing does, then up to what begins next.
bool spans_leave_open(struct spans *spans, unsigned n, uintptr_t *lo, uintptr_t *hi,
                      uintptr_t end) {
    for (unsigned i = 0; *lo < end && i < pending_used(); i++) {
        if (i != n && span_meets(spans, i, *lo, *lo + 1)) {
            *lo = atomic_load(&spans->hi[i]);
            i = UINT32_MAX; // from the first again
        }
    }
    *hi = end;
    for (unsigned i = 0; i < pending_used(); i++)
        if (i != n && span_meets(spans, i, *lo, *hi))
            *hi = atomic_load(&spans->lo[i]);
    return *lo < end;
}

#include "pending_events.h"

// One slot an event number; a collision makes the earlier one unknown, which only means that what
// it stands for is looked at for longer.
struct recorded {
    _Atomic uint32_t event; // CHANGING: a thread is at it
    _Atomic uint32_t actor;
    _Atomic uint64_t at;
};
enum { EVENTS = 1024 };
#define CHANGING UINT32_MAX
static struct recorded recorded[EVENTS];

void pending_recorded(uint32_t actor, uint32_t event) {
    struct recorded *slot = &recorded[event % EVENTS];
    if (!event || (!pending_any() && atomic_load(&slot->event) != event))
        return;
    if (atomic_exchange(&slot->event, CHANGING) == CHANGING)
        return; // another thread's event, which is as good as this one
    atomic_store(&slot->actor, actor);
    atomic_store(&slot->at, pending_now());
    atomic_store(&slot->event, event);
}

struct pending_cover pending_event(uint32_t event) {
    struct recorded *slot = &recorded[event % EVENTS];
    struct pending_cover cover = {0};
    if (!event || atomic_load(&slot->event) != event)
        return cover;
    cover = (struct pending_cover){atomic_load(&slot->actor), atomic_load(&slot->at)};
    return atomic_load(&slot->event) == event ? cover : (struct pending_cover){0};
}

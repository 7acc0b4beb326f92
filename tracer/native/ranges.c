#include "ranges.h"
#include "op.h"
#include "scope.h"

// A range ends by a call of its own, whatever functions are left in between.
#define UNTIL_ENDED ((void *)UINTPTR_MAX)
// The subject of a scope: its domain. The default one has an address, too.
static const struct nvtx_domain default_domain;
static const void *subject_of(const struct nvtx_domain *domain) {
    return domain ? domain : &default_domain;
}

int range_push(const struct nvtx_domain *domain, const char *message) {
    char room[NVTX_TEXT];
    struct thread *thread = thread_enter();
    if (!thread)
        return -1;
    int level = (int)scope_count_of(thread, subject_of(domain));
    scope_open(thread, SCOPE_KIND_RANGE, nvtx_name(domain, message, room), subject_of(domain),
               UNTIL_ENDED);
    thread_leave(thread);
    return level;
}

int range_pop(const struct nvtx_domain *domain) {
    struct thread *thread = thread_enter();
    bool popped = thread && scope_close_of(thread, subject_of(domain));
    int level = popped ? (int)scope_count_of(thread, subject_of(domain)) : -1;
    thread_leave(thread);
    return level;
}

// Its subject is no domain, so that no pop ends it.
uint64_t range_start(const struct nvtx_domain *domain, const char *message) {
    char room[NVTX_TEXT];
    struct thread *thread = thread_enter();
    if (!thread)
        return 0;
    uint32_t id =
        scope_try(thread, SCOPE_KIND_RANGE, nvtx_name(domain, message, room), NULL, UNTIL_ENDED);
    thread_leave(thread);
    return (uint64_t)thread->actor << 32 | id;
}

void range_end(uint64_t range) {
    struct thread *thread = (uint32_t)range ? thread_enter() : NULL;
    if (thread && thread->actor == range >> 32)
        scope_close_numbered(thread, (uint32_t)range);
    else if ((uint32_t)range)
        scope_end_elsewhere((uint32_t)range);
    thread_leave(thread);
}

void range_mark(const struct nvtx_domain *domain, const char *message, enum call call, void *caller,
                void *frame) {
    char room[NVTX_TEXT];
    struct thread *thread = thread_enter();
    if (!thread)
        return;
    uint32_t id =
        scope_try(thread, SCOPE_KIND_MARK, nvtx_name(domain, message, room), NULL, UNTIL_ENDED);
    thread_leave(thread);
    OP(op);
    if (op_enter_app(&op, call, KIND_MARK, caller, frame))
        op_leave(&op);
    thread = thread_enter();
    if (thread && id)
        scope_close_numbered(thread, id);
    thread_leave(thread);
}

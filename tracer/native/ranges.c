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

static uint32_t open_range(struct thread *thread, const struct nvtx_domain *domain,
                           const char *message) {
    char room[NVTX_TEXT];
    return scope_open(thread, SCOPE_KIND_RANGE, nvtx_name(domain, message, room),
                      subject_of(domain), UNTIL_ENDED);
}

int range_push(const struct nvtx_domain *domain, const char *message) {
    struct thread *thread = thread_self();
    if (!thread)
        return -1;
    int level = (int)scope_count_of(thread, subject_of(domain));
    open_range(thread, domain, message ? message : "");
    return level;
}

int range_pop(const struct nvtx_domain *domain) {
    struct thread *thread = thread_self();
    if (!thread || !scope_close_of(thread, subject_of(domain)))
        return -1;
    return (int)scope_count_of(thread, subject_of(domain));
}

// Its subject is no domain, so that no pop ends it.
uint64_t range_start(const struct nvtx_domain *domain, const char *message) {
    struct thread *thread = thread_self();
    char room[NVTX_TEXT];
    if (!thread)
        return 0;
    const char *name = nvtx_name(domain, message ? message : "", room);
    uint32_t id = scope_open(thread, SCOPE_KIND_RANGE, name, NULL, UNTIL_ENDED);
    return (uint64_t)thread->actor << 32 | id;
}

void range_end(uint64_t range) {
    struct thread *thread = thread_self();
    if (!(uint32_t)range)
        return;
    if (thread && thread->actor == range >> 32)
        scope_close_numbered(thread, (uint32_t)range);
    else
        scope_end_elsewhere((uint32_t)range);
}

void range_mark(const struct nvtx_domain *domain, const char *message, void *caller, void *frame) {
    struct thread *thread = thread_self();
    char room[NVTX_TEXT];
    if (!thread)
        return;
    const char *name = nvtx_name(domain, message ? message : "", room);
    uint32_t id = scope_open(thread, SCOPE_KIND_MARK, name, NULL, UNTIL_ENDED);
    OP(op);
    if (op_enter_app(&op, CALL_nvtxMark, KIND_MARK, caller, frame))
        op_leave(&op);
    if (id)
        scope_close_numbered(thread, id);
    else
        scope_close(thread, SCOPE_KIND_MARK);
}

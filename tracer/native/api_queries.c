#include "api_queries.h"

enum { KEPT = 64, EVERY_NS = 50000 }; // of a run: the first ones, then one in so long

static bool is_vain(const struct record_op *record) {
    return (record->kind == KIND_EVENT_QUERY || record->kind == KIND_STREAM_QUERY) &&
           record->flags & FLAG_FAILED;
}

static bool is_same(const struct api_query *one, const struct record_op *record) {
    return one->kind == record->kind && one->event == record->event &&
           one->actor == record->actor && one->stack == record->stack && one->rc == record->rc;
}

static uint64_t written(const struct thread *thread) {
    return thread->ring ? atomic_load_explicit(&thread->ring->head, memory_order_relaxed) : 0;
}

bool api_asks_again(const struct api_call *call) {
    const struct record_op *record = &call->op.record;
    struct api_thread *api = is_vain(record) ? api_thread_of(call->op.thread) : NULL;
    if (!api)
        return false;
    struct api_query *last = &api->query;
    if (!is_same(last, record) || last->head != written(call->op.thread)) {
        last->kept = 0;
        return false;
    }
    if (last->kept < KEPT || record->t_c - last->t_c >= EVERY_NS)
        return false;
    atomic_fetch_add_explicit(&process.control->coverage[COVERAGE_REPEATED_QUERIES], 1,
                              memory_order_relaxed);
    return true;
}

void api_asked(struct thread *thread, const struct record_op *record) {
    struct api_thread *api = is_vain(record) ? api_thread_of(thread) : NULL;
    if (api)
        api->query = (struct api_query){.head = written(thread),
                                        .t_c = record->t_c,
                                        .event = record->event,
                                        .actor = record->actor,
                                        .stack = record->stack,
                                        .rc = record->rc,
                                        .kept = api->query.kept + 1,
                                        .kind = record->kind};
}

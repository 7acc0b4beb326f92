#include "ggml_known.h"
#include "ggml_layout.h"
#include "ggml_range.h"
#include "intern.h"

static bool make(struct thread *thread, struct range *range, struct question q) {
    bool made = true;
    if (part_of(q.how) == PART_HOST)
        access_of_host(thread, range, q.subject, q.size, mode_of(q.how));
    else if (part_of(q.how) == PART_WHOLE)
        made = access_of_whole(thread, range, q.subject, mode_of(q.how));
    else
        made = access_of_tensor(thread, range, q.subject, q.offset, q.size, mode_of(q.how));
    range->origin = (uint8_t)q.how;
    return made;
}

static void note_facts(uint64_t *facts, const tensor_t *tensor) {
    memcpy(facts, &tensor->buffer, 8 * PLACE);
    memcpy(facts + PLACE, &tensor->data, 8 * LABEL);
    facts[PLACE + LABEL] = fact_rest(tensor);
}

static struct known_access *room_for(struct thread *thread, struct question q, uint64_t changes) {
    struct known_access *set = known_set(thread, q);
    for (unsigned i = 0; i < KNOWN_WAYS; i++)
        if (set[i].changes != changes || set[i].touched.id == 0 || is_question(&set[i].question, q))
            return &set[i];
    return &set[thread->known_turn++ % KNOWN_WAYS];
}

static uint64_t dropped(const struct thread *thread) {
    return thread->ring ? atomic_load_explicit(&thread->ring->dropped, memory_order_relaxed) : 0;
}

const struct touched *known_tell(struct thread *thread, struct question q) {
    const tensor_t *tensor = part_of(q.how) == PART_HOST ? NULL : q.subject;
    struct known_access fresh = {.question = q, .changes = known_changes(q)};
    uint64_t before = dropped(thread);
    struct range range;
    if (tensor && ggml_layout()->tensor)
        note_facts(fresh.facts, tensor); // what changes from here on makes the answer an old one
    if (!make(thread, &range, q))
        return NULL;
    thread->touched =
        (struct touched){intern_range(thread, &range), range.storage, range.lo, range.hi};
    fresh.touched = thread->touched;
    // What was dropped may be the storage's own row, which is told with the next access.
    if (fresh.touched.id && dropped(thread) == before && !slots_used() &&
        !(tensor && tensor->view_src))
        *room_for(thread, q, fresh.changes) = fresh;
    return &thread->touched;
}

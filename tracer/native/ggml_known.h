// What this thread has told before: where an op touches the same bytes in the same way again, the
// range need not be made nor its number be looked up.
//
// An answer stands while the question, all that it was made of in the tensor, and the buffers are
// what they were. Of views, and where slots are used (each buffer must be asked anew), none is
// kept.
#pragma once
#include "api_memory.h"
#include "ggml_handles.h"
#include "kinds.h"
#include "slots.h"
#include <string.h>

enum part { PART_GIVEN = 1, PART_WHOLE, PART_HOST }; // of a tensor, all of one; of host memory
#define HOW(part, mode, origin) ((part) << 16 | (mode) << 8 | (origin))
static inline enum part part_of(unsigned how) { return (enum part)(how >> 16); }
static inline enum mode mode_of(unsigned how) { return (enum mode)(how >> 8 & 255); }

// The fields of a tensor that a range of it depends on: buffer and shape, data and name, the rest.
enum { PLACE = 9, LABEL = 9, KNOWN_WAYS = 4 };
static_assert(offsetof(tensor_t, op) - offsetof(tensor_t, buffer) == 8 * PLACE, "buffer, shape");
static_assert(offsetof(tensor_t, extra) - offsetof(tensor_t, data) == 8 * LABEL, "data, name");
static_assert(sizeof((struct known_access *)0)->facts == 8 * (PLACE + LABEL + 1), "facts");

static inline uint64_t fact(const void *from, size_t word) {
    uint64_t value;
    memcpy(&value, (const char *)from + 8 * word, sizeof value);
    return value;
}
static inline uint64_t fact_rest(const tensor_t *tensor) {
    return (uint64_t)(uint32_t)tensor->type << 32 | (uint32_t)tensor->flags;
}

static inline bool facts_stand(const uint64_t *facts, const tensor_t *tensor) {
    uint64_t differs = (uintptr_t)tensor->view_src | (facts[PLACE + LABEL] ^ fact_rest(tensor));
#pragma GCC unroll 9
    for (size_t i = 0; i < PLACE; i++)
        differs |= facts[i] ^ fact(&tensor->buffer, i);
#pragma GCC unroll 9
    for (size_t i = 0; i < LABEL; i++)
        differs |= facts[PLACE + i] ^ fact(&tensor->data, i);
    return differs == 0;
}

static inline bool is_question(const struct question *a, struct question b) {
    return a->subject == b.subject && a->offset == b.offset && a->size == b.size && a->how == b.how;
}

static inline struct known_access *known_set(struct thread *thread, struct question q) {
    uint64_t h = (uintptr_t)q.subject * 0x9e3779b97f4a7c15ull + q.offset * 0xbf58476d1ce4e5b9ull +
                 q.size * 0x94d049bb133111ebull + q.how * 0xd6e8feb86659fd93ull;
    return &thread->known[(h >> 32) % (KNOWN_ACCESSES / KNOWN_WAYS) * KNOWN_WAYS];
}

// How many changes there were of what an answer depends on: host memory may be a GPU API's too.
static inline uint64_t known_changes(struct question q) {
    return part_of(q.how) == PART_HOST ? memory_changed() : buffers_changes();
}

// The answer is made and told. Null: there is no memory, or it cannot be read.
const struct touched *known_tell(struct thread *thread, struct question question);

// Good until the next question.
static inline const struct touched *known(struct thread *thread, struct question q) {
    struct known_access *set = known_set(thread, q);
    uint64_t changes = known_changes(q);
    if (slots_used())
        return known_tell(thread, q);
    for (unsigned i = 0; i < KNOWN_WAYS; i++)
        if (is_question(&set[i].question, q) && set[i].changes == changes &&
            (part_of(q.how) == PART_HOST || facts_stand(set[i].facts, q.subject)))
            return &set[i].touched;
    return known_tell(thread, q);
}

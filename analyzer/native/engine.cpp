#include "engine.h"

#include "pass.h"

#include <exception>

struct st_engine {
    synctrace::Pass pass;
    explicit st_engine(const st_config &config) : pass(config) {}
};

namespace {

// No exception may cross into ctypes.
template <class Work> int guarded(Work work) noexcept {
    try {
        work();
        return 0;
    } catch (const std::exception &) {
        return 1;
    }
}

template <class Row> const Row *rows(const std::vector<Row> &table, uint64_t *count) {
    *count = table.size();
    return table.data();
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT st_engine *st_new(const st_config *config) {
    st_engine *engine = nullptr;
    guarded([&] { engine = new st_engine(*config); });
    return engine;
}

EXPORT int st_feed(st_engine *engine, const st_batch *batch) {
    return guarded([&] { engine->pass.feed(*batch); });
}

EXPORT int st_finish(st_engine *engine) {
    return guarded([&] { engine->pass.finish(); });
}

EXPORT void st_free(st_engine *engine) { delete engine; }

EXPORT const st_conflict *st_conflicts(const st_engine *engine, uint64_t *count) {
    return rows(engine->pass.conflicts.groups, count);
}

EXPORT const st_conflict *st_pairs(const st_engine *engine, uint64_t *count) {
    return rows(engine->pass.conflicts.pairs, count);
}

EXPORT const st_need *st_needs(const st_engine *engine, uint64_t *count) {
    return rows(engine->pass.needs.sites, count);
}

EXPORT const st_needed_pair *st_needed_pairs(const st_engine *engine, uint64_t *count) {
    return rows(engine->pass.needed.pairs, count);
}

EXPORT const st_hidden_pair *st_hidden_pairs(const st_engine *engine, uint64_t *count) {
    return rows(engine->pass.hidden.pairs, count);
}

EXPORT const void *st_history(const st_engine *engine, int column, uint64_t *count) {
    *count = 0;
    const synctrace::History *h = engine->pass.history();
    const void *found = nullptr;
    int number = 0;
    auto either = [&](const auto &values) {
        if (number++ == column) {
            *count = values.size();
            found = values.data();
        }
    };
    auto each = [&](const auto &...columns) { (either(columns), ...); };
    if (h) // in the order of st_column
        each(h->from_op, h->to_op, h->from_timeline, h->to_timeline, h->from_instant, h->to_instant,
             h->keys, h->first_keys, h->op, h->timeline, h->positions, h->instant, h->owns,
             h->known, h->in_gap, h->clock_ends, h->clock_positions, h->actors);
    return found;
}

EXPORT const st_stats *st_statistics(const st_engine *engine) { return &engine->pass.stats; }

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

EXPORT const st_stats *st_statistics(const st_engine *engine) { return &engine->pass.stats; }

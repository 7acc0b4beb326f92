// Who knows what: clocks, and what of them hangs on a single sync.
//
// Component t of a clock is the position of the last access of timeline t known to be before.
// Beside it stand the alternatives: for each sync without which less would be known, how much that
// would be. Alternatives are immutable and shared, so that copying a clock is cheap.
#pragma once
#include "components.h"
#include "frontier.h"
#include "pool.h"

#include <algorithm>
#include <utility>

namespace synctrace {

constexpr u64 NONE = ~u64{0};

// A host touches bytes when a call is entered or when it returns, and what the call gives to a
// device comes after the first alone: the two are different positions. 0 is none.
enum Moment : u64 { ENTERED = 1, RETURNED = 2 };
constexpr u64 position_of(u64 op, Moment moment) { return op * 2 + moment; }
constexpr u64 op_of(u64 position) { return (position - 1) / 2; }
constexpr u64 LAST_ID = op_of(NONE - 1); // beyond, positions would not grow with ids

struct Alternative {
    u64 level; // known without the sync
    u64 op;    // its last call on the way, or NONE
    u32 key;   // the sync
};

struct Alternatives {
    u32 refs, size;
    u64 lowest; // least of the levels
    Alternative *begin() { return reinterpret_cast<Alternative *>(this + 1); }
    Alternative *end() { return begin() + size; }
    u64 without(u32 key, u64 otherwise) {
        for (const Alternative &a : *this)
            if (a.key == key)
                return a.level;
        return otherwise;
    }
};

struct Known {
    u64 upto = 0;                // position
    u64 by = NONE;               // the sync that gave it
    Alternatives *alt = nullptr; // null: no single sync is needed for it
    u64 lowest = NONE;           // least level of the alternatives

    void set_alternatives(Alternatives *to) {
        alt = to;
        lowest = to ? to->lowest : NONE;
    }
};

class AlternativePool {
  public:
    Alternatives *make(const std::vector<Alternative> &items) {
        if (items.empty())
            return nullptr;
        const unsigned type = type_of(items.size());
        const size_t bytes = sizeof(Alternatives) + (size_t{1} << type) * sizeof(Alternative);
        Alternatives *a = static_cast<Alternatives *>(pool_.take(type, bytes));
        a->refs = 1;
        a->size = u32(items.size());
        a->lowest = NONE;
        Alternative *out = a->begin();
        for (const Alternative &item : items) {
            *out++ = item;
            a->lowest = std::min(a->lowest, item.level);
        }
        return a;
    }
    static Alternatives *share(Alternatives *a) {
        if (a)
            a->refs++;
        return a;
    }
    void drop(Alternatives *a) {
        if (a && !--a->refs)
            pool_.give(type_of(a->size), a);
    }

  private:
    // Capacity is the next power of two.
    static unsigned type_of(size_t size) {
        return size < 2 ? 0 : unsigned(64 - __builtin_clzll(size - 1));
    }
    Pool pool_;
};

// A clock that grows: one component a timeline, and a bit for each that is not zero.
struct Clock {
    Components<Known> known;
    std::vector<u64> used;
    Frontier frontier; // where frontiers are followed

    // From here on the component can be written.
    void cover(u32 t) {
        known.cover(t);
        if (used.size() <= t / 64)
            used.resize(t / 64 + 1);
    }
    const Known &at(u32 t) const { return known.at(t); }
    const Known &known_of(u32 t) const { return at(t); }
    void use(u32 t) { used[t / 64] |= u64{1} << (t % 64); }
    // Position of an own access: nothing hangs on it.
    void advance(u32 t, u64 position) {
        cover(t);
        known[t].upto = position;
        use(t);
    }
    template <class Visit> void each(Visit visit) const {
        for (size_t w = 0; w < used.size(); w++)
            for (u64 bits = used[w]; bits; bits &= bits - 1) {
                const u32 t = u32(w * 64 + size_t(__builtin_ctzll(bits)));
                visit(t, known.at(t));
            }
    }
};

// A clock as it was once, with only its components that are not zero.
struct Snapshot {
    struct Entry {
        u32 timeline;
        Known known;
    };
    std::vector<Entry> entries;
    Frontier frontier;
    bool taken = false;

    const Known *at(u32 t) const {
        auto entry = std::lower_bound(entries.begin(), entries.end(), t,
                                      [](const Entry &e, u32 v) { return e.timeline < v; });
        return entry != entries.end() && entry->timeline == t ? &entry->known : nullptr;
    }
    Known known_of(u32 t) const {
        const Known *known = at(t);
        return known ? *known : Known();
    }
    template <class Visit> void each(Visit visit) const {
        for (const Entry &e : entries)
            visit(e.timeline, e.known);
    }
};

// What a join did.
struct Change {
    bool raised = false;    // a component grew: the join was not implied
    bool changed = false;   // a component or an alternative changed
    bool completes = false; // no sync of this thread has waited for all of it before
};

class Knowledge {
  public:
    // Keys name the edges by which clocks come to know; nothing hangs on them.
    void follow_frontiers() { follows_ = true; }
    // Everything `from` knows is now known to `to`, through the sync `key` (NO_KEY: through what
    // is no sync). `by` (or NONE: keep the origin) is noted where a component grows.
    template <class From> Change join(Clock &to, const From &from, u32 key, u64 by) {
        Change change;
        if (follows_)
            follow(to.frontier, from.frontier, std::exchange(key, NO_KEY));
        from.each([&](u32 t, const Known &source) {
            to.cover(t);
            Known &target = to.known[t];
            if (source.upto > target.upto) {
                raise(target, source, key, by);
                to.use(t);
                change.raised = change.changed = true;
            } else if (source.upto > target.lowest) {
                change.changed |= widen(target, source, key);
            }
        });
        return change;
    }
    // What `from` knows is known to `to` as far as its position is; without a sync on which that
    // position hangs, only what is known at a lower one: earlier(level), or null.
    template <class Earlier>
    void join_hanging(Clock &to, const Snapshot &from, Alternatives &on, Earlier earlier) {
        Clock hanging;
        from.each([&](u32 t, const Known &known) {
            scratch_.clear();
            for (const Alternative &a : on) {
                const Snapshot *before = earlier(a.level);
                const Known *then = before ? before->at(t) : nullptr;
                const u64 upto = then ? then->upto : 0;
                const u64 level = then && then->alt ? then->alt->without(a.key, upto) : upto;
                if (level < known.upto)
                    scratch_.push_back({level, a.op, a.key});
            }
            if (known.alt)
                for (const Alternative &a : *known.alt)
                    if (on.without(a.key, NONE) == NONE)
                        scratch_.push_back(a);
            hanging.advance(t, known.upto);
            hanging.known[t].by = known.by;
            hanging.known[t].set_alternatives(pool_.make(scratch_));
        });
        join(to, hanging, NO_KEY, NONE);
        forget(hanging);
    }
    void take(Snapshot &to, const Clock &from) {
        to.taken = true;
        if (follows_)
            to.frontier = from.frontier;
        size_t kept = 0;
        from.each([&](u32 t, const Known &k) {
            if (kept == to.entries.size())
                to.entries.push_back({t, Known()});
            Snapshot::Entry &entry = to.entries[kept++];
            if (entry.known.alt != k.alt) {
                pool_.drop(entry.known.alt);
                AlternativePool::share(k.alt);
            }
            entry = {t, k};
        });
        for (size_t i = kept; i < to.entries.size(); i++)
            pool_.drop(to.entries[i].known.alt);
        to.entries.resize(kept);
    }
    void forget(Snapshot &s) {
        for (Snapshot::Entry &e : s.entries)
            pool_.drop(e.known.alt);
        s.entries.clear();
        s.frontier.clear();
        s.taken = false;
    }
    void forget(Clock &c) {
        c.each([&](u32 t, const Known &k) {
            pool_.drop(k.alt);
            c.known[t] = Known();
        });
        std::fill(c.used.begin(), c.used.end(), 0);
        c.frontier.clear();
    }
    // Set one component back to an own position of earlier.
    void set_back(Clock &c, u32 t, u64 position) {
        c.cover(t);
        pool_.drop(c.known[t].alt);
        c.known[t] = Known();
        c.known[t].upto = position;
    }

  private:
    // source.upto > target.upto: without a sync q, the more of what either side has without it.
    void raise(Known &target, const Known &source, u32 key, u64 by) {
        const u64 before = target.upto;
        Alternatives *old = target.alt;
        if (key == NO_KEY && !old && before <= source.lowest) {
            target.set_alternatives(AlternativePool::share(source.alt));
        } else {
            scratch_.clear();
            if (key != NO_KEY)
                scratch_.push_back({old ? old->without(key, before) : before, by, key});
            if (source.alt)
                for (const Alternative &a : *source.alt) {
                    if (a.key == key)
                        continue;
                    const u64 level = std::max(old ? old->without(a.key, before) : before, a.level);
                    if (level < source.upto)
                        scratch_.push_back({level, a.op, a.key});
                }
            target.set_alternatives(pool_.make(scratch_));
        }
        pool_.drop(old);
        target.upto = source.upto;
        target.by = by == NONE ? source.by : by;
    }
    // source.upto <= target.upto: some syncs may no longer be needed for what is known.
    bool widen(Known &target, const Known &source, u32 key) {
        if (source.alt == target.alt && source.upto == target.upto)
            return false;
        bool changed = false;
        scratch_.clear();
        for (const Alternative &a : *target.alt) {
            u64 level = a.level;
            if (a.key != key) {
                const u64 other =
                    source.alt ? source.alt->without(a.key, source.upto) : source.upto;
                changed |= other > level;
                level = std::max(level, other);
            }
            if (level < target.upto)
                scratch_.push_back({level, a.op, a.key});
        }
        if (!changed)
            return false;
        Alternatives *old = target.alt;
        target.set_alternatives(pool_.make(scratch_));
        pool_.drop(old);
        return true;
    }
    AlternativePool pool_;
    std::vector<Alternative> scratch_;
    bool follows_ = false;
};

} // namespace synctrace

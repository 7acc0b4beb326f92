// Clocks of timelines, with the avoidance lists that tell which syncs an ordering rests on.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace synctrace {

using Row = uint64_t; // position of an op in ticket order, from 1; 0: none
using Key = uint32_t; // site of a judged sync
constexpr Key kNoKey = ~0u;

// What a component would be without one sync: `level` instead of the clock's value.
struct Avoid {
    Key key;
    Row level;
};

// The syncs that lower a component if they are taken away. Only those with level < value are kept.
class AvoidList {
  public:
    Row min_level = ~0ull;
    std::vector<Avoid> items;

    Row level(Key key, Row otherwise) const {
        for (const Avoid &a : items)
            if (a.key == key)
                return a.level;
        return otherwise;
    }
    void clear() {
        items.clear();
        min_level = ~0ull;
    }
    void put(Key key, Row level) {
        items.push_back({key, level});
        min_level = std::min(min_level, level);
    }
};

// Component t is the row of the last op of timeline t known to be before. `via` is the row of the
// sync that last raised the component, for reports.
class Clock {
  public:
    std::vector<Row> value;
    std::vector<Row> via;
    std::vector<AvoidList> avoid;

    void grow(size_t timelines, bool with_via, bool with_avoid) {
        value.resize(timelines, 0);
        if (with_via)
            via.resize(timelines, 0);
        if (with_avoid)
            avoid.resize(timelines);
    }

    // Learn all that `source` knows, by the sync `key` at `row` (kNoKey: an edge nobody can remove).
    // Returns whether anything was news.
    bool join(const Clock &source, Key key, Row row) {
        bool news = false;
        const size_t n = value.size();
        if (!avoid.empty())
            return join_avoiding(source, key);
        for (size_t t = 0; t < n; t++) {
            if (source.value[t] <= value[t])
                continue;
            value[t] = source.value[t];
            via[t] = row ? row : source.via[t];
            news = true;
        }
        return news;
    }

  private:
    std::vector<Avoid> scratch_;

    bool join_avoiding(const Clock &source, Key key) {
        bool news = false;
        const size_t n = value.size();
        for (size_t t = 0; t < n; t++) {
            const Row theirs = source.value[t], ours = value[t];
            if (!theirs || (theirs <= ours && avoid[t].items.empty()))
                continue;
            if (theirs > ours)
                raise(t, source, key, ours, theirs);
            else
                confirm(t, source, key, ours, theirs);
            news |= theirs > ours;
        }
        return news;
    }

    // The component rises: it now rests on `key` and on whatever the source's value rests on.
    void raise(size_t t, const Clock &source, Key key, Row ours, Row theirs) {
        AvoidList &mine = avoid[t];
        const AvoidList &other = source.avoid[t];
        value[t] = theirs;
        if (other.items.empty() && key == kNoKey) {
            mine.clear();
            return;
        }
        scratch_.clear();
        if (key != kNoKey)
            scratch_.push_back({key, mine.level(key, ours)});
        for (const Avoid &a : other.items) {
            if (a.key == key)
                continue;
            const Row level = std::max(mine.level(a.key, ours), a.level);
            if (level < theirs)
                scratch_.push_back({a.key, level});
        }
        adopt(mine);
    }

    // Nothing new, but a second reason for what is known: fewer syncs carry it alone.
    void confirm(size_t t, const Clock &source, Key key, Row ours, Row theirs) {
        AvoidList &mine = avoid[t];
        const AvoidList &other = source.avoid[t];
        scratch_.clear();
        for (const Avoid &a : mine.items) {
            Row level = a.level;
            if (a.key != key)
                level = std::max(level, other.level(a.key, theirs));
            if (level < ours)
                scratch_.push_back({a.key, level});
        }
        adopt(mine);
    }

    void adopt(AvoidList &mine) {
        mine.clear();
        for (const Avoid &a : scratch_)
            mine.put(a.key, a.level);
    }
};

} // namespace synctrace

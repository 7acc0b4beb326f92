// Shadow memory: for every byte range, the last reads and writes of each timeline.
//
// Distinct ranges that overlap form an island. Each island has a segment tree over its boundary
// points; a range is O(log k) canonical nodes. A node keeps, a timeline, the last access to exactly
// its bytes (own) and to any bytes below it (sub). An access looks at sub in its canonical nodes and
// at own in their ancestors, so it meets every overlapping access and no other.
#pragma once
#include "clock.h"
#include "engine.h"

namespace synctrace {

struct Last {
    Row row = 0;
    uint32_t site = 0;
};

struct Entry {
    uint32_t timeline = 0;
    Last own_write, own_read, sub_write, sub_read;
};

class Shadow {
  public:
    void build(const st_range *ranges, size_t count) {
        first_.assign(count + 1, 0);
        std::vector<uint32_t> order;
        for (uint32_t r = 0; r < count; r++)
            if (ranges[r].lo < ranges[r].hi)
                order.push_back(r);
        std::sort(order.begin(), order.end(),
                  [&](uint32_t a, uint32_t b) { return ranges[a].lo < ranges[b].lo; });
        std::vector<std::vector<uint32_t>> none;
        std::vector<std::pair<uint32_t, Canon>> found;
        for (size_t i = 0; i < order.size();)
            i = island(ranges, order, i, found);
        fill(count, found);
        nodes_.resize(size_);
    }

    // Visit every earlier entry of other timelines that overlaps range r, then remember this access.
    // visit(entry timeline, last write, last read): writes always, reads only if this one writes.
    template <class Visit>
    void access(uint32_t r, uint32_t timeline, Last now, bool reads, bool writes, Visit &&visit) {
        for (uint32_t i = first_[r]; i < first_[r + 1]; i++) {
            const Canon c = canon_[i];
            Entry &own = meet<true>(nodes_[c.base + c.node], timeline, writes, visit);
            if (writes)
                own.own_write = own.sub_write = now;
            if (reads)
                own.own_read = own.sub_read = now;
            for (uint32_t p = c.node >> 1; p; p >>= 1) {
                Entry &above = meet<false>(nodes_[c.base + p], timeline, writes, visit);
                if (writes)
                    above.sub_write = now;
                if (reads)
                    above.sub_read = now;
            }
        }
    }

  private:
    struct Canon {
        uint32_t base, node;
    };
    std::vector<uint32_t> first_; // range -> its span of canon_
    std::vector<Canon> canon_;
    std::vector<std::vector<Entry>> nodes_;
    uint32_t size_ = 0;

    template <bool sub, class Visit>
    Entry &meet(std::vector<Entry> &node, uint32_t timeline, bool writes, Visit &&visit) {
        Entry *mine = nullptr;
        for (Entry &e : node) {
            if (e.timeline == timeline) {
                mine = &e;
                continue;
            }
            visit(e.timeline, sub ? e.sub_write : e.own_write,
                  writes ? (sub ? e.sub_read : e.own_read) : Last{});
        }
        if (mine)
            return *mine;
        node.emplace_back();
        node.back().timeline = timeline;
        return node.back();
    }

    size_t island(const st_range *ranges, const std::vector<uint32_t> &order, size_t begin,
                  std::vector<std::pair<uint32_t, Canon>> &found) {
        size_t end = begin;
        uint64_t reach = 0;
        std::vector<uint64_t> points;
        while (end < order.size() && (end == begin || ranges[order[end]].lo < reach)) {
            const st_range &r = ranges[order[end++]];
            reach = std::max(reach, r.hi);
            points.push_back(r.lo);
            points.push_back(r.hi);
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        uint32_t leaves = 1;
        while (leaves < points.size() - 1)
            leaves *= 2;
        auto at = [&](uint64_t p) {
            return uint32_t(std::lower_bound(points.begin(), points.end(), p) - points.begin());
        };
        for (size_t i = begin; i < end; i++) {
            uint32_t lo = at(ranges[order[i]].lo) + leaves, hi = at(ranges[order[i]].hi) + leaves;
            for (; lo < hi; lo >>= 1, hi >>= 1) {
                if (lo & 1)
                    found.push_back({order[i], {size_, lo++}});
                if (hi & 1)
                    found.push_back({order[i], {size_, --hi}});
            }
        }
        size_ += 2 * leaves;
        return end;
    }

    void fill(size_t count, const std::vector<std::pair<uint32_t, Canon>> &found) {
        for (const auto &f : found)
            first_[f.first + 1]++;
        for (size_t r = 0; r < count; r++)
            first_[r + 1] += first_[r];
        canon_.resize(found.size());
        std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
        for (const auto &f : found)
            canon_[next[f.first]++] = f.second;
    }
};

} // namespace synctrace

#include "ranges.h"

#include <stdexcept>

namespace synctrace {

Ranges::Ranges(const st_ranges &columns) : reach_(columns.count), bytes_(columns.count) {
    if (columns.bytes)
        sizes_.assign(columns.bytes, columns.bytes + columns.count);
    for (u64 i = 0; i < columns.count; i++) {
        Reach &reach = reach_[i];
        reach = {};
        reach.reads = columns.reads[i] != 0;
        reach.writes = columns.writes[i] != 0;
        reach.result = (columns.host[i] & ST_READS_UNSEEN) != 0;
        reach.source = (columns.host[i] & ST_STORES_UNSEEN) != 0;
        reach.extent = columns.extent[i];
        reach.memory = columns.memory[i];
        bytes_[i] = {columns.lo[i], columns.hi[i], columns.storage[i]};
    }
    std::vector<Row> all = rows(columns);
    std::vector<Span> row_spans(all.size());
    plant(all, row_spans);
    plant_whole(all, row_spans);
    // An access of one row takes the row's covers; a strided one gets its rows' in one piece.
    std::vector<Span> spans(columns.count);
    std::vector<u64> strided;
    for (u64 i = 0; i < all.size(); i++) {
        if (columns.pitch[all[i].access])
            strided.push_back(i);
        else
            spans[all[i].access] = row_spans[i];
    }
    std::stable_sort(strided.begin(), strided.end(),
                     [&](u64 a, u64 b) { return all[a].access < all[b].access; });
    for (u64 i : strided) {
        Span &span = spans[all[i].access];
        if (!span.count)
            span.first = covers_.size();
        for (u64 k = 0; k < row_spans[i].count; k++)
            covers_.push_back(Cover(covers_[row_spans[i].first + k]));
        span.count += row_spans[i].count;
    }
    for (u64 i = 0; i < columns.count; i++) {
        if (!spans[i].count)
            continue;
        reach_[i].covers = 1;
        reach_[i].first = covers_[spans[i].first];
        reach_[i].more = spans[i].first + 1;
        reach_[i].others = u32(spans[i].count - 1);
        reach_[i].alone =
            spans[i].count == 1 && reach_[i].first.tree == NO_TREE && !has_everything_;
    }
    islands_ = {};
}

// Every linear range, and every row of a strided one, by (lo, hi).
std::vector<Ranges::Row> Ranges::rows(const st_ranges &columns) {
    std::vector<Row> out;
    for (u64 i = 0; i < columns.count; i++) {
        const Bytes &r = bytes_[i];
        const u64 pitch = columns.pitch[i], width = columns.width[i];
        if (reach_[i].extent == ST_EVERYTHING) {
            has_everything_ = true;
        } else if (r.lo >= r.hi) {
            continue;
        } else if (pitch) {
            const u64 height = std::min(columns.height[i], (r.hi - r.lo - 1) / pitch + 1);
            if (height > MOST_ROWS - std::min<u64>(MOST_ROWS, out.size()))
                throw std::length_error("too many rows of strided ranges");
            for (u64 y = 0; y < height && width; y++) {
                const u64 lo = r.lo + y * pitch;
                out.push_back({lo, lo + std::min(width, r.hi - lo), u32(i), false});
            }
        } else {
            out.push_back({r.lo, r.hi, u32(i), reach_[i].extent == ST_WHOLE});
        }
    }
    std::sort(out.begin(), out.end(),
              [](const Row &a, const Row &b) { return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi; });
    return out;
}

// A tree of so many leaves; its root.
Cover Ranges::grow(u64 leaves) {
    u64 width = 1;
    while (width < leaves)
        width *= 2;
    const u64 size = 2 * width - 1;
    if (nodes_ + size > ~u32{0})
        throw std::length_error("too many distinct ranges");
    Cover root{u32(nodes_), NO_TREE};
    if (leaves > 1) {
        root.tree = u32(trees_.size());
        trees_.push_back({root.at, u32(size)});
    }
    nodes_ += size;
    return root;
}

// One tree an island; its leaves are the stretches between neighbouring range ends.
void Ranges::plant(const std::vector<Row> &rows, std::vector<Span> &spans) {
    std::vector<u64> points, island;
    for (u64 i = 0; i < rows.size();) {
        if (rows[i].whole) {
            i++;
            continue;
        }
        island.clear();
        points.clear();
        u64 end = rows[i].hi;
        for (; i < rows.size() && (island.empty() || rows[i].lo < end || rows[i].whole); i++) {
            if (rows[i].whole)
                continue;
            end = std::max(end, rows[i].hi);
            points.push_back(rows[i].lo);
            points.push_back(rows[i].hi);
            island.push_back(i);
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        const Cover root = grow(points.size() - 1);
        islands_.push_back({points.front(), end, root});
        const u64 width = root.tree == NO_TREE ? 1 : (u64{trees_[root.tree].nodes} + 1) / 2;
        for (u64 k = 0; k < island.size(); k++) {
            const Row &row = rows[island[k]];
            if (k && rows[island[k - 1]].lo == row.lo && rows[island[k - 1]].hi == row.hi) {
                spans[island[k]] = spans[island[k - 1]];
                continue;
            }
            const u64 first = covers_.size();
            auto leaf = [&](u64 point) {
                return u64(std::lower_bound(points.begin(), points.end(), point) - points.begin()) +
                       width;
            };
            for (u64 l = leaf(row.lo), h = leaf(row.hi); l < h; l >>= 1, h >>= 1) {
                if (l & 1)
                    covers_.push_back({u32(root.at + l++ - 1), root.tree});
                if (h & 1)
                    covers_.push_back({u32(root.at + --h - 1), root.tree});
            }
            spans[island[k]] = {first, covers_.size() - first};
        }
    }
}

// A whole storage covers the roots of its islands instead of making one island of them: a free
// must not make every other access of the storage dearer.
void Ranges::plant_whole(const std::vector<Row> &rows, std::vector<Span> &spans) {
    const u64 parts = islands_.size();
    u64 last = NONE;
    for (u64 i = 0; i < rows.size(); i++) {
        if (!rows[i].whole)
            continue;
        if (last != NONE && rows[last].lo == rows[i].lo && rows[last].hi == rows[i].hi) {
            spans[i] = spans[last];
            continue;
        }
        last = i;
        const u64 first = covers_.size();
        auto island = std::lower_bound(islands_.begin(), islands_.begin() + long(parts), rows[i].lo,
                                       [](const Island &k, u64 lo) { return k.lo < lo; });
        for (; island != islands_.begin() + long(parts) && island->lo < rows[i].hi; ++island)
            covers_.push_back(island->root);
        if (covers_.size() == first)
            covers_.push_back(grow(1));
        spans[i] = {first, covers_.size() - first};
    }
}

} // namespace synctrace

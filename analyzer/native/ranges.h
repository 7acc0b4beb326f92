// Which accesses can meet: ranges as nodes of segment trees, one tree an island of ranges that
// overlap directly or through others.
#pragma once
#include "engine.h"
#include "knowledge.h"

namespace synctrace {

// One access: flat bytes [lo, hi) and what st_ranges says of it.
struct Range {
    u64 lo, hi;
    u32 storage;
    u8 reads, writes, memory, result, extent;
};

// Where a tree lies in the array of all nodes. Node h (root 1, children 2h and 2h + 1) of it is at
// base + h - 1.
struct Tree {
    u32 base;
    u32 nodes;
};

// One node that a range covers.
struct Cover {
    u32 base, node;
};

class Ranges {
  public:
    // Throws std::length_error if there are more nodes than can be indexed.
    explicit Ranges(const st_ranges &columns);

    u64 count() const { return range_.size(); }
    const Range &operator[](u32 access) const { return range_[access]; }
    void set_memory(u32 access, u8 memory) { range_[access].memory = memory; }

    const Cover *begin(u32 access) const { return covers_.data() + span_[access].first; }
    const Cover *end(u32 access) const { return begin(access) + span_[access].count; }
    u64 nodes() const { return nodes_; }
    bool has_everything() const { return has_everything_; }
    // The tree that starts at this base.
    Tree tree(u32 base) const;

  private:
    struct Span {
        u64 first = 0;
        u64 count = 0;
    };
    struct Row {
        u64 lo, hi;
        u32 access;
        bool whole;
    };
    struct Island {
        u64 lo, hi;
        Tree tree;
    };
    std::vector<Row> rows(const st_ranges &columns);
    void plant(const std::vector<Row> &rows, std::vector<Span> &row_spans);
    void plant_whole(const std::vector<Row> &rows, std::vector<Span> &row_spans);
    Tree grow(u64 leaves);

    std::vector<Range> range_;
    std::vector<Span> span_;
    std::vector<Cover> covers_;
    std::vector<Island> islands_; // by lo; those of whole storages without parts at the end
    std::vector<Tree> trees_;     // by base
    u64 nodes_ = 0;
    bool has_everything_ = false;
};

} // namespace synctrace

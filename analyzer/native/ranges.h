// Which accesses can meet: ranges as nodes of segment trees, one tree an island of ranges that
// overlap directly or through others.
#pragma once
#include "engine.h"
#include "knowledge.h"

namespace synctrace {

constexpr u64 MOST_ROWS = u64{1} << 24; // ranges and rows of strided ranges: 2 GB
constexpr u32 NO_TREE = ~u32{0}, NOBODY = ~u32{0}, SEVERAL = NOBODY - 1;

// One node that a range covers.
struct Cover {
    u32 at;   // index among all nodes
    u32 tree; // NO_TREE: it is all of its tree
};

// A segment tree. Node h of it (root 1, children 2h and 2h + 1) is at base + h - 1. As long as one
// timeline alone has touched it, only the nodes that its ranges cover are marked.
struct Tree {
    u32 base, nodes;
    u32 toucher = NOBODY;
};

// How an access meets others. Small: it is looked up for every access of every op.
struct Reach {
    Cover first;
    u64 more;   // index of the other covers
    u32 others; // their number
    u8 covers;  // 0: it counts for nothing
    u8 reads : 1, writes : 1, result : 1, source : 1, extent : 2;
    u8 alone : 1; // it covers one tree of one node, and there are no accesses to everything
    u8 memory;
};

// What an access touches, in the flat space; looked up when it races.
struct Bytes {
    u64 lo, hi;
    u32 storage;
};

class Ranges {
  public:
    // Throws std::length_error if there are more nodes than can be indexed.
    explicit Ranges(const st_ranges &columns);

    u64 count() const { return reach_.size(); }
    const Reach &operator[](u32 access) const { return reach_[access]; }
    const Bytes &bytes(u32 access) const { return bytes_[access]; }
    const Cover *others(const Reach &reach) const { return covers_.data() + reach.more; }
    Tree &tree(u32 tree) { return trees_[tree]; }
    u64 nodes() const { return nodes_; }
    bool has_everything() const { return has_everything_; }
    void set_memory(u32 access, u8 memory) { reach_[access].memory = memory; }
    // Most bytes the access may touch; 0 where no placement depends on it.
    u64 size(u32 access) const { return sizes_.empty() ? 0 : sizes_[access]; }

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
        Cover root;
    };
    std::vector<Row> rows(const st_ranges &columns);
    void plant(const std::vector<Row> &rows, std::vector<Span> &row_spans);
    void plant_whole(const std::vector<Row> &rows, std::vector<Span> &row_spans);
    Cover grow(u64 leaves);

    std::vector<Reach> reach_;
    std::vector<Bytes> bytes_;
    std::vector<u64> sizes_;
    std::vector<Cover> covers_;
    std::vector<Tree> trees_;
    std::vector<Island> islands_; // by lo
    u64 nodes_ = 0;
    bool has_everything_ = false;
};

} // namespace synctrace

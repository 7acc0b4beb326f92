// The profile as this pass has it: what ops of a kind do, by their memory, size and flags.
#pragma once
#include "engine.h"
#include "flags.h"
#include "knowledge.h"

#include <algorithm>
#include <cstring>

namespace synctrace {

class Placements {
  public:
    explicit Placements(const st_config &c)
        : kinds_(c.kind, c.kind + KINDS), rows_(c.placement, c.placement + c.placements) {
        u64 flags = 0, sizes = 0;
        for (const st_kind &kind : kinds_) {
            flags = std::max(flags, u64{kind.first_flag} + kind.flags);
            sizes = std::max(sizes, u64{kind.first_size} + kind.sizes);
        }
        flags_.assign(c.flag, c.flag + flags);
        sizes_.assign(c.size, c.size + sizes);
    }
    bool memory_matters(u8 kind) const {
        constexpr u8 anything[MEMORIES] = {};
        return std::memcmp(kinds_[kind].memory, anything, MEMORIES) != 0;
    }
    bool size_matters(u8 kind) const { return kinds_[kind].sizes != 0; }
    // Whether some ops give one of these edges.
    bool gives(u32 edges) const {
        return std::any_of(rows_.begin(), rows_.end(),
                           [&](const st_placement &row) { return row.edges & edges; });
    }
    // Of ops whose memory and size do not matter, without flags.
    const st_placement &plain(u8 kind) const { return rows_[kinds_[kind].first]; }
    const st_placement &of(u8 kind, u8 memory, u64 size, u32 flags) const {
        const st_kind &k = kinds_[kind];
        u64 row = 0;
        while (row < k.sizes && sizes_[k.first_size + row] <= size)
            row++;
        row += u64{k.memory[memory]} * (k.sizes + 1);
        row <<= k.flags;
        for (u32 f = 0; flags && f < k.flags; f++)
            row |= u64{(flags & flags_[k.first_flag + f]) != 0} << f;
        return rows_[k.first + row];
    }

  private:
    std::vector<st_kind> kinds_;
    std::vector<st_placement> rows_;
    std::vector<u32> flags_;
    std::vector<u64> sizes_;
};

} // namespace synctrace

// The instants that a clock stands for: all that it knows is before one of them or is one of them.
#pragma once
#include <cstdint>
#include <vector>

namespace synctrace {

using u8 = uint8_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr u32 NO_KEY = ~u32{0};
// Edges that no statement gives: what was lost may have; instants of one op; calls of a thread;
// work of a stream; a call that returned before another thread's was entered.
constexpr u32 OF_LOST = NO_KEY - 1, OF_CALL = NO_KEY - 2, OF_THREAD = NO_KEY - 3;
constexpr u32 OF_STREAM = NO_KEY - 4, OF_RETURN = NO_KEY - 5;

// The call is entered, has done what the host does first (its source is read), its work starts, is
// complete; the call returns.
enum class Instant : u8 { C, Q, S, E, R };

struct Tip {
    u64 op;
    u32 timeline;
    Instant instant;
    bool loose = false;                   // not after what its timeline did before
    u32 key = NO_KEY, first_key = NO_KEY; // the edge by which it came, the one by which it set out

    // Whether whoever knows this one knows the other.
    bool covers(const Tip &other) const {
        return timeline == other.timeline && !loose &&
               (op > other.op || (op == other.op && instant >= other.instant));
    }
};

using Frontier = std::vector<Tip>;

// The tips of another clock, that come by this edge.
[[gnu::cold]] void follow(Frontier &to, const Frontier &from, u32 key);

} // namespace synctrace

// What is kept of a pass where every edge is asked for (ST_EDGES): the edges between instants of
// ops, and of each part of an op's work what was known when it began.
#pragma once
#include "knowledge.h"

namespace synctrace {

class History {
  public:
    // From every tip to this instant, which then stands for all of them. `is_host`: whether a
    // timeline is a thread.
    template <class IsHost> void reach(Frontier &from, const Tip &to, IsHost is_host) {
        for (const Tip &tip : from)
            add(tip, to, tip.key != NO_KEY ? tip.key : kind(tip, to, is_host));
        from.assign(1, to);
    }
    void add(const Tip &from, const Tip &to, u32 key) {
        from_op.push_back(from.op);
        to_op.push_back(to.op);
        from_timeline.push_back(from.timeline);
        to_timeline.push_back(to.timeline);
        from_instant.push_back(u8(from.instant));
        to_instant.push_back(u8(to.instant));
        keys.push_back(key);
        first_keys.push_back(from.first_key);
    }
    // A part of an op's work that is on timeline `at`. Its start knows what `clock` does and, of
    // timeline `own`, what is at lower positions. `names`: whether work can be on a timeline.
    template <class Names>
    void part(const Tip &at, u64 position, u32 own, const Clock &clock, bool lost, Names names) {
        op.push_back(at.op);
        timeline.push_back(at.timeline);
        instant.push_back(u8(at.instant));
        positions.push_back(position);
        owns.push_back(own);
        known.push_back(keep(own, clock, names));
        in_gap.push_back(lost);
    }

    // Edges, a row each.
    std::vector<u64> from_op, to_op;
    std::vector<u32> from_timeline, to_timeline, keys, first_keys;
    std::vector<u8> from_instant, to_instant;
    // Parts of work, a row each; `known`: number of the clock.
    std::vector<u64> op, positions, known;
    std::vector<u32> timeline, owns;
    std::vector<u8> instant, in_gap;
    std::vector<u64> clock_ends = {0}, clock_positions; // of each clock, by timeline
    std::vector<u32> actors;                            // of the timelines

  private:
    template <class IsHost> static u32 kind(const Tip &from, const Tip &to, IsHost is_host) {
        if (from.op == to.op)
            return OF_CALL;
        if (!is_host(from.timeline) || !is_host(to.timeline))
            return OF_STREAM;
        return from.timeline == to.timeline ? OF_THREAD : OF_RETURN;
    }
    // Most work knows of others what the work before it on its timeline did.
    template <class Names> u64 keep(u32 own, const Clock &clock, Names names) {
        scratch_.clear();
        clock.each([&](u32 t, const Known &known) {
            if (t == own || !names(t) || !known.upto)
                return;
            scratch_.resize(t + 1);
            scratch_[t] = known.upto;
        });
        if (last_.size() <= own)
            last_.resize(own + 1, NONE);
        if (const u64 last = last_[own]; last != NONE) {
            const auto begin = clock_positions.begin() + long(clock_ends[last]);
            const auto end = clock_positions.begin() + long(clock_ends[last + 1]);
            if (std::equal(begin, end, scratch_.begin(), scratch_.end()))
                return last;
        }
        clock_positions.insert(clock_positions.end(), scratch_.begin(), scratch_.end());
        clock_ends.push_back(clock_positions.size());
        return last_[own] = clock_ends.size() - 2;
    }
    std::vector<u64> scratch_, last_; // the last clock kept, by `own`
};

} // namespace synctrace

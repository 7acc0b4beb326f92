#include "flags.h"
#include "pass.h"

namespace synctrace {

// A lost call may have ordered what was before it and what came after it. Where the loss begins,
// judging stops; where it is over, all that was is known to all.
void Pass::pass_gaps(u64 ticket) {
    while (next_gap_ < config_.gaps && config_.gap[next_gap_].first <= ticket) {
        const st_gap &gap = config_.gap[next_gap_];
        if (!in_gap_) {
            return_until(gap.first);
            in_gap_ = true;
            losses_++;
        }
        if (gap.last > ticket)
            return;
        return_until(gap.last);
        join_all();
        for (auto &timeline : timelines_)
            timeline->batch = 0; // the op that began the next one may be lost
        in_gap_ = false;
        losses_++;
        next_gap_++;
    }
}

// Whether the trace holds the properties of its timelines.
bool Pass::is_named(const Op &op) {
    const bool named = std::max({op.thread, op.actor, op.peer}) < config_.actors;
    stats.missing += !named;
    return named;
}

// Whether nothing that was lost can say which order the op makes.
bool Pass::is_decided(const Op &op, const st_placement &place) {
    if (!losses_ || op.kind >= KINDS)
        return true;
    if (place.edges & ST_OWNER_ALLOC && owners_[owner_of(op)].unsure)
        return false;
    return (!placements_.memory_matters(op.kind) || memory_of(op)) &&
           (!placements_.size_matters(op.kind) || size_of(op));
}

// Any order may have been made: every timeline knows all that was.
void Pass::join_all() {
    if (all_known_)
        return;
    all_known_ = true;
    Clock all;
    for (u32 t = 0; t < timelines_.size(); t++)
        knowledge_.join(all, settled(t), NO_KEY, NONE);
    for (auto &timeline : timelines_) {
        knowledge_.join(timeline->clock, all, history_ ? OF_LOST : NO_KEY, NONE);
        timeline->version++;
        end_chain(*timeline);
        knowledge_.forget(timeline->start);
        timeline->results.clear();
        timeline->results_read = 0;
    }
    knowledge_.join(published_, all, NO_KEY, NONE);
    knowledge_.forget(all);
}

} // namespace synctrace

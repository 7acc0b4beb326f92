#include "flags.h"
#include "pass.h"

namespace synctrace {

// The elements of a batch are given to their streams by one call. Each comes after all that its
// stream had before the first of them, what comes next after all of them; among themselves they
// are in no order. They share the timeline of the stream, whose marks since the batch began are
// those of other elements.

// What the thread gives as elements from here on belongs to this batch.
void Pass::begin_batch(const Op &op) {
    constexpr unsigned NOT_MADE = FAILED | SKIPPED | CAPTURED | REFUSED | NOOP;
    if (!(op.flags & NOT_MADE) && op.thread < config_.actors)
        timelines_[op.thread]->batch = op.id + 1;
}

// Without the op that began its batch, an element is work like any other. One that starts at the
// call is in no order with anything of its stream.
bool Pass::is_element(const Op &op, const st_placement &place, u32 at) const {
    const Timeline &stream = *timelines_[at];
    return op.flags & BATCHED && stream.batch && !stream.host && place.edges & ST_LAUNCH &&
           (place.reads == ST_STREAM || place.writes == ST_STREAM) && place.reads != ST_LOOSE &&
           place.writes != ST_LOOSE;
}

// The op comes to its stream: as an element of a batch, or as something else, which ends one.
void Pass::enter_batch(const Op &op, const st_placement &place, u32 host, u32 at) {
    Timeline &stream = *timelines_[at];
    if (stream.host)
        return;
    const u64 last = std::exchange(stream.batch, timelines_[host]->batch);
    if (!is_element(op, place, at))
        stream.batch = 0;
    if (!stream.batch || stream.batch == last)
        return;
    stream.batch_start = stream.clock.at(at).upto;
    stream.batch_before.clear();
    stream.batch_ends.clear();
}

// What other elements did to the same bytes.
void Pass::judge_element(const Op &op, const st_placement &place, u32 at) {
    for (u32 t = u32(timelines_.size()); t-- && !omniscient_.at(t).upto;)
        omniscient_.advance(t, NONE);
    omniscient_.advance(at, timelines_[at]->batch_start);
    Touch t{position_of(op.id, ENTERED), op.site, 0, at, false, false, &omniscient_};
    each_access(op, [&](u32 access) {
        const Reach &reach = ranges_[access];
        t.access = access;
        t.reads = place.reads == ST_STREAM && reach.reads;
        t.writes = place.writes == ST_STREAM && reach.writes;
        if (t.reads || t.writes)
            judge_loose(t, reach);
    });
    omniscient_.advance(at, NONE);
}

// S of an element: after what was there before the batch, and after what else its stream has
// learnt.
void Pass::note_element(const Op &op, u32 host, u32 at) {
    Timeline &stream = *timelines_[at];
    if (stream.batch_before.empty() && stream.batch_ends.empty())
        stream.batch_before = stream.clock.frontier;
    Frontier before = stream.batch_before, learnt = stream.clock.frontier;
    std::erase_if(learnt, [&](const Tip &tip) { return tip.timeline == at; });
    follow(before, learnt, NO_KEY);
    Clock known;
    knowledge_.join(known, stream.clock, NO_KEY, NONE);
    knowledge_.set_back(known, at, stream.batch_start);
    const Tip start{op.id, at, Instant::S};
    note_part(start, host, known);
    knowledge_.forget(known);
    reach(before, start);
}

// E of an element: what comes next is after each of them.
void Pass::note_element_end(const Op &op, u32 at) {
    Timeline &stream = *timelines_[at];
    Tip end{op.id, at, Instant::E};
    history_->add({op.id, at, Instant::S}, end, OF_CALL);
    end.loose = true;
    stream.batch_ends.push_back(end);
    stream.clock.frontier = stream.batch_ends;
}

} // namespace synctrace

#include "history.h"

#include "flags.h"
#include "pass.h"

namespace synctrace {

namespace {

// By which an op is something that its stream or queue does.
constexpr u32 ON_STREAM = ST_LAUNCH | ST_AFTER_PEER | ST_AFTER_ACTOR | ST_AFTER_DEVICES |
                          ST_ACTOR_WAITS | ST_PEER_WAITS | ST_DEVICES_WAIT | ST_ACTOR_WAITS_EVENT |
                          ST_RECORDS | ST_RECORDS_START;

bool works_on_host(const st_placement &place) {
    return place.reads == ST_HOST || place.writes == ST_HOST;
}

bool works_on_device(const Op &op, const st_placement &place) {
    return op.actor && (place.reads > ST_HOST || place.writes > ST_HOST || place.edges & ON_STREAM);
}

bool is_loose(const st_placement &place) {
    return place.reads == ST_LOOSE || place.writes == ST_LOOSE;
}

// Where on its timeline what begins at this instant is.
u64 position(const Tip &at) {
    return position_of(at.op, at.instant == Instant::R ? RETURNED : ENTERED);
}

// Whether some of its work waits for its turn on the stream.
bool takes_turn(const st_placement &place) {
    auto turn = [](u8 where) { return where == ST_STREAM || where == ST_QUEUE; };
    return !is_loose(place) || turn(place.reads) || turn(place.writes);
}

} // namespace

void follow(Frontier &to, const Frontier &from, u32 key) {
    if (&to == &from)
        return;
    for (Tip tip : from) {
        auto covers = [&](const Tip &other) { return other.covers(tip); };
        auto is_same = [&](const Tip &other) {
            return other.op == tip.op && other.timeline == tip.timeline &&
                   other.instant == tip.instant;
        };
        if (std::any_of(to.begin(), to.end(), covers) || std::any_of(to.begin(), to.end(), is_same))
            continue;
        if (key != NO_KEY) {
            if (tip.first_key == NO_KEY)
                tip.first_key = tip.key;
            tip.key = key;
        }
        std::erase_if(to, [&](const Tip &other) { return tip.covers(other); });
        to.push_back(tip);
    }
}

void Pass::reach(Frontier &from, const Tip &to) {
    history_->reach(from, to, [&](u32 t) { return timelines_[t]->host; });
}

// Part of the op's work, known to others by the position of its timeline.
void Pass::note_part(const Tip &at, u32 own, const Clock &clock) {
    auto names = [&](u32 t) { return !t || timelines_[t]->actor; };
    history_->part(at, position(at), own, clock, in_gap_, names);
}

void Pass::host_part(const Tip &at, const Clock &clock) {
    note_part(at, at.timeline, clock);
    timelines_[at.timeline]->clock.advance(at.timeline, position(at));
    all_known_ = false;
    told(at.timeline);
}

// C of the call.
void Pass::note_entry(const Op &op, u32 host) {
    reach(timelines_[host]->clock.frontier, {op.id, host, Instant::C});
}

// What the host does before the call gives work to a device, or at all if it does not.
void Pass::note_host_work(const Op &op, const st_placement &place, u32 host) {
    Clock &clock = timelines_[host]->clock;
    const bool device = works_on_device(op, place), works = works_on_host(place);
    if (place.edges & HOST_WAITS && (works || !device))
        return; // at R
    if (!device) {
        host_part({op.id, host, Instant::S}, clock);
        reach(clock.frontier, {op.id, host, Instant::S});
        reach(clock.frontier, {op.id, host, Instant::E});
    } else if (works || clock.frontier.size() > 1) {
        if (works)
            host_part({op.id, host, Instant::Q}, clock);
        reach(clock.frontier, {op.id, host, Instant::Q});
    }
}

// The host reads the source of what it gives to a device, after what `known` knows.
void Pass::note_source(const Op &op, u32 host, const Clock &known) {
    const Tip at{op.id, host, Instant::Q};
    Frontier before = known.frontier;
    host_part(at, known);
    reach(before, at);
    timelines_[host]->clock.frontier = before;
}

// S of work on a device.
void Pass::note_start(const Op &op, const st_placement &place, u32 host, u32 at) {
    if (!works_on_device(op, place))
        return;
    if (is_element(op, place, at)) {
        note_element(op, host, at);
        return;
    }
    Clock &clock = timelines_[at]->clock;
    const Tip start{op.id, at, Instant::S};
    if (!is_loose(place)) {
        note_part(start, at, clock);
        reach(clock.frontier, start);
        return;
    }
    const Clock &call = timelines_[host]->clock;
    note_part(start, host, call);
    Frontier before;
    follow(before, call.frontier, key_of(op, place, ST_LAUNCH));
    reach(before, start);
    if (takes_turn(place))
        note_part({op.id, at, Instant::E}, at, clock);
}

// E of work on a device.
void Pass::note_end(const Op &op, const st_placement &place, u32 at) {
    if (!works_on_device(op, place))
        return;
    Clock &clock = timelines_[at]->clock;
    const Tip start{op.id, at, Instant::S};
    Tip end{op.id, at, Instant::E};
    if (is_element(op, place, at)) {
        note_element_end(op, at);
    } else if (!is_loose(place)) {
        reach(clock.frontier, end);
    } else if (takes_turn(place)) {
        clock.frontier.push_back(start);
        reach(clock.frontier, end);
    } else {
        history_->add(start, end, OF_CALL);
        end.loose = true;
        clock.frontier.push_back(end);
    }
    clock.advance(at, position(start));
    all_known_ = false;
}

// R of the call.
void Pass::note_return(const Op &op, const st_placement &place) {
    if (op.flags & without_effect_)
        return;
    const Tip at{op.id, op.thread, Instant::R};
    Clock &clock = timelines_[op.thread]->clock;
    const bool works = works_on_host(place) && !source_first(place);
    if (place.edges & HOST_WAITS && (works || !works_on_device(op, place)))
        host_part(at, clock);
    reach(clock.frontier, at);
}

// What the stream had before its last kernel: that kernel's start instead of all since.
void Pass::note_before_kernel(const Timeline &stream, u32 t) {
    if (stream.kernel == NONE)
        return;
    Frontier &frontier = stream.chain_start->frontier;
    std::erase_if(frontier,
                  [&](const Tip &tip) { return tip.timeline == t && tip.op >= stream.kernel; });
    frontier.push_back({stream.kernel, t, Instant::S});
}

} // namespace synctrace

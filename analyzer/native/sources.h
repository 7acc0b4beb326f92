// What a call learns, edge by edge: from which clocks, by which key.
#pragma once
#include "pass.h"

namespace synctrace {

// What a stream learns holds for dependent launches too, though they do not wait for the kernel.
template <class From> Change Pass::stream_learns(u32 t, const From &from, u32 key, u64 by) {
    Timeline &stream = *timelines_[t];
    Change change;
    if (stream.before_kernel != NONE) {
        before_last_kernel(t);
        change = knowledge_.join(*stream.chain_start, from, key, by);
    }
    // A dependent launch after this one starts later, whoever makes it.
    if (stream.forked_from != NO_KEY && stream.issuer != NO_KEY)
        knowledge_.join(*timelines_[stream.forked_from]->chain_start, from, key, by);
    const Change c = knowledge_.join(stream.clock, from, key, by);
    change.raised |= c.raised;
    change.changed |= c.changed;
    return change;
}

// The host learns what `from` knows. A sync that only repeats what other calls gave by the way may
// still be the one by which the program means to end.
template <class From>
void Pass::tell(u32 host, const Op &op, const st_placement &place, const From &from, u32 key,
                Change &change) {
    Timeline &h = *timelines_[host];
    if (place.judged && config_.keys == ST_SITES)
        from.each([&](u32 t, const Known &known) {
            h.completed.cover(t);
            change.completes |= known.upto > h.completed[t];
            h.completed[t] = std::max(h.completed[t], known.upto);
        });
    const Change c = knowledge_.join(h.clock, from, key, op.id);
    change.raised |= c.raised;
    change.changed |= c.changed;
}

// The timelines that the legacy default stream's rule puts before work on this one: for the default
// stream those of its device that do not opt out, for one of those the default stream.
template <class Visit> void Pass::each_legacy(u32 at, u32 host, Visit visit) {
    constexpr u32 ORDERED = BLOCKING | PER_THREAD;
    const Timeline &work = *timelines_[at];
    auto ordered = [&](u32 t) {
        const Timeline &other = *timelines_[t];
        if (other.device == work.device && other.issuer == NO_KEY && t != at)
            visit(view(t, host));
    };
    if (work.flags & LEGACY) {
        for (u32 t = 0; t < timelines_.size(); t++)
            if (timelines_[t]->flags & ORDERED)
                ordered(t);
    } else if (work.flags & ORDERED) {
        for (size_t i = 0; i < legacy_.size(); i++)
            ordered(legacy_[i]);
    }
}

// What the op's stream had before: learn(clock, key). A legacy default stream has what the streams
// have that it is ordered with.
template <class Learn>
void Pass::stream_sources(const Op &op, const st_placement &place, u32 edge, Learn learn) {
    if (!(place.edges & edge) || !op.actor)
        return;
    const u32 key = key_of(op, place, edge), legacy_key = key_of(op, place, ST_LEGACY);
    const bool legacy = place.edges & ST_LEGACY && timelines_[op.actor]->flags & LEGACY;
    const u32 own = view(op.actor, op.thread);
    if (legacy) // as it finds them all before it learns from one
        each_legacy(op.actor, op.thread, [](u32) {});
    learn(settled(own), key);
    if (legacy)
        each_legacy(op.actor, op.thread,
                    [&](u32 t) { learn(settled(t), legacy_key == NO_KEY ? key : legacy_key); });
}

// The streams of the devices that a copy between devices concerns, its own and those of the two
// streams it names. Where something can tell, legacy streams that the trace does not name
// are among them.
template <class Visit> void Pass::each_stream_of_devices(const Op &op, Visit visit) {
    const int32_t devices[] = {op.device, timelines_[op.actor]->device,
                               timelines_[op.peer]->device};
    for (u32 t = 0; t < config_.actors; t++) {
        const Timeline &stream = *timelines_[t];
        if (!stream.host &&
            std::find(devices, std::end(devices), stream.device) != std::end(devices))
            visit(t);
    }
    for (size_t i = 0; redirects_ && i < std::size(devices); i++) {
        const u32 legacy = devices[i] < 0 ? 0 : legacy_of(devices[i]);
        if (legacy >= config_.actors)
            visit(legacy);
    }
}

// What other timelines have that work on this one waits for: learn(clock, key).
template <class Learn>
void Pass::after_others(const Op &op, const st_placement &place, u32 host, u32 at, Learn learn) {
    auto after = [&](u32 edge, u32 actor) {
        if (!(place.edges & edge) || !actor)
            return;
        const u32 t = view(actor, host);
        if (t != at)
            learn(settled(t), key_of(op, place, edge));
    };
    after(ST_AFTER_PEER, op.peer);
    after(ST_AFTER_ACTOR, op.actor);
    if (place.edges & ST_AFTER_DEVICES)
        each_stream_of_devices(op, [&](u32 t) { after(ST_AFTER_DEVICES, t); });
}

// What the host knows more when it returns, edge by edge: learn(clock or snapshot, key).
// False if it waits for what was never recorded.
template <class Learn>
bool Pass::host_sources(const Op &op, const st_placement &place, Learn learn) {
    bool recorded = true;
    for (const u32 edge : {u32(ST_HOST_WAITS_EVENT), u32(ST_HOST_WAITS_SIGNAL)})
        if (place.edges & edge) {
            const Snapshot &snapshot = events_[op.event];
            recorded &= snapshot.taken;
            learn(snapshot, key_of(op, place, edge));
        }
    stream_sources(op, place, ST_HOST_WAITS_ACTOR, learn);
    if (place.edges & ST_OWNER_ALLOC)
        learn(owners_[owner_of(op)].closed, key_of(op, place, ST_OWNER_ALLOC));
    const u32 wide = place.edges & (ST_HOST_WAITS_DEVICE | ST_HOST_WAITS_ALL);
    auto each_covered = [&](auto visit) {
        for (u32 t = 0; wide && t < timelines_.size(); t++) {
            const bool covered =
                wide & ST_HOST_WAITS_ALL || op.device < 0 || op.device == timelines_[t]->device;
            if (covered && !timelines_[t]->host && timelines_[t]->issuer == NO_KEY)
                visit(view(t, op.thread));
        }
    };
    if (!views_.empty()) // as it finds them all before it learns from one
        each_covered([](u32) {});
    each_covered([&](u32 t) { learn(settled(t), key_of(op, place, wide)); });
    return recorded;
}

} // namespace synctrace

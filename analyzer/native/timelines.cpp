#include "flags.h"
#include "pass.h"

namespace synctrace {

u32 Pass::add_timeline(u32 actor, bool host, u32 flags, int32_t device) {
    const u32 t = u32(timelines_.size());
    timelines_.push_back(std::make_unique<Timeline>());
    Timeline &timeline = *timelines_.back();
    timeline.actor = actor;
    timeline.flags = flags;
    timeline.device = host ? -1 : device;
    timeline.host = host;
    hosts_ += host && actor; // id 0 is no actor, and the thread of a trace without threads
    all_known_ = false;
    if (flags & LEGACY)
        legacy_.push_back(t);
    return t;
}

// Clock of a timeline as work that is no programmatic dependent launch finds it.
const Clock &Pass::settled(u32 t) {
    Timeline &stream = *timelines_[t];
    for (; stream.joined < stream.chain; stream.joined++)
        knowledge_.join(stream.clock, timelines_[stream.forks[stream.joined]]->clock, NO_KEY, NONE);
    return stream.clock;
}

// What a stream had before its last kernel and the dependent launches since; all of it where other
// work came later.
const Clock &Pass::before_last_kernel(u32 t) {
    Timeline &stream = *timelines_[t];
    if (stream.before_kernel == NONE)
        return settled(t);
    if (!stream.chain_start) {
        stream.chain_start = std::make_unique<Clock>();
        knowledge_.join(*stream.chain_start, stream.clock, NO_KEY, NONE);
        knowledge_.set_back(*stream.chain_start, t, stream.before_kernel);
        if (history_)
            note_before_kernel(stream, t);
    }
    return *stream.chain_start;
}

// Other work waits for the last kernel: what comes next is ordered after it.
void Pass::end_chain(Timeline &stream) {
    stream.before_kernel = stream.kernel = NONE;
    stream.chain = stream.joined = 0;
    if (stream.chain_start)
        knowledge_.forget(*stream.chain_start);
    stream.chain_start.reset();
}

// A timeline for a kernel that does not wait for the kernels before it. Those before may be such
// kernels too: all of a chain start where the first kernel of it started.
u32 Pass::fork_of(u32 stream) {
    before_last_kernel(stream);
    Timeline *s = timelines_[stream].get();
    if (s->chain == s->forks.size()) {
        const u32 fork = add_timeline(s->actor, false, 0, s->device);
        timelines_[fork]->flags = s->flags;
        timelines_[fork]->issuer = s->issuer;
        timelines_[fork]->forked_from = stream;
        s->forks.push_back(fork);
    }
    const u32 fork = s->forks[s->chain++];
    knowledge_.join(timelines_[fork]->clock, *s->chain_start, NO_KEY, NONE);
    return fork;
}

// The legacy default stream of a device; one that the trace does not name is there all the same.
u32 Pass::legacy_of(int32_t device) {
    for (u32 t : legacy_)
        if (timelines_[t]->device == device)
            return t;
    const u32 t = add_timeline(0, false, LEGACY, device);
    if (!views_.empty())
        share(t);
    return t;
}

// The timeline on which the op's device work runs; the host's if it has none.
u32 Pass::execution(const Op &op, const st_placement &place, u32 host) {
    if (!op.actor)
        return host;
    if (place.edges & (ST_AFTER_PEER | ST_AFTER_ACTOR | ST_ACTOR_WAITS) ||
        place.reads == ST_QUEUE || place.writes == ST_QUEUE) {
        auto [queue, fresh] = queues_.try_emplace(u64{op.peer} << 32 | op.actor, 0);
        if (fresh) {
            queue->second = add_timeline(op.actor, false, 0, timelines_[op.actor]->device);
            if (timelines_[op.actor]->shared != NO_KEY)
                share(queue->second);
        }
        return view(queue->second, host);
    }
    const u32 actor = view(op.actor, host);
    if (!(place.edges & ST_LAUNCH))
        return actor;
    Timeline &stream = *timelines_[actor];
    if (op.kind == KERNEL && op.flags & PDL && stream.before_kernel != NONE &&
        place.reads == ST_STREAM)
        return fork_of(actor);
    settled(actor);
    if (place.reads || place.writes)
        end_chain(stream);
    return actor;
}

} // namespace synctrace

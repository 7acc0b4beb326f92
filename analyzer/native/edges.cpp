#include "flags.h"
#include "pass.h"

namespace synctrace {

u32 Pass::add_timeline(u32 actor, bool host, u32 flags, int32_t device) {
    const u32 t = u32(timelines_.size());
    timelines_.push_back(std::make_unique<Timeline>());
    Timeline &timeline = *timelines_.back();
    timeline.actor = actor;
    timeline.flags = flags;
    timeline.device = device;
    timeline.host = host;
    hosts_ += host && actor; // id 0 is no actor, and the thread of a trace without threads
    all_known_ = false;
    if (flags & LEGACY)
        legacy_.push_back(t);
    return t;
}

// Owner of the first block named: caching allocators are asked for one block a call.
u32 Pass::owner_of(const Op &op) {
    return op.accesses && op.access[0] < ranges_.count() ? ranges_.bytes(op.access[0]).storage : 0;
}

u32 Pass::key_of(const Op &op, const st_placement &place, u32 edge) {
    if (config_.keys == ST_SITES && place.judged)
        return needs.key(op.site);
    if (config_.keys == ST_HABITS && place.habit_edges & edge)
        return place.habit;
    return NO_KEY;
}

// A host has something new to tell.
void Pass::told(u32 host) {
    Timeline &h = *timelines_[host];
    h.version++;
    if (!h.news && hosts_ > 1 && !config_.strict) {
        h.news = true;
        news_.push_back(host);
    }
}

void Pass::publish(u32 host) {
    timelines_[host]->news = false;
    news_.erase(std::find(news_.begin(), news_.end(), host));
    if (knowledge_.join(published_, timelines_[host]->clock, NO_KEY, NONE).changed)
        published_version_++;
}

// Observed host order: what every returned call knew is known to a call entered later, to this one
// too. `direct`: it returns before another is entered.
void Pass::observe(u32 host, bool direct) {
    if (hosts_ < 2 || config_.strict)
        return;
    if (!direct && timelines_[host]->news && !timelines_[host]->in_call)
        publish(host);
    for (size_t i = news_.size(); i-- > 0;)
        if (news_[i] != host && !timelines_[news_[i]]->in_call)
            publish(news_[i]);
    Timeline &h = *timelines_[host];
    if (h.seen == published_version_)
        return;
    h.seen = published_version_;
    if (knowledge_.join(h.clock, published_, NO_KEY, NONE).changed)
        h.version++; // it learnt what is published already
}

// Clock of a timeline as work that is no programmatic dependent launch finds it.
const Clock &Pass::settled(u32 t) {
    Timeline &stream = *timelines_[t];
    for (; stream.joined < stream.chain; stream.joined++)
        knowledge_.join(stream.clock, timelines_[stream.forks[stream.joined]]->clock, NO_KEY, NONE);
    return stream.clock;
}

// Other work waits for the last kernel: what comes next is ordered after it.
void Pass::end_chain(Timeline &stream) {
    stream.before_kernel = NONE;
    stream.chain = stream.joined = 0;
    if (stream.chain_start)
        knowledge_.forget(*stream.chain_start);
    stream.chain_start.reset();
}

// What a stream learns holds for dependent launches too, though they do not wait for the kernel.
template <class From> Change Pass::stream_learns(u32 t, const From &from, u32 key, u64 by) {
    Timeline &stream = *timelines_[t];
    Change change;
    if (stream.before_kernel != NONE) {
        if (!stream.chain_start) {
            stream.chain_start = std::make_unique<Clock>();
            knowledge_.join(*stream.chain_start, stream.clock, NO_KEY, NONE);
            knowledge_.set_back(*stream.chain_start, t, stream.before_kernel);
        }
        change = knowledge_.join(*stream.chain_start, from, key, by);
    }
    const Change c = knowledge_.join(stream.clock, from, key, by);
    change.raised |= c.raised;
    change.changed |= c.changed;
    return change;
}

// A timeline for a kernel that does not wait for the kernels before it. Those before may be such
// kernels too: all of a chain start where the first kernel of it started.
u32 Pass::fork_of(u32 stream) {
    stream_learns(stream, Snapshot(), NO_KEY, NONE);
    Timeline *s = timelines_[stream].get();
    if (s->chain == s->forks.size()) {
        const u32 fork = add_timeline(s->actor, false, 0, s->device);
        timelines_[fork]->flags = s->flags;
        s->forks.push_back(fork);
    }
    const u32 fork = s->forks[s->chain++];
    knowledge_.join(timelines_[fork]->clock, *s->chain_start, NO_KEY, NONE);
    return fork;
}

// The timeline on which the op's device work runs; the host's if it has none.
u32 Pass::execution(const Op &op, const st_placement &place, u32 host) {
    if (!op.actor)
        return host;
    const u32 actor = op.actor;
    if (place.edges & (ST_AFTER_PEER | ST_AFTER_ACTOR | ST_ACTOR_WAITS) ||
        place.reads == ST_QUEUE || place.writes == ST_QUEUE) {
        auto [queue, fresh] = queues_.try_emplace(u64{op.peer} << 32 | op.actor, 0);
        if (fresh)
            queue->second = add_timeline(op.actor, false, 0, timelines_[actor]->device);
        return queue->second;
    }
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

void Pass::after_peers(const Op &op, const st_placement &place, Clock &to, u32 at) {
    auto after = [&](u32 edge, u32 actor) {
        if (place.edges & edge && actor && actor != at)
            knowledge_.join(to, settled(actor), key_of(op, place, edge), op.id);
    };
    after(ST_AFTER_PEER, op.peer);
    after(ST_AFTER_ACTOR, op.actor);
}

// The timelines that the legacy default stream's rule puts before work on this one: for the default
// stream those of its device that do not opt out, for one of those the default stream.
template <class Visit> void Pass::each_legacy(u32 at, Visit visit) {
    constexpr u32 ORDERED = BLOCKING | PER_THREAD;
    const Timeline &work = *timelines_[at];
    auto same_device = [&](u32 t) { return timelines_[t]->device == work.device; };
    if (work.flags & LEGACY) {
        for (u32 t = 0; t < timelines_.size(); t++)
            if (timelines_[t]->flags & ORDERED && t != at && same_device(t))
                visit(t);
    } else if (work.flags & ORDERED) {
        for (u32 t : legacy_)
            if (same_device(t))
                visit(t);
    }
}

// Edges that end at the start of the op's device work.
void Pass::before_work(const Op &op, const st_placement &place, u32 host, u32 at, Change &change,
                       bool &recorded) {
    if (at == host)
        return;
    Timeline &work = *timelines_[at];
    const Timeline &h = *timelines_[host];
    auto learn = [&](const auto &from, u32 key, u64 by) {
        const Change c = stream_learns(at, from, key, by);
        change.raised |= c.raised;
        change.changed |= c.changed;
    };
    if (place.edges & ST_LAUNCH && (work.launcher != host || work.launcher_version != h.version)) {
        // A wait that were not there would not tell the stream what its thread knows either.
        const u32 key = key_of(op, place, ST_LAUNCH);
        stream_learns(at, h.clock, key, NONE);
        if (key == NO_KEY) {
            work.launcher = host;
            work.launcher_version = h.version;
        }
    }
    after_peers(op, place, work.clock, at);
    if (place.edges & ST_LEGACY)
        each_legacy(at, [&](u32 t) { learn(settled(t), key_of(op, place, ST_LEGACY), NONE); });
    if (place.edges & ST_GRAPH_ORDER && op.graph) {
        const GraphEnd &end = graphs_[op.graph];
        if (end.timeline != NO_KEY && end.timeline != at)
            learn(end.snapshot, key_of(op, place, ST_GRAPH_ORDER), NONE);
    }
    if (place.edges & ST_OWNER_ALLOC)
        learn(owners_[owner_of(op)].closed, key_of(op, place, ST_OWNER_ALLOC), op.id);
    if (place.edges & ST_ACTOR_WAITS_EVENT) {
        const Snapshot &snapshot = events_[op.event];
        recorded &= snapshot.taken;
        learn(snapshot, key_of(op, place, ST_ACTOR_WAITS_EVENT), op.id);
    }
    if (config_.dependent && op.kind == KERNEL && at == op.actor)
        work.before_kernel = work.clock.at(at).upto;
}

// Edges that start at the end of the op's device work.
void Pass::after_work(const Op &op, const st_placement &place, u32 host, u32 at) {
    if (place.edges & ST_ACTOR_WAITS && op.actor && at != host) {
        settled(op.actor);
        stream_learns(op.actor, timelines_[at]->clock, key_of(op, place, ST_ACTOR_WAITS), op.id);
    }
    if (place.edges & ST_GRAPH_ORDER && op.graph) {
        GraphEnd &end = graphs_[op.graph];
        end.timeline = at;
        knowledge_.take(end.snapshot, timelines_[at]->clock);
    }
    if (place.edges & ST_RECORDS && op.actor)
        knowledge_.take(events_[op.event], settled(op.actor));
    if (place.edges & ST_SIGNALS)
        knowledge_.take(events_[op.event], timelines_[host]->clock);
    if (place.edges & ST_OWNER_RECORD && op.actor) {
        std::vector<u32> &actors = owners_[owner_of(op)].actors;
        if (std::find(actors.begin(), actors.end(), op.actor) == actors.end())
            actors.push_back(op.actor);
    }
    if (place.edges & ST_OWNER_FREE) {
        Owner &owner = owners_[owner_of(op)];
        owner.unsure = owner.losses != losses_;
        owner.losses = losses_;
        Clock closed;
        for (u32 actor : owner.actors)
            knowledge_.join(closed, settled(actor), key_of(op, place, ST_OWNER_FREE), NONE);
        owner.actors.clear();
        knowledge_.take(owner.closed, closed);
        knowledge_.forget(closed);
    }
}

} // namespace synctrace

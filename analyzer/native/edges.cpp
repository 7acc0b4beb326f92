#include "flags.h"
#include "sources.h"

namespace synctrace {

// Owner of the first block named: caching allocators are asked for one block a call.
u32 Pass::owner_of(const Op &op) {
    return op.accesses && op.access[0] < ranges_.count() ? ranges_.bytes(op.access[0]).storage : 0;
}

u32 Pass::key_of(const Op &op, const st_placement &place, u32 edge) {
    if (config_.keys == ST_SITES && place.judged)
        return needs.key(op.site);
    if (const u32 habits = place.habit_edges & edge; config_.keys == ST_HABITS && habits)
        return place.habit * 32 + u32(__builtin_ctz(habits));
    if (config_.keys == ST_EDGES && place.edges & edge)
        return place.habit * 32 + u32(__builtin_ctz(place.edges & edge));
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
    after_others(op, place, host, at, [&](const Clock &from, u32 key) { learn(from, key, op.id); });
    if (place.edges & ST_LEGACY && place.edges & ST_LAUNCH)
        each_legacy(at, host,
                    [&](u32 t) { learn(settled(t), key_of(op, place, ST_LEGACY), NONE); });
    if (place.edges & ST_LEGACY_OF_PEER && op.peer) {
        const u32 key = key_of(op, place, ST_LEGACY_OF_PEER);
        const u32 legacy = legacy_of(timelines_[op.peer]->device);
        auto after = [&](u32 t) {
            if (t != at)
                learn(settled(t), key, op.id);
        };
        after(view(legacy, host));
        each_legacy(legacy, host, after);
    }
    if (place.edges & ST_GRAPH_ORDER && op.graph && config_.issue != ST_BY_TICKET) {
        learn(settled(view(launches_of(op.graph), host)), key_of(op, place, ST_GRAPH_ORDER), NONE);
    } else if (place.edges & ST_GRAPH_ORDER && op.graph) {
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
    if (history_)
        note_start(op, place, host, at);
    if (config_.dependent && op.kind == KERNEL && at == view(op.actor, host)) {
        work.before_kernel = work.clock.at(at).upto;
        work.kernel = op.id;
    }
    if (starts_ && op.kind == KERNEL)
        knowledge_.take(timelines_[view(op.actor, host)]->start, work.clock);
}

// The event stands for what the clock knows; `adds`: and for what it stood for before.
void Pass::stand_for(u32 event, const Clock &clock, u32 key, bool adds) {
    Snapshot &snapshot = events_[event];
    if (!adds && key == NO_KEY) {
        knowledge_.take(snapshot, clock);
        return;
    }
    Clock all;
    if (adds)
        knowledge_.join(all, snapshot, NO_KEY, NONE);
    knowledge_.join(all, clock, key, NONE);
    knowledge_.take(snapshot, all);
    knowledge_.forget(all);
}

// The event stands for what the stream's last kernel came after, whatever else has come since.
void Pass::record_start(const Op &op, const st_placement &place, u32 host) {
    const u32 stream = view(op.actor, host);
    const Snapshot &start = timelines_[stream]->start;
    const u32 key = key_of(op, place, ST_RECORDS_START);
    if (!start.taken) {
        stand_for(op.event, before_last_kernel(stream), key, false);
        return;
    }
    Clock all;
    knowledge_.join(all, start, NO_KEY, NONE);
    if (place.edges & ST_LAUNCH)
        knowledge_.join(all, timelines_[host]->clock, NO_KEY, NONE);
    stand_for(op.event, all, key, false);
    knowledge_.forget(all);
}

// Edges that start at the end of the op's device work.
void Pass::after_work(const Op &op, const st_placement &place, u32 host, u32 at) {
    const Clock &end = timelines_[at]->clock; // a host's if there is no device work
    auto waits = [&](u32 edge, u32 stream) {
        if (!(place.edges & edge) || at == host || timelines_[stream]->host)
            return;
        const u32 t = view(stream, host);
        if (t == at)
            return;
        settled(t);
        stream_learns(t, end, key_of(op, place, edge), op.id);
    };
    waits(ST_ACTOR_WAITS, op.actor);
    waits(ST_PEER_WAITS, op.peer);
    if (place.edges & ST_DEVICES_WAIT)
        each_stream_of_devices(op, [&](u32 t) { waits(ST_DEVICES_WAIT, t); });
    if (place.edges & ST_LEGACY_OF_PEER && op.peer)
        waits(ST_LEGACY_OF_PEER, legacy_of(timelines_[op.peer]->device));
    if (place.edges & ST_GRAPH_ORDER && op.graph && config_.issue != ST_BY_TICKET) {
        const u32 launches = view(launches_of(op.graph), host);
        knowledge_.join(timelines_[launches]->clock, end, NO_KEY, NONE);
    } else if (place.edges & ST_GRAPH_ORDER && op.graph) {
        GraphEnd &graph = graphs_[op.graph];
        graph.timeline = at;
        knowledge_.take(graph.snapshot, end);
    }
    if (place.edges & ST_RECORDS && op.actor)
        stand_for(op.event, settled(view(op.actor, host)), key_of(op, place, ST_RECORDS), false);
    if (place.edges & ST_RECORDS_START && op.actor)
        record_start(op, place, host);
    for (const u32 edge : {u32(ST_SIGNALS), u32(ST_RELEASES)})
        if (place.edges & edge)
            stand_for(op.event, end, key_of(op, place, edge), edge == ST_RELEASES);
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
            knowledge_.join(closed, settled(view(actor, host)), key_of(op, place, ST_OWNER_FREE),
                            NONE);
        owner.actors.clear();
        knowledge_.take(owner.closed, closed);
        knowledge_.forget(closed);
    }
}

} // namespace synctrace

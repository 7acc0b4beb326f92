#include "flags.h"
#include "pass.h"

namespace synctrace {

// The op's accesses that happen at this place.
void Pass::touch_all(const Op &op, const st_placement &place, u8 where, u32 timeline) {
    if (place.reads != where && place.writes != where)
        return;
    bool any = false;
    each_access(op, [&](u32 access) {
        const Range &range = ranges_[access];
        const bool reads = range.reads && place.reads == where;
        const bool writes = range.writes && place.writes == where;
        if (!reads && !writes)
            return;
        any = true;
        touch({&op, access, timeline, reads, writes});
        if (place.results && writes && range.result && where != ST_HOST) {
            std::vector<Result> &results = timelines_[timeline]->results;
            if (results.empty() && std::find(result_timelines_.begin(), result_timelines_.end(),
                                             timeline) == result_timelines_.end())
                result_timelines_.push_back(timeline);
            results.push_back({op.id + 1, access});
        }
    });
    if (!any)
        return;
    timelines_[timeline]->clock.advance(timeline, op.id + 1);
    if (timelines_[timeline]->host)
        told(timeline);
}

void Pass::touch(const Touch &t) {
    stats.accesses++;
    needs.tail.clear();
    if (ranges_[t.access].extent == ST_EVERYTHING) {
        check(t, everything_, SUB_WRITE, SUB_READ);
        mark(t, everything_, true);
        return;
    }
    for (const Cover *c = ranges_.begin(t.access); c != ranges_.end(t.access); c++)
        touch_tree(t, *c);
    if (ranges_.has_everything()) {
        check(t, everything_, OWN_WRITE, OWN_READ);
        mark(t, everything_, false);
    }
}

// The parts of a node hold what was done below it, the nodes above it what was done to all of them.
void Pass::touch_tree(const Touch &t, const Cover &cover) {
    Node *tree = nodes_.data() + cover.base - 1;
    check(t, tree[cover.node], SUB_WRITE, SUB_READ);
    mark(t, tree[cover.node], true);
    for (u32 above = cover.node >> 1; above; above >>= 1) {
        check(t, tree[above], OWN_WRITE, OWN_READ);
        mark(t, tree[above], false);
    }
}

void Pass::mark(const Touch &t, Node &node, bool own) {
    const u32 i = marks_.find(node, t.timeline);
    Mark &mark = node.marks[i];
    Origin *origins = node.origins(i);
    const u64 position = t.op->id + 1;
    const Origin origin{t.op->site, t.access};
    auto set = [&](Slot slot) {
        mark.at[slot] = position;
        origins[slot] = origin;
    };
    if (t.writes) {
        set(SUB_WRITE);
        if (own)
            set(OWN_WRITE);
    }
    if (t.reads) {
        set(SUB_READ);
        if (own)
            set(OWN_READ);
    }
}

void Pass::check(const Touch &t, const Node &node, Slot write, Slot read) {
    for (u32 i = 0; i < node.size; i++) {
        const Mark &mark = node.marks[i];
        if (mark.timeline == t.timeline)
            continue;
        if (mark.at[write])
            judge(t, mark.timeline, mark.at[write], node.origins(i)[write],
                  t.reads ? ST_READ_AFTER_WRITE : ST_WRITE_AFTER_WRITE);
        if (t.writes && mark.at[read])
            judge(t, mark.timeline, mark.at[read], node.origins(i)[read], ST_WRITE_AFTER_READ);
    }
}

void Pass::judge(const Touch &t, u32 timeline, u64 position, Origin origin, u8 hazard) {
    const Known &known = timelines_[t.timeline]->clock.at(timeline);
    if (position > known.upto)
        race(t, known, timeline, position, origin, hazard);
    else if (known.alt && position > known.alt->lowest)
        need(t, known.alt, position, origin, hazard);
}

// The order of this pair hangs on each sync without which less than the position is known.
void Pass::need(const Touch &t, Alternatives *alt, u64 position, Origin origin, u8 hazard) {
    for (const Alternative &a : *alt) {
        if (a.level >= position)
            continue;
        if (config_.keys == ST_SITES)
            needs.sites[a.key].needed++;
        else
            hidden.add(origin.site, t.op->site, ranges_[t.access].storage, a.key, hazard);
    }
}

void Pass::race(const Touch &t, const Known &known, u32 timeline, u64 position, Origin origin,
                u8 hazard) {
    if (position == t.op->id + 1)
        return; // one op's host and device parts are no pair
    // Earlier pairs on that timeline may be ordered by what is known: keep the syncs that give it.
    if (known.alt && config_.keys == ST_SITES)
        need(t, known.alt, known.upto, origin, hazard);
    const Range &a = ranges_[origin.access], &b = ranges_[t.access];
    st_conflict c = {};
    c.first_op = position - 1;
    c.second_op = t.op->id;
    c.known_op = known.upto ? known.upto - 1 : ST_NONE;
    c.present_op = known.upto ? known.by : ST_NONE;
    c.first_access = origin.access;
    c.second_access = t.access;
    c.first_site = origin.site;
    c.second_site = t.op->site;
    c.first_actor = timelines_[timeline]->actor;
    c.second_actor = timelines_[t.timeline]->actor;
    c.hazard = hazard;
    if (a.extent == ST_EVERYTHING || b.extent == ST_EVERYTHING) {
        const Range &known_range = a.extent == ST_EVERYTHING ? b : a;
        c.lo = known_range.lo;
        c.hi = known_range.hi;
        c.storage = known_range.storage;
    } else {
        c.lo = std::max(a.lo, b.lo);
        c.hi = std::min(a.hi, b.hi);
        c.storage = b.storage;
    }
    if (c.first_op > c.second_op) {
        // The later call had returned before the earlier one touched the bytes.
        std::swap(c.first_op, c.second_op);
        std::swap(c.first_access, c.second_access);
        std::swap(c.first_site, c.second_site);
        std::swap(c.first_actor, c.second_actor);
        c.known_op = c.present_op = ST_NONE;
        if (hazard != ST_WRITE_AFTER_WRITE)
            c.hazard = u8(ST_READ_AFTER_WRITE + ST_WRITE_AFTER_READ - hazard);
    }
    conflicts.add(c);
}

// A freed storage comes back as another: only its free itself can still be met.
void Pass::drop(const Op &op) {
    if (op.kind != FREE && op.kind != FREE_HOST && op.kind != FREE_ASYNC)
        return;
    for (u64 i = 0; i < op.accesses; i++) {
        const u32 access = op.access[i];
        if (access >= ranges_.count() || ranges_[access].extent != ST_WHOLE ||
            !ranges_[access].writes)
            continue;
        for (const Cover *c = ranges_.begin(access); c != ranges_.end(access); c++) {
            const Tree tree = ranges_.tree(c->base);
            Node &root = nodes_[tree.base];
            u32 timeline = NO_KEY;
            for (u32 k = 0; k < root.size; k++)
                if (root.marks[k].at[OWN_WRITE] == op.id + 1)
                    timeline = root.marks[k].timeline;
            for (u32 n = 0; n < tree.nodes; n++)
                marks_.clear(nodes_[tree.base + n]);
            if (timeline != NO_KEY)
                mark({&op, access, timeline, false, true}, root, true);
        }
    }
}

// The host reads, at this op's return, the results it now knows to be there.
void Pass::read_results(const Op &op, u32 host, const Clock &covered) {
    bool any = false;
    for (u32 t : result_timelines_) {
        Timeline &device = *timelines_[t];
        const u64 upto = covered.at(t).upto;
        while (device.results_read < device.results.size() &&
               device.results[device.results_read].position <= upto) {
            touch({&op, device.results[device.results_read++].access, host, true, false});
            any = true;
        }
        if (device.results_read == device.results.size() && device.results_read) {
            device.results.clear();
            device.results_read = 0;
        }
    }
    if (!any)
        return;
    timelines_[host]->clock.advance(host, op.id + 1);
    told(host);
}

// A sync left out on purpose orders nothing, but the host reads the results as if it were there.
void Pass::read_skipped(const Op &op) {
    Clock covered;
    host_sources(op, placement(op),
                 [&](const auto &from, u32) { knowledge_.join(covered, from, NO_KEY, NONE); });
    read_results(op, timeline_of(op.thread, true), covered);
    knowledge_.forget(covered);
}

} // namespace synctrace

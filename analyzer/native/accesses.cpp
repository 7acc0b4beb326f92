#include "sources.h"

namespace synctrace {

void Pass::mark(const Touch &t, Node &node, u32 index, bool own) {
    Mark &mark = node.marks[index];
    Origin *origins = node.origins(index);
    const Origin origin{t.site, t.access};
    auto set = [&](Slot slot) {
        mark.at[slot] = t.position;
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

void Pass::touch(const Touch &t, const Reach &reach) {
    Node &node = nodes_[reach.first.at];
    if (reach.alone && node.size == 1 && node.marks->timeline == t.timeline) {
        mark(t, node, 0, false); // nobody else has been there: by far the most
        return;
    }
    if (reach.extent == ST_EVERYTHING) {
        visit(t, everything_, SUB_WRITE, SUB_READ, true);
        return;
    }
    if (reach.covers)
        touch_node(t, reach.first);
    const Cover *others = ranges_.others(reach);
    for (u32 i = 0; i < reach.others; i++)
        touch_node(t, others[i]);
    if (ranges_.has_everything())
        visit(t, everything_, OWN_WRITE, OWN_READ, false);
}

// The op's accesses that happen at this place and moment; `known`: before them, if not what the
// timeline knows.
void Pass::touch_all(const Op &op, const st_placement &place, u8 where, u32 timeline,
                     const Clock *known, Moment moment) {
    const bool reads_here = place.reads == where, writes_here = place.writes == where;
    if (!reads_here && !writes_here)
        return;
    Timeline &here = *timelines_[timeline];
    const u64 position = position_of(op.id, moment);
    Touch t{position, op.site, 0, timeline, false, false, known ? known : &here.clock};
    bool any = false;
    each_access(op, [&](u32 access) {
        const Reach &reach = ranges_[access];
        t.access = access;
        t.reads = reads_here && reach.reads;
        t.writes = writes_here && reach.writes;
        if (!t.reads && !t.writes)
            return;
        any = true;
        stats.accesses++;
        touch(t, reach);
        const bool result = place.results && t.writes && reach.result;
        const bool source = place.rewrites && t.reads && reach.source;
        if ((result || source) && where != ST_HOST) {
            if (here.results.empty() &&
                std::find(result_timelines_.begin(), result_timelines_.end(), timeline) ==
                    result_timelines_.end())
                result_timelines_.push_back(timeline);
            here.results.push_back({position, access, source});
        }
    });
    if (!any)
        return;
    needs.tail.clear();
    all_known_ = false;
    here.clock.advance(timeline, position);
    if (here.host)
        told(timeline);
}

// The nodes of the accesses that come soon, while those before them are judged.
void Pass::prefetch(const u32 *access, const u32 *end) const {
    constexpr long FAR = 24, NEAR = 12, NEXT = 6;
    const u64 count = ranges_.count();
    if (end - access > FAR && access[FAR] < count)
        __builtin_prefetch(&ranges_[access[FAR]]);
    if (end - access > NEAR && access[NEAR] < count)
        __builtin_prefetch(&nodes_[ranges_[access[NEAR]].first.at]);
    if (end - access > NEXT && access[NEXT] < count) {
        const Mark *marks = nodes_[ranges_[access[NEXT]].first.at].marks;
        __builtin_prefetch(marks);
        __builtin_prefetch(marks + 1);
    }
}

// The parts of a node hold what was done below it, the nodes above it what was done to all of them.
void Pass::touch_node(const Touch &t, const Cover &cover) {
    Node &node = nodes_[cover.at];
    if (cover.tree == NO_TREE) {
        visit(t, node, SUB_WRITE, SUB_READ, false);
        return;
    }
    Tree &tree = ranges_.tree(cover.tree);
    if (tree.toucher == NOBODY)
        tree.toucher = t.timeline;
    if (tree.toucher != t.timeline && tree.toucher != SEVERAL) {
        fill(tree);
        tree.toucher = SEVERAL;
    }
    visit(t, node, SUB_WRITE, SUB_READ, true);
    if (tree.toucher != SEVERAL)
        return;
    Node *root = nodes_.data() + tree.base - 1;
    for (u32 above = (cover.at - tree.base + 1) >> 1; above; above >>= 1)
        visit(t, root[above], OWN_WRITE, OWN_READ, false);
}

// A second timeline comes: the nodes above those marked get to know what is below them.
void Pass::fill(const Tree &tree) {
    Node *root = nodes_.data() + tree.base - 1;
    for (u32 h = tree.nodes; h > 1; h--) {
        const Node &node = root[h];
        if (!node.size)
            continue;
        Node &above = root[h >> 1];
        if (!above.size)
            marks_.add(above, tree.toucher);
        for (const Slot slot : {SUB_WRITE, SUB_READ})
            if (node.marks[0].at[slot] > above.marks[0].at[slot]) {
                above.marks[0].at[slot] = node.marks[0].at[slot];
                above.origins(0)[slot] = node.origins(0)[slot];
            }
    }
}

// Judge the access against what others did to the node, and mark it there.
void Pass::visit(const Touch &t, Node &node, Slot write, Slot read, bool own) {
    u32 mine = NO_KEY;
    for (u32 i = 0; i < node.size; i++) {
        const Mark &other = node.marks[i];
        if (other.timeline == t.timeline) {
            mine = i;
            continue;
        }
        if (other.at[write])
            judge(t, other.timeline, other.at[write], node.origins(i)[write],
                  t.reads ? ST_READ_AFTER_WRITE : ST_WRITE_AFTER_WRITE);
        if (t.writes && other.at[read])
            judge(t, other.timeline, other.at[read], node.origins(i)[read], ST_WRITE_AFTER_READ);
    }
    mark(t, node, mine != NO_KEY ? mine : marks_.add(node, t.timeline), own);
}

namespace {

// With the second access as the first.
u8 turned(u8 hazard) {
    return hazard == ST_WRITE_AFTER_WRITE ? hazard
                                          : u8(ST_READ_AFTER_WRITE + ST_WRITE_AFTER_READ - hazard);
}

// The later call may have returned before the earlier one touched the bytes. Whether it did.
template <class Pair> bool in_trace_order(Pair &p) {
    if (p.first_op <= p.second_op)
        return false;
    std::swap(p.first_op, p.second_op);
    std::swap(p.first_access, p.second_access);
    std::swap(p.first_site, p.second_site);
    std::swap(p.first_actor, p.second_actor);
    p.hazard = turned(p.hazard);
    return true;
}

} // namespace

// The order of this pair hangs on each sync without which less than the position is known.
void Pass::need(const Touch &t, Alternatives *alt, u32 timeline, u64 position, const Origin &origin,
                u8 hazard) {
    if (in_gap_)
        return;
    for (const Alternative &a : *alt) {
        if (a.level >= position)
            continue;
        if (config_.keys == ST_HABITS)
            hidden.add(origin.site, t.site, ranges_.bytes(t.access).storage, a.key, hazard);
        else
            need_site(t, a, timeline, position, origin, hazard);
    }
}

void Pass::need_site(const Touch &t, const Alternative &a, u32 timeline, u64 position,
                     const Origin &origin, u8 hazard) {
    st_need &site = needs.sites[a.key];
    site.needed++;
    if (!config_.keep_needed)
        return;
    const u32 storage = storage_of(origin.access, t.access);
    auto pair = [&] {
        st_needed_pair p = {};
        p.first_op = op_of(position);
        p.second_op = t.op();
        p.sync_op = a.op;
        p.sync_site = site.site;
        p.storage = storage;
        p.first_site = origin.site;
        p.second_site = t.site;
        p.first_access = origin.access;
        p.second_access = t.access;
        p.first_actor = timelines_[timeline]->actor;
        p.second_actor = timelines_[t.timeline]->actor;
        p.hazard = hazard;
        in_trace_order(p);
        return p;
    };
    if (op_of(position) > t.op())
        needed.add(a.key, t.site, origin.site, storage, turned(hazard), op_of(position), pair);
    else
        needed.add(a.key, origin.site, t.site, storage, hazard, t.op(), pair);
}

// Whose bytes two accesses share: of one to everything, those of the other.
u32 Pass::storage_of(u32 first, u32 second) const {
    const bool any = ranges_.has_everything() && ranges_[second].extent == ST_EVERYTHING;
    return ranges_.bytes(any ? first : second).storage;
}

void Pass::race(const Touch &t, const Known &known, u32 timeline, u64 position,
                const Origin &origin, u8 hazard) {
    const bool same = op_of(position) == t.op(); // host and device part of one op are no pair
    if (same || in_gap_)
        return;
    // Earlier pairs on that timeline may be ordered by what is known: keep the syncs that give it.
    if (known.alt && config_.keys == ST_SITES)
        for (const Alternative &a : *known.alt)
            needs.sites[a.key].needed++;
    const Bytes &a = ranges_.bytes(origin.access), &b = ranges_.bytes(t.access);
    const bool a_everything = ranges_[origin.access].extent == ST_EVERYTHING;
    const bool b_everything = ranges_[t.access].extent == ST_EVERYTHING;
    st_conflict c = {};
    c.first_op = op_of(position);
    c.second_op = t.op();
    c.known = known.upto;
    c.known_op = known.upto ? op_of(known.upto) : ST_NONE;
    c.present_op = known.upto ? known.by : ST_NONE;
    c.first_access = origin.access;
    c.second_access = t.access;
    c.first_site = origin.site;
    c.second_site = t.site;
    c.first_actor = timelines_[timeline]->actor;
    c.second_actor = timelines_[t.timeline]->actor;
    c.hazard = hazard;
    if (a_everything || b_everything) {
        const Bytes &bytes = a_everything ? b : a;
        c.lo = bytes.lo;
        c.hi = bytes.hi;
    } else {
        c.lo = std::max(a.lo, b.lo);
        c.hi = std::min(a.hi, b.hi);
    }
    c.storage = storage_of(origin.access, t.access);
    if (in_trace_order(c))
        c.known_op = c.present_op = ST_NONE;
    conflicts.add(c);
}

} // namespace synctrace

#include "sources.h"

namespace synctrace {

// Work that starts at the call, whatever its stream has still to do, and that the stream's later
// work comes after. It is judged by what the thread knows, also against the stream's own marks,
// all of it before it leaves marks of its own; it counts as done on the stream.
void Pass::touch_loose(const Op &op, const st_placement &place, u32 host, u32 at) {
    if (at == host) {
        touch_all(op, place, ST_LOOSE, host);
        return;
    }
    Touch t{position_of(op.id, ENTERED), op.site, 0, at, false, false, &timelines_[host]->clock};
    each_access(op, [&](u32 access) {
        const Reach &reach = ranges_[access];
        t.access = access;
        t.reads = place.reads == ST_LOOSE && reach.reads;
        t.writes = place.writes == ST_LOOSE && reach.writes;
        if (t.reads || t.writes)
            judge_loose(t, reach);
    });
    for (u32 known = u32(timelines_.size()); known-- && !omniscient_.at(known).upto;)
        omniscient_.advance(known, NONE);
    touch_all(op, place, ST_LOOSE, at, &omniscient_);
}

void Pass::judge_loose(const Touch &t, const Reach &reach) {
    if (reach.extent == ST_EVERYTHING) {
        judge_marks(t, everything_, SUB_WRITE, SUB_READ);
        return;
    }
    if (reach.covers)
        judge_loose_node(t, reach.first);
    const Cover *others = ranges_.others(reach);
    for (u32 i = 0; i < reach.others; i++)
        judge_loose_node(t, others[i]);
    if (ranges_.has_everything())
        judge_marks(t, everything_, OWN_WRITE, OWN_READ);
}

// Even a tree that the stream alone has touched is one of several timelines to it.
void Pass::judge_loose_node(const Touch &t, const Cover &cover) {
    if (cover.tree == NO_TREE) {
        judge_marks(t, nodes_[cover.at], SUB_WRITE, SUB_READ);
        return;
    }
    Tree &tree = ranges_.tree(cover.tree);
    if (tree.toucher == NOBODY)
        return;
    if (tree.toucher != SEVERAL) {
        fill(tree);
        tree.toucher = SEVERAL;
    }
    judge_marks(t, nodes_[cover.at], SUB_WRITE, SUB_READ);
    const Node *root = nodes_.data() + tree.base - 1;
    for (u32 above = (cover.at - tree.base + 1) >> 1; above; above >>= 1)
        judge_marks(t, root[above], OWN_WRITE, OWN_READ);
}

void Pass::judge_marks(const Touch &t, const Node &node, Slot write, Slot read) {
    for (u32 i = 0; i < node.size; i++) {
        const Mark &other = node.marks[i];
        if (other.at[write])
            judge(t, other.timeline, other.at[write], node.origins(i)[write],
                  t.reads ? ST_READ_AFTER_WRITE : ST_WRITE_AFTER_WRITE);
        if (t.writes && other.at[read])
            judge(t, other.timeline, other.at[read], node.origins(i)[read], ST_WRITE_AFTER_READ);
    }
}

} // namespace synctrace

#include "pass.h"

namespace synctrace {

// Nothing was done to these bytes, or by this timeline alone.
void Pass::clear(const Cover &cover, u32 toucher) {
    if (cover.tree == NO_TREE) {
        marks_.clear(nodes_[cover.at]);
        return;
    }
    Tree &tree = ranges_.tree(cover.tree);
    for (u32 n = 0; n < tree.nodes; n++)
        marks_.clear(nodes_[tree.base + n]);
    tree.toucher = toucher == NO_KEY ? NOBODY : toucher;
}

// The storages that a call frees or hands out: visit(access, reach).
template <class Visit> void Pass::each_life(const Op &op, Visit visit) {
    each_access(op, [&](u32 access) {
        const Reach &reach = ranges_[access];
        if (reach.extent == ST_WHOLE && reach.writes && reach.covers)
            visit(access, reach);
    });
}

// A freed storage comes back as another: only its free itself can still be met.
void Pass::drop(const Op &op, const st_placement &place) {
    auto leave_free = [&](u32 access, const Cover &cover) {
        u32 timeline = NO_KEY;
        u64 position = 0;
        Node &node = nodes_[cover.at];
        for (u32 i = 0; i < node.size; i++)
            if (const u64 at = node.marks[i].at[SUB_WRITE]; at && op_of(at) == op.id) {
                timeline = node.marks[i].timeline;
                position = at;
            }
        clear(cover, timeline);
        if (timeline == NO_KEY)
            return;
        const Touch free{position, op.site, access, timeline, false, true, nullptr};
        mark(free, node, marks_.add(node, timeline), true);
    };
    each_life(op, [&](u32 access, const Reach &reach) {
        leave_free(access, reach.first);
        for (u32 i = 0; i < reach.others; i++)
            leave_free(access, ranges_.others(reach)[i]);
        if (place.pool)
            pooled_.insert(ranges_.bytes(access).storage);
    });
}

// A pool hands out again what was given back to it: that the free is over for who gets the block is
// its promise. That orders nothing else, so what was done in the block's last life is forgotten.
void Pass::revive(const Op &op) {
    each_life(op, [&](u32 access, const Reach &reach) {
        if (!pooled_.erase(ranges_.bytes(access).storage))
            return;
        clear(reach.first, NO_KEY);
        for (u32 i = 0; i < reach.others; i++)
            clear(ranges_.others(reach)[i], NO_KEY);
    });
}

} // namespace synctrace

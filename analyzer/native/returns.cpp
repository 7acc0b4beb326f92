#include "flags.h"
#include "pass.h"
#include "sources.h"

namespace synctrace {

// Another call is entered before this one returns. What it waits for is bound now, except signals:
// they may come while the call waits for them.
void Pass::return_later(const Op &op, const st_placement &place, bool recorded,
                        const Change &change) {
    Return &later = returns_.emplace(op.ticket_r, Return())->second;
    later.op = op;
    later.place = place;
    later.change = change;
    st_placement bound = place;
    bound.edges &= ~u32(ST_HOST_WAITS_SIGNAL);
    later.recorded = host_sources(op, bound, [&](const auto &from, u32 key) {
        auto source = std::find_if(later.sources.begin(), later.sources.end(),
                                   [&](const Return::Source &s) { return s.key == key; });
        if (source == later.sources.end())
            source = later.sources.insert(source, {key, Clock()});
        knowledge_.join(source->clock, from, NO_KEY, NONE);
    });
    later.recorded &= recorded;
    later.accesses.assign(op.access, op.access + op.accesses);
    later.op.access = later.accesses.data();
    timelines_[op.thread]->in_call++;
}

// R of the calls that have returned by then.
void Pass::return_until(u64 ticket) {
    while (!returns_.empty() && returns_.begin()->first < ticket) {
        Return &r = returns_.begin()->second;
        const u32 host = r.op.thread;
        auto join = [&](const auto &from, u32 key) {
            tell(host, r.op, r.place, from, key, r.change);
        };
        for (Return::Source &source : r.sources) {
            join(source.clock, source.key);
            knowledge_.forget(source.clock);
        }
        if (r.place.edges & ST_HOST_WAITS_SIGNAL) {
            st_placement signal = r.place;
            signal.edges &= ST_HOST_WAITS_SIGNAL;
            r.recorded &= host_sources(r.op, signal, join);
        }
        timelines_[host]->in_call--;
        leave(r.op, r.place, r.recorded, r.change);
        returns_.erase(returns_.begin());
    }
}

// What remains to be done when the host has what it waited for.
void Pass::leave(const Op &op, const st_placement &place, bool recorded, const Change &change) {
    const bool waits = place.edges & HOST_WAITS;
    if (config_.issue == ST_BY_RETURN && is_issue(op, place)) {
        timelines_[op.thread]->returned_issue = position_of(op.id, ENTERED);
        returned_version_++;
    }
    if (history_)
        note_return(op, place);
    if (waits) {
        const u32 host = op.thread;
        if (change.changed)
            told(host);
        read_results(op, host, timelines_[host]->clock, RETURNED);
        if ((place.reads == ST_HOST || place.writes == ST_HOST) && !source_first(place))
            touch_all(op, place, ST_HOST, host, nullptr, RETURNED);
        if (place.frees)
            drop(op, place);
    }
    if (!place.judged || config_.keys != ST_SITES)
        return;
    const u32 key = needs.key(op.site);
    st_need &need = needs.sites[key];
    need.instances++;
    need.blocked_ns += op.blocked_ns;
    need.first_op = std::min(need.first_op, op.id);
    need.last_op = std::max(need.last_op, op.id);
    if (!recorded)
        need.unrecorded++;
    else if (!change.raised)
        need.implied++;
    if (recorded && (change.raised || change.completes))
        needs.tail.push_back(key);
}

} // namespace synctrace

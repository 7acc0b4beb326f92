#include "pass.h"
#include "sources.h"

namespace synctrace {

// The host touches, when it has what this op waits for, what it now knows to be done with: it reads
// results, and rewrites the sources of copies.
void Pass::read_results(const Op &op, u32 host, const Clock &covered, Moment moment) {
    const u64 position = position_of(op.id, moment);
    bool any = false;
    for (u32 t : result_timelines_) {
        Timeline &device = *timelines_[t];
        const u64 upto = covered.at(t).upto;
        while (device.results_read < device.results.size() &&
               device.results[device.results_read].position <= upto) {
            const Result &done = device.results[device.results_read++];
            touch({position, op.site, done.access, host, !done.source, done.source,
                   &timelines_[host]->clock},
                  ranges_[done.access]);
            any = true;
        }
        if (device.results_read == device.results.size() && device.results_read) {
            device.results.clear();
            device.results_read = 0;
        }
    }
    if (!any)
        return;
    needs.tail.clear();
    all_known_ = false;
    timelines_[host]->clock.advance(host, position);
    told(host);
}

// A sync left out on purpose orders nothing, but the host reads the results as if it were there.
void Pass::read_skipped(const Op &op) {
    Clock covered;
    const st_placement place = placement(op);
    auto cover = [&](const auto &from, u32) { knowledge_.join(covered, from, NO_KEY, NONE); };
    stream_sources(op, place, ST_HOST_WAITS_PRIOR, cover);
    host_sources(op, place, cover);
    observe(op.thread, false);
    read_results(op, op.thread, covered, ENTERED);
    knowledge_.forget(covered);
    if (hosts_ > 1 && !config_.strict)
        return_later(op, {}, true, {}); // until then other threads do not know of the reads
}

} // namespace synctrace

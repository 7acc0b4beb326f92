#include "sources.h"

namespace synctrace {

// By which a stream's later work, whoever gives it, comes to be after the op.
constexpr u32 ISSUES = ST_LAUNCH | ST_AFTER_PEER | ST_AFTER_ACTOR | ST_AFTER_DEVICES |
                       ST_ACTOR_WAITS | ST_PEER_WAITS | ST_DEVICES_WAIT | ST_ACTOR_WAITS_EVENT |
                       ST_OWNER_ALLOC;

// Unless by ticket alone, a stream of several threads is one timeline a thread, its view: what that
// thread has given to it, after what it knows that others have given to it before. Who knows of an
// issue knows where the stream was then, and so what work given to it later is after.
void Pass::share(u32 stream) {
    timelines_[stream]->shared = u32(views_.size());
    views_.emplace_back();
}

u32 Pass::view_of(u32 stream, u32 host) {
    const Timeline &base = *timelines_[stream];
    if (base.issuer != NO_KEY)
        return stream;
    std::vector<u32> &views = views_[base.shared];
    auto found = std::find_if(views.begin(), views.end(),
                              [&](u32 t) { return timelines_[t]->issuer == host; });
    if (found == views.end()) {
        const u32 t = add_timeline(base.actor, false, 0, base.device);
        timelines_[t]->flags = base.flags;
        timelines_[t]->shared = base.shared;
        timelines_[t]->issuer = host;
        found = views.insert(views.end(), t);
    }
    const u32 t = *found;
    if (std::find(viewed_.begin(), viewed_.end(), t) == viewed_.end()) {
        catch_up(t, host);
        viewed_.push_back(t);
    }
    return t;
}

// The launches of a graph, in order like work of a stream: which thread comes first is not known.
u32 Pass::launches_of(u32 graph) {
    auto [launches, fresh] = launches_.try_emplace(graph, 0);
    if (fresh) {
        launches->second = add_timeline(0, false, 0, -1);
        share(launches->second);
    }
    return launches->second;
}

bool Pass::gives_work(const Op &op, const st_placement &place) const {
    if (place.edges & ST_GRAPH_ORDER && op.graph)
        return true;
    return op.actor && place.edges & ISSUES &&
           (timelines_[op.actor]->shared != NO_KEY || timelines_[op.peer]->shared != NO_KEY);
}

// From now on, what the thread tells includes that it has made this call.
void Pass::begin_issue(const Op &op) {
    if (timelines_[op.thread]->issue == NO_KEY) {
        const u32 t = add_timeline(0, true, 0, -1);
        timelines_[op.thread]->issue = t;
    }
    Timeline &host = *timelines_[op.thread];
    host.clock.advance(host.issue, position_of(op.id, ENTERED));
    host.version++;
    host.issues_told++;
}

void Pass::end_issue(const Op &op) {
    for (const u32 t : viewed_) {
        Timeline &stream = *timelines_[t];
        stream.issues.push_back({position_of(op.id, ENTERED), {}, {}});
        Issue &issue = stream.issues.back();
        knowledge_.take(issue.end, settled(t));
        if (config_.dependent)
            knowledge_.take(issue.start, before_last_kernel(t));
        issues_++;
    }
    if (issues_ >= sweep_at_)
        sweep_issues();
}

// What other threads are known to have given to the stream.
void Pass::catch_up(u32 t, u32 host) {
    Timeline &own = *timelines_[t];
    const Timeline &h = *timelines_[host];
    const u64 version = h.version - h.issues_told + returned_version_ + 1;
    if (own.caught_up == version)
        return;
    own.caught_up = version;
    for (const u32 other : views_[own.shared]) {
        const Timeline &from = *timelines_[other];
        const Timeline &issuer = *timelines_[from.issuer];
        const Known &known = h.clock.at(issuer.issue);
        if (other == t)
            continue;
        if (config_.issue == ST_BY_RETURN && issuer.returned_issue >= known.upto)
            learn_issue(t, from, issuer.returned_issue, nullptr);
        else
            learn_issue(t, from, known.upto, known.alt);
    }
}

namespace {

// The last issue up to a position; null: none.
template <class Issues> auto last_until(Issues &issues, u64 upto) {
    auto after = std::upper_bound(issues.begin(), issues.end(), upto,
                                  [](u64 p, const Issue &i) { return p < i.position; });
    return after == issues.begin() ? nullptr : &*(after - 1);
}

// Whether a clock that joins it may come to know more, with all syncs or without one.
bool is_news(const Snapshot &from, const Clock &to) {
    return std::any_of(from.entries.begin(), from.entries.end(), [&](const Snapshot::Entry &e) {
        const Known &known = to.at(e.timeline);
        return e.known.upto > std::min(known.upto, known.lowest);
    });
}

} // namespace

void Pass::learn_issue(u32 t, const Timeline &from, u64 upto, Alternatives *alt) {
    const Issue *last = last_until(from.issues, upto);
    if (!last)
        return;
    auto join = [&](Clock &to, Snapshot Issue::*what) {
        if (!alt) {
            knowledge_.join(to, last->*what, NO_KEY, NONE);
            return;
        }
        knowledge_.join_hanging(to, last->*what, *alt, [&](u64 level) {
            const Issue *earlier = last_until(from.issues, level);
            return earlier ? &(earlier->*what) : nullptr;
        });
    };
    Timeline &own = *timelines_[t];
    if (config_.dependent) {
        // The last kernel may be the other thread's: dependent launches do not wait for that
        // either, unless the stream has waited for all of that already.
        if (own.before_kernel == NONE && is_news(last->end, own.clock))
            own.before_kernel = own.clock.at(t).upto;
        if (own.before_kernel != NONE) {
            before_last_kernel(t);
            join(*own.chain_start, &Issue::start);
        }
    }
    join(own.clock, &Issue::end);
}

// Everything that can make a thread know of issues, but for the issues themselves.
template <class Visit> void Pass::each_kept(Visit visit) {
    for (const auto &timeline : timelines_) {
        visit(timeline->clock);
        visit(timeline->start);
        if (timeline->chain_start)
            visit(*timeline->chain_start);
    }
    for (const auto &event : events_)
        visit(event.second);
    for (const auto &graph : graphs_)
        visit(graph.second.snapshot);
    for (const auto &owner : owners_)
        visit(owner.second.closed);
    for (const auto &call : returns_)
        for (const Return::Source &source : call.second.sources)
            visit(source.clock);
}

// Forgets the issues that nobody can come to know as the last ones.
void Pass::sweep_issues() {
    std::vector<u32> streams;
    for (const std::vector<u32> &views : views_)
        streams.insert(streams.end(), views.begin(), views.end());
    std::vector<Issue *> found;
    auto keep = [&](Timeline &stream, u64 upto) {
        Issue *last = last_until(stream.issues, upto);
        if (last && !last->kept) {
            last->kept = true;
            found.push_back(last);
        }
    };
    u64 clocks = 0;
    auto visit = [&](const auto &clock) {
        clocks++;
        for (const u32 t : streams) {
            Timeline &stream = *timelines_[t];
            const Known known = clock.known_of(timelines_[stream.issuer]->issue);
            keep(stream, known.upto);
            if (known.alt)
                for (const Alternative &a : *known.alt)
                    keep(stream, a.level);
        }
    };
    each_kept(visit);
    for (const u32 t : streams)
        keep(*timelines_[t], timelines_[timelines_[t]->issuer]->returned_issue);
    while (!found.empty()) {
        const Issue *issue = found.back();
        found.pop_back();
        visit(issue->end);
        visit(issue->start);
    }
    issues_ = 0;
    for (const u32 t : streams) {
        std::vector<Issue> &issues = timelines_[t]->issues;
        for (Issue &issue : issues)
            if (!issue.kept) {
                knowledge_.forget(issue.end);
                knowledge_.forget(issue.start);
            }
        std::erase_if(issues, [](const Issue &issue) { return !issue.kept; });
        for (Issue &issue : issues)
            issue.kept = false;
        issues_ += issues.size();
    }
    sweep_at_ = 16 + 2 * issues_ + clocks / 8;
}

} // namespace synctrace

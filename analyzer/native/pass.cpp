#include "sources.h"

#include "flags.h"

namespace synctrace {

Pass::Pass(const st_config &config)
    : conflicts(config.keep_pairs), config_(config), placements_(config), ranges_(config.ranges),
      nodes_(ranges_.nodes() + 1) { // one to spare, so that there is always a first
    config_.ranges = {};
    without_effect_ = WITHOUT_EFFECT | (config.levels >> LEVEL_API & 1 ? DONE_BY_API : 0);
    starts_ = config.dependent && placements_.gives(ST_RECORDS_START);
    redirects_ = placements_.gives(ST_LEGACY_OF_PEER) || placements_.gives(ST_HOST_WAITS_DEVICE);
    plain_.resize(KINDS);
    for (u8 k = 0; k < KINDS; k++) {
        const st_placement &place = placements_.plain(k);
        plain_[k] = !placements_.memory_matters(k) && !placements_.size_matters(k) &&
                    place.reads == ST_STREAM && place.writes == ST_STREAM &&
                    place.edges & ST_LAUNCH && !(place.edges & ~u32(ST_LAUNCH | ST_LEGACY)) &&
                    !place.judged && !place.results && !place.frees && !place.pool &&
                    !config.dependent && config.keys != ST_EDGES;
    }
    if (config.keys == ST_EDGES) {
        history_ = std::make_unique<History>();
        knowledge_.follow_frontiers();
    }
    for (u64 a = 0; a < config.actors; a++)
        add_timeline(u32(a), a == 0 || config.actor_kind[a] == THREAD, config.actor_flags[a],
                     config.actor_device[a]);
    for (u64 a = 0; a < config.actors && config.issue != ST_BY_TICKET; a++)
        if (config.actor_shared && config.actor_shared[a] && !timelines_[a]->host)
            share(u32(a));
}

namespace {

template <class T> T value(const T *column, u64 row, T otherwise) {
    return column ? column[row] : otherwise;
}

// When: by `number` where the batch has no tickets.
void read_when(Op &op, const st_batch &b, u64 i, u64 number) {
    op.id = b.id[i];
    op.ticket_c = value(b.ticket_c, i, number * 2);
    op.ticket_r = value(b.ticket_r, i, op.ticket_c + 1);
}

// What most ops are: all that stream work needs.
void read_what(Op &op, const st_batch &b, u64 i) {
    op.kind = b.kind[i];
    op.flags = value(b.flags, i, 0u);
    op.thread = value(b.thread, i, 0u);
    op.actor = value(b.actor, i, 0u);
    op.set = value(b.access_set, i, 0u);
    op.site = value(b.site, i, 0u);
    if (b.access_offsets) {
        op.access = b.accesses + b.access_offsets[i];
        op.accesses = u64(b.access_offsets[i + 1] - b.access_offsets[i]);
    }
}

void read_rest(Op &op, const st_batch &b, u64 i) {
    op.peer = value(b.peer, i, 0u);
    op.event = value(b.event, i, 0u);
    op.graph = value(b.graph, i, 0u);
    op.device = value(b.device, i, -1);
    op.blocked_ns = b.t_c && b.t_r ? b.t_r[i] - b.t_c[i] : 0;
}

} // namespace

void Pass::feed(const st_batch &b) {
    if (b.rows && b.id[b.rows - 1] > LAST_ID)
        stats.unordered++;
    const u32 *accesses_end = b.access_offsets ? b.accesses + b.access_offsets[b.rows] : nullptr;
    for (u64 i = 0; i < b.rows; i++) {
        stats.rows++;
        Op op;
        read_when(op, b, i, stats.rows);
        if (any_ && (op.ticket_c <= last_ticket_ || op.id <= last_id_))
            stats.unordered++;
        any_ = true;
        last_ticket_ = op.ticket_c;
        last_id_ = op.id;
        const unsigned level = !b.level ? 0 : b.level[i] > 7 ? 8 : b.level[i];
        op.beside = b.level && config_.beside >> level & 1;
        if (b.level && !op.beside && !(config_.levels >> level & 1))
            continue;
        read_what(op, b, i);
        for (u64 k = 0; k < op.accesses; k++)
            prefetch(op.access + k, accesses_end);
        const bool gap_first =
            next_gap_ < config_.gaps && config_.gap[next_gap_].first < op.ticket_r;
        const bool returns_first =
            !gap_first && (!b.ticket_r || (i + 1 < b.rows && op.ticket_r < b.ticket_c[i + 1]));
        if (plain_[op.kind & (KINDS - 1)] && returns_first && enter_plain(op))
            continue;
        read_rest(op, b, i);
        enter(op, returns_first);
    }
}

void Pass::finish() {
    pass_gaps(NONE);
    return_until(NONE);
    for (u32 key : needs.tail)
        needs.sites[key].final++;
    needs.tail.clear();
    stats.timelines = timelines_.size();
    stats.nodes = nodes_.size();
    for (const auto &timeline : timelines_)
        if (history_)
            history_->actors.push_back(timeline->actor);
}

// Kind of its host-side memory, where that matters; 0: not known, or none.
u8 Pass::memory_of(const Op &op) {
    u8 memory = 0;
    if (placements_.memory_matters(op.kind))
        each_access(op, [&](u32 a) { memory = memory ? memory : ranges_[a].memory; });
    return memory;
}

// Bytes of its largest access, where that matters.
u64 Pass::size_of(const Op &op) {
    u64 size = 0;
    if (placements_.size_matters(op.kind))
        each_access(op, [&](u32 a) { size = std::max(size, ranges_.size(a)); });
    return size;
}

st_placement Pass::placement(const Op &op) {
    if (op.kind >= KINDS)
        return {};
    st_placement place = placements_.of(op.kind, memory_of(op), size_of(op), op.flags);
    if (op.flags & NOT_JUDGED)
        place.judged = 0;
    if (op.beside) { // done by the host, within the call
        place.reads = place.reads ? ST_HOST : ST_NOWHERE;
        place.writes = place.writes ? ST_HOST : ST_NOWHERE;
        place.edges = place.judged = place.results = place.rewrites = 0;
        return place;
    }
    const bool synchronous = op.flags & BLOCKING_CALL || timelines_[op.actor]->flags & SYNCHRONOUS;
    if (synchronous) {
        place.reads = place.reads ? ST_HOST : ST_NOWHERE;
        place.writes = place.writes ? ST_HOST : ST_NOWHERE;
        place.results = place.rewrites = 0;
    }
    return place;
}

// Stream work that nothing but its stream and its launch orders: most ops. False: it is more.
bool Pass::enter_plain(const Op &op) {
    if (op.flags || op.beside || op.kind >= KINDS || !op.actor || op.actor >= config_.actors ||
        op.thread >= config_.actors || !returns_.empty() || next_gap_ < config_.gaps ||
        next_change_ < config_.changes || (hosts_ > 1 && !config_.strict))
        return false;
    Timeline &work = *timelines_[op.actor];
    if (work.shared != NO_KEY)
        return false;
    const bool legacy = work.flags & (BLOCKING | PER_THREAD) && !legacy_.empty();
    if (work.flags & (SYNCHRONOUS | LEGACY) || legacy)
        return false;
    const Timeline &host = *timelines_[op.thread];
    stats.effective++;
    stats.kinds[op.kind]++;
    work.batch = 0;
    if (work.launcher != op.thread || work.launcher_version != host.version) {
        knowledge_.join(work.clock, host.clock, NO_KEY, NONE);
        work.launcher = op.thread;
        work.launcher_version = host.version;
    }
    touch_all(op, placements_.plain(op.kind), ST_STREAM, op.actor);
    return true;
}

// C of an op. `returns_first`: no other call is entered before it returns.
void Pass::enter(const Op &op, bool returns_first) {
    pass_gaps(op.ticket_c);
    pass_changes(op.ticket_c);
    return_until(op.ticket_c);
    viewed_.clear();
    if (op.kind == BATCH)
        begin_batch(op);
    if (op.flags & without_effect_) {
        if (op.flags & SKIPPED && !result_timelines_.empty() && is_named(op))
            read_skipped(op);
        return;
    }
    stats.effective++;
    stats.kinds[op.kind % KINDS]++;
    const bool named = is_named(op);
    const st_placement place = named ? placement(op) : st_placement{};
    if (!named || !is_decided(op, place)) {
        join_all();
        return;
    }
    run(op, place, returns_first && returns_.empty());
}

// Views of streams are what the thread knows at the call: all are looked at before it learns more.
static constexpr auto LOOK = [](const auto &, u32) {};

// What the call does. `direct`: no other call is entered before it returns, none is open.
void Pass::run(const Op &op, const st_placement &place, bool direct) {
    const u32 host = op.thread;
    observe(host, direct);
    if (history_)
        note_entry(op, host);
    if (place.pool && !place.frees)
        revive(op);
    Change change;
    bool recorded = true;
    const bool works_on_host = place.reads == ST_HOST || place.writes == ST_HOST;
    const bool waits = place.edges & HOST_WAITS;
    const bool issues = is_issue(op, place);
    if (issues)
        begin_issue(op);
    wait_first(op, place, host, works_on_host, change);
    viewed_.clear(); // the thread may know more
    const u32 at = execution(op, place, host);
    enter_batch(op, place, host, at);
    if (history_ && !source_first(place))
        note_host_work(op, place, host);
    if (source_first(place))
        read_source(op, place, host);
    else if (works_on_host && !waits)
        touch_all(op, place, ST_HOST, host);
    before_work(op, place, host, at, change, recorded);
    if (place.reads == ST_LOOSE || place.writes == ST_LOOSE)
        touch_loose(op, place, host, at);
    if (is_element(op, place, at))
        judge_element(op, place, at);
    touch_all(op, place, ST_STREAM, at);
    touch_all(op, place, ST_QUEUE, at);
    if (history_)
        note_end(op, place, at);
    after_work(op, place, host, at);
    if (issues)
        end_issue(op);
    if (place.frees && !waits)
        drop(op, place);
    if (op.kind == EVENT_DESTROY)
        knowledge_.forget(events_[op.event]);
    if (!direct &&
        (waits || (hosts_ > 1 && !config_.strict) || (issues && config_.issue == ST_BY_RETURN))) {
        return_later(op, place, recorded, change);
        return;
    }
    if (waits && !views_.empty())
        host_sources(op, place, LOOK);
    if (waits)
        recorded &= host_sources(op, place, [&](const auto &from, u32 key) {
            tell(host, op, place, from, key, change);
        });
    leave(op, place, recorded, change);
}

// What the host waits for before the call touches anything. `works`: what the call does is done by
// the host, and so after what such work on a stream would come after.
void Pass::wait_first(const Op &op, const st_placement &place, u32 host, bool works,
                      Change &change) {
    const u32 work = works ? u32(ST_AFTER_PEER | ST_AFTER_ACTOR | ST_AFTER_DEVICES) : 0;
    if (!(place.edges & (ST_HOST_WAITS_PRIOR | work)))
        return;
    auto learn = [&](const Clock &from, u32 key) { tell(host, op, place, from, key, change); };
    if (!views_.empty())
        stream_sources(op, place, ST_HOST_WAITS_PRIOR, LOOK);
    stream_sources(op, place, ST_HOST_WAITS_PRIOR, learn);
    if (works && !views_.empty())
        after_others(op, place, host, host, LOOK);
    if (works)
        after_others(op, place, host, host, learn);
    told(host);
    read_results(op, host, timelines_[host]->clock, ENTERED);
}

// A call that returns when its stream is done reads its source behind what the stream had before.
void Pass::read_source(const Op &op, const st_placement &place, u32 host) {
    if (!(place.edges & ST_HOST_WAITS_ACTOR)) {
        if (history_)
            note_source(op, host, timelines_[host]->clock);
        touch_all(op, place, ST_HOST, host);
        return;
    }
    Clock known;
    knowledge_.join(known, timelines_[host]->clock, NO_KEY, NONE);
    stream_sources(op, place, ST_HOST_WAITS_ACTOR,
                   [&](const Clock &from, u32 key) { knowledge_.join(known, from, key, op.id); });
    if (history_)
        note_source(op, host, known);
    touch_all(op, place, ST_HOST, host, &known);
    knowledge_.forget(known);
}

void Pass::pass_changes(u64 ticket) {
    while (next_change_ < config_.changes && config_.change[next_change_].ticket <= ticket) {
        const st_change &change = config_.change[next_change_++];
        ranges_.set_memory(change.access, change.memory);
    }
}

} // namespace synctrace

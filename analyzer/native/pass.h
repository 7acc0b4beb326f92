// One pass over the ops of a trace: who is before whom, what races, which syncs are needed.
#pragma once
#include "engine.h"
#include "findings.h"
#include "knowledge.h"
#include "ranges.h"
#include "shadow.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace synctrace {

// Edges by which the host knows more when its call returns.
constexpr u32 HOST_WAITS = ST_HOST_WAITS_EVENT | ST_HOST_WAITS_ACTOR | ST_HOST_WAITS_DEVICE |
                           ST_HOST_WAITS_ALL | ST_HOST_WAITS_SIGNAL | ST_OWNER_ALLOC;

// One row of table op.
struct Op {
    u64 id = 0, ticket_c = 0, ticket_r = 0;
    u32 flags = 0, thread = 0, actor = 0, peer = 0, event = 0, graph = 0, set = 0, site = 0;
    int32_t device = 0;
    int64_t blocked_ns = 0;
    u8 kind = 0;
    const u32 *access = nullptr; // its own; those of the set come besides
    u64 accesses = 0;
};

// An access whose conflicts are looked for.
struct Touch {
    u64 op;
    u32 site, access, timeline;
    bool reads, writes;
    const Clock *clock; // of the timeline
};

// A device-to-host result that nobody has waited for yet.
struct Result {
    u64 position;
    u32 access;
};

struct Timeline {
    Clock clock;
    u32 actor = 0; // whose it is
    u32 flags = 0; // StreamFlag
    int32_t device = -1;
    bool host = false;
    u64 version = 1; // hosts: grows with what there is to tell
    // Streams: what was last learnt of a launching thread, so as not to learn it twice.
    u32 launcher = NO_KEY;
    u64 launcher_version = 0;
    // Streams: programmatic dependent launches run on forks, until other work joins them.
    u64 before_kernel = NONE; // own position before the last kernel; NONE: last work was no kernel
    std::unique_ptr<Clock> chain_start; // all that is known but for that kernel; null: not needed
    std::vector<u32> forks;
    u32 chain = 0, joined = 0; // forks in use, forks joined again
    // Hosts: what their syncs have waited for, whoever else made it known.
    std::vector<u64> completed;
    // Hosts, observed order.
    u64 seen = 0;      // version of what all threads have published
    bool news = false; // knows something it has not published
    u32 in_call = 0;   // calls not returned
    // Results in the order of their positions; those before `results_read` were read.
    std::vector<Result> results;
    size_t results_read = 0;
};

// A call entered and not returned: what its host will know.
struct Return {
    Op op;
    st_placement place;
    Clock plain, keyed; // through edges that are no key, and through those that are
    std::vector<u32> accesses;
    Change change;
    bool recorded = true;
};

class Pass {
  public:
    explicit Pass(const st_config &config);
    void feed(const st_batch &batch);
    void finish();

    Conflicts conflicts;
    Needs needs;
    Needed needed;
    Hidden hidden;
    st_stats stats = {};

  private:
    // A block of a caching allocator: streams recorded on it, and what they had when it was freed.
    struct Owner {
        std::vector<u32> actors;
        Snapshot closed;
        bool unsure = false; // streams may have been recorded that `closed` does not stand for
        u64 losses = 0;      // how often records had begun or ceased to be lost at the last free
    };
    struct GraphEnd {
        u32 timeline = NO_KEY;
        Snapshot snapshot;
    };

    // Rows (pass.cpp)
    bool enter_plain(const Op &op);
    void enter(const Op &op, bool returns_first);
    void run(const Op &op, const st_placement &place, bool direct);
    void leave(const Op &op, const st_placement &place, bool recorded, const Change &change);
    void return_later(const Op &op, const st_placement &place, bool recorded, const Change &change);
    void return_until(u64 ticket);
    void pass_changes(u64 ticket);
    u8 memory_of(const Op &op);
    st_placement placement(const Op &op);
    template <class Visit> void each_access(const Op &op, Visit visit);
    // What is missing (lost.cpp)
    void pass_gaps(u64 ticket);
    bool is_named(const Op &op);
    bool is_decided(const Op &op, const st_placement &place);
    void join_all();
    // Order (edges.cpp)
    u32 key_of(const Op &op, const st_placement &place, u32 edge);
    u32 execution(const Op &op, const st_placement &place, u32 host);
    void before_work(const Op &op, const st_placement &place, u32 host, u32 at, Change &change,
                     bool &recorded);
    template <class Visit> void each_legacy(u32 at, Visit visit);
    void after_peers(const Op &op, const st_placement &place, Clock &to, u32 at);
    void after_work(const Op &op, const st_placement &place, u32 host, u32 at);
    template <class Learn> bool host_sources(const Op &op, const st_placement &place, Learn learn);
    template <class From>
    void tell(u32 host, const Op &op, const st_placement &place, const From &from, u32 key,
              Change &change);
    void told(u32 host);
    void publish(u32 host);
    void observe(u32 host, bool direct);
    const Clock &settled(u32 timeline);
    u32 fork_of(u32 stream);
    template <class From> Change stream_learns(u32 stream, const From &from, u32 key, u64 by);
    void end_chain(Timeline &stream);
    u32 add_timeline(u32 actor, bool host, u32 flags, int32_t device);
    u32 owner_of(const Op &op);
    // Bytes (accesses.cpp)
    void touch_all(const Op &op, const st_placement &place, u8 where, u32 timeline);
    void touch(const Touch &touch, const Reach &reach);
    void touch_node(const Touch &touch, const Cover &cover);
    void visit(const Touch &touch, Node &node, Slot write, Slot read, bool own);
    void mark(const Touch &touch, Node &node, u32 index, bool own);
    void fill(const Tree &tree);
    void judge(const Touch &touch, u32 timeline, u64 position, const Origin &origin, u8 hazard);
    void need(const Touch &touch, Alternatives *alt, u32 timeline, u64 position,
              const Origin &origin, u8 hazard);
    void need_site(const Touch &touch, const Alternative &alternative, u32 timeline, u64 position,
                   const Origin &origin, u8 hazard);
    u32 storage_of(u32 first_access, u32 second_access) const;
    void race(const Touch &touch, const Known &known, u32 timeline, u64 position,
              const Origin &origin, u8 hazard);
    void prefetch(const u32 *access, const u32 *end) const;
    void drop(const Op &op);
    void read_results(const Op &op, u32 host, const Clock &covered);
    void read_skipped(const Op &op);

    st_config config_;
    std::vector<st_placement> placement_;
    std::vector<u8> memory_matters_; // by kind
    std::vector<u8> plain_;          // by kind: without flags, stream work and no more
    Ranges ranges_;
    std::vector<Node> nodes_;
    MarkPool marks_;
    Node everything_; // root over all trees, where there are accesses of unknown range
    Knowledge knowledge_;
    std::vector<std::unique_ptr<Timeline>> timelines_; // those of the actors come first, by id
    std::unordered_map<u64, u32> queues_;              // peer << 32 | actor
    std::unordered_map<u32, Snapshot> events_;
    std::unordered_map<u32, GraphEnd> graphs_;
    std::unordered_map<u32, Owner> owners_;
    std::multimap<u64, Return> returns_; // by ticket
    std::vector<u32> legacy_;            // legacy default streams
    std::vector<u32> result_timelines_;  // that ever had results
    Clock published_;                    // what returned calls of all threads knew
    u64 published_version_ = 0;
    std::vector<u32> news_; // hosts with news
    u32 hosts_ = 0;
    u64 next_gap_ = 0, next_change_ = 0;
    u64 losses_ = 0;         // how often records have begun or ceased to be lost
    bool in_gap_ = false;    // records are being lost: no pair can be judged
    bool all_known_ = false; // every timeline knows all that was touched
    u64 last_ticket_ = 0, last_id_ = 0;
    bool any_ = false;
};

template <class Visit> void Pass::each_access(const Op &op, Visit visit) {
    auto one = [&](u32 access) {
        if (access < ranges_.count())
            visit(access);
        else
            stats.missing++;
    };
    for (u64 i = 0; i < op.accesses; i++)
        one(op.access[i]);
    if (!op.set)
        return;
    if (op.set >= config_.sets) {
        stats.missing++;
        return;
    }
    for (u64 i = config_.set_offsets[op.set]; i < config_.set_offsets[op.set + 1]; i++)
        one(config_.set_members[i]);
}

// The host learns what `from` knows. A sync that only repeats what other calls gave by the way may
// still be the one by which the program means to end.
template <class From>
void Pass::tell(u32 host, const Op &op, const st_placement &place, const From &from, u32 key,
                Change &change) {
    Timeline &h = *timelines_[host];
    if (place.judged && config_.keys == ST_SITES)
        from.each([&](u32 t, const Known &known) {
            if (t >= h.completed.size())
                h.completed.resize(timelines_.size());
            change.completes |= known.upto > h.completed[t];
            h.completed[t] = std::max(h.completed[t], known.upto);
        });
    const Change c = knowledge_.join(h.clock, from, key, op.id);
    change.raised |= c.raised;
    change.changed |= c.changed;
}

// What the host knows more when it returns, edge by edge: learn(clock or snapshot, key).
// False if it waits for what was never recorded.
template <class Learn>
bool Pass::host_sources(const Op &op, const st_placement &place, Learn learn) {
    bool recorded = true;
    for (const u32 edge : {u32(ST_HOST_WAITS_EVENT), u32(ST_HOST_WAITS_SIGNAL)})
        if (place.edges & edge) {
            const Snapshot &snapshot = events_[op.event];
            recorded &= snapshot.taken;
            learn(snapshot, key_of(op, place, edge));
        }
    if (place.edges & ST_HOST_WAITS_ACTOR && op.actor)
        learn(settled(op.actor), key_of(op, place, ST_HOST_WAITS_ACTOR));
    if (place.edges & ST_OWNER_ALLOC)
        learn(owners_[owner_of(op)].closed, key_of(op, place, ST_OWNER_ALLOC));
    const u32 wide = place.edges & (ST_HOST_WAITS_DEVICE | ST_HOST_WAITS_ALL);
    for (u32 t = 0; wide && t < timelines_.size(); t++) {
        const bool covered =
            wide & ST_HOST_WAITS_ALL || op.device < 0 || op.device == timelines_[t]->device;
        if (covered && !timelines_[t]->host)
            learn(settled(t), key_of(op, place, wide));
    }
    return recorded;
}

} // namespace synctrace

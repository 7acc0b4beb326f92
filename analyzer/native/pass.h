// One pass over the ops of a trace: who is before whom, what races, which syncs are needed.
#pragma once
#include "engine.h"
#include "findings.h"
#include "history.h"
#include "knowledge.h"
#include "placements.h"
#include "ranges.h"
#include "shadow.h"
#include "timeline.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace synctrace {

// Edges by which the host knows more when its call returns.
constexpr u32 HOST_WAITS = ST_HOST_WAITS_EVENT | ST_HOST_WAITS_ACTOR | ST_HOST_WAITS_DEVICE |
                           ST_HOST_WAITS_ALL | ST_HOST_WAITS_SIGNAL | ST_OWNER_ALLOC;

// Whether the call reads its source on the host and leaves the rest to a device: the source is read
// before that work, and so not behind a wait that is for it too.
constexpr bool source_first(const st_placement &place) {
    return place.reads == ST_HOST && place.writes > ST_HOST;
}

// One row of table op.
struct Op {
    u64 id = 0, ticket_c = 0, ticket_r = 0;
    u32 flags = 0, thread = 0, actor = 0, peer = 0, event = 0, graph = 0, set = 0, site = 0;
    int32_t device = 0;
    int64_t blocked_ns = 0;
    u8 kind = 0;
    bool beside = false;         // of a level whose ops are work of the host
    const u32 *access = nullptr; // its own; those of the set come besides
    u64 accesses = 0;
};

// An access whose conflicts are looked for.
struct Touch {
    u64 position;
    u32 site, access, timeline;
    bool reads, writes;
    const Clock *clock; // of the timeline

    u64 op() const { return op_of(position); }
};

// A call entered and not returned: what its host will know.
struct Return {
    struct Source {
        u32 key;
        Clock clock;
    };
    Op op;
    st_placement place;
    std::vector<Source> sources; // by key, or by none
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
    const History *history() const { return history_.get(); }

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

    // Rows (pass.cpp), and calls that return later (returns.cpp)
    bool enter_plain(const Op &op);
    void enter(const Op &op, bool returns_first);
    void run(const Op &op, const st_placement &place, bool direct);
    void leave(const Op &op, const st_placement &place, bool recorded, const Change &change);
    void return_later(const Op &op, const st_placement &place, bool recorded, const Change &change);
    void return_until(u64 ticket);
    void pass_changes(u64 ticket);
    u8 memory_of(const Op &op);
    u64 size_of(const Op &op);
    st_placement placement(const Op &op);
    void read_source(const Op &op, const st_placement &place, u32 host);
    void wait_first(const Op &op, const st_placement &place, u32 host, bool works, Change &change);
    template <class Visit> void each_access(const Op &op, Visit visit);
    // What is missing (lost.cpp)
    void pass_gaps(u64 ticket);
    bool is_named(const Op &op);
    bool is_decided(const Op &op, const st_placement &place);
    void join_all();
    // Timelines (timelines.cpp)
    u32 add_timeline(u32 actor, bool host, u32 flags, int32_t device);
    const Clock &settled(u32 timeline);
    const Clock &before_last_kernel(u32 stream);
    u32 fork_of(u32 stream);
    u32 legacy_of(int32_t device);
    void end_chain(Timeline &stream);
    template <class From> Change stream_learns(u32 stream, const From &from, u32 key, u64 by);
    u32 execution(const Op &op, const st_placement &place, u32 host);
    // Streams of several threads (issues.cpp)
    // The stream as a thread's calls find it: itself if it is not one of several threads.
    u32 view(u32 stream, u32 host) {
        const bool own = views_.empty() || timelines_[stream]->shared == NO_KEY;
        return own ? stream : view_of(stream, host);
    }
    u32 view_of(u32 stream, u32 host);
    void share(u32 stream);
    u32 launches_of(u32 graph);
    bool is_issue(const Op &op, const st_placement &place) const {
        return config_.issue != ST_BY_TICKET && gives_work(op, place);
    }
    bool gives_work(const Op &op, const st_placement &place) const;
    void begin_issue(const Op &op);
    void end_issue(const Op &op);
    void catch_up(u32 view, u32 host);
    void learn_issue(u32 view, const Timeline &from, u64 upto, Alternatives *alt);
    template <class Visit> void each_kept(Visit visit);
    void sweep_issues();
    // Order (edges.cpp)
    u32 key_of(const Op &op, const st_placement &place, u32 edge);
    void before_work(const Op &op, const st_placement &place, u32 host, u32 at, Change &change,
                     bool &recorded);
    template <class Visit> void each_legacy(u32 at, u32 host, Visit visit);
    template <class Visit> void each_stream_of_devices(const Op &op, Visit visit);
    template <class Learn>
    void after_others(const Op &op, const st_placement &place, u32 host, u32 at, Learn learn);
    void after_work(const Op &op, const st_placement &place, u32 host, u32 at);
    void stand_for(u32 event, const Clock &clock, u32 key, bool adds);
    void record_start(const Op &op, const st_placement &place, u32 host);
    template <class Learn>
    void stream_sources(const Op &op, const st_placement &place, u32 edge, Learn learn);
    template <class Learn> bool host_sources(const Op &op, const st_placement &place, Learn learn);
    template <class From>
    void tell(u32 host, const Op &op, const st_placement &place, const From &from, u32 key,
              Change &change);
    void told(u32 host);
    void publish(u32 host);
    void observe(u32 host, bool direct);
    u32 owner_of(const Op &op);
    // Work in no order with what its stream did before (loose.cpp)
    void touch_loose(const Op &op, const st_placement &place, u32 host, u32 at);
    void judge_loose(const Touch &touch, const Reach &reach);
    void judge_loose_node(const Touch &touch, const Cover &cover);
    void judge_marks(const Touch &touch, const Node &node, Slot write, Slot read);
    // Elements of batches, in no order among themselves (batches.cpp)
    bool is_element(const Op &op, const st_placement &place, u32 at) const;
    void begin_batch(const Op &op);
    void enter_batch(const Op &op, const st_placement &place, u32 host, u32 at);
    void judge_element(const Op &op, const st_placement &place, u32 at);
    [[gnu::cold]] void note_element(const Op &op, u32 host, u32 at);
    [[gnu::cold]] void note_element_end(const Op &op, u32 at);
    // Bytes (accesses.cpp), lives of storages (lives.cpp), results read by the host (results.cpp)
    void touch_all(const Op &op, const st_placement &place, u8 where, u32 timeline,
                   const Clock *known = nullptr, Moment moment = ENTERED);
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
    void clear(const Cover &cover, u32 toucher);
    template <class Visit> void each_life(const Op &op, Visit visit);
    void drop(const Op &op, const st_placement &place);
    void revive(const Op &op);
    void read_results(const Op &op, u32 host, const Clock &covered, Moment moment);
    void read_skipped(const Op &op);
    // Edges between instants and what parts of the work know, where asked for (history.cpp)
    void reach(Frontier &from, const Tip &to);
    [[gnu::cold]] void note_part(const Tip &at, u32 own, const Clock &clock);
    [[gnu::cold]] void host_part(const Tip &at, const Clock &clock);
    [[gnu::cold]] void note_entry(const Op &op, u32 host);
    [[gnu::cold]] void note_host_work(const Op &op, const st_placement &place, u32 host);
    [[gnu::cold]] void note_source(const Op &op, u32 host, const Clock &known);
    [[gnu::cold]] void note_start(const Op &op, const st_placement &place, u32 host, u32 at);
    [[gnu::cold]] void note_end(const Op &op, const st_placement &place, u32 at);
    [[gnu::cold]] void note_return(const Op &op, const st_placement &place);
    [[gnu::cold]] void note_before_kernel(const Timeline &stream, u32 t);

    st_config config_;
    Placements placements_;
    std::vector<u8> plain_; // by kind: without flags, stream work and no more
    u32 without_effect_;    // flags of ops that do nothing in this pass
    bool starts_;           // events are recorded of starts
    bool redirects_; // something may give work to, or wait for, legacy streams without a name
    Ranges ranges_;
    std::vector<Node> nodes_;
    MarkPool marks_;
    Node everything_; // root over all trees, where there are accesses of unknown range
    Knowledge knowledge_;
    std::unique_ptr<History> history_;                 // null: not asked for
    std::vector<std::unique_ptr<Timeline>> timelines_; // those of the actors come first, by id
    std::unordered_map<u64, u32> queues_;              // peer << 32 | actor
    std::unordered_map<u32, Snapshot> events_;
    std::unordered_map<u32, GraphEnd> graphs_;
    std::unordered_map<u32, u32> launches_; // by graph, unless work is ordered by ticket
    std::unordered_map<u32, Owner> owners_;
    std::unordered_set<u32> pooled_;      // storages given back to a pool and not handed out again
    std::multimap<u64, Return> returns_;  // by ticket
    std::vector<u32> legacy_;             // legacy default streams
    std::vector<std::vector<u32>> views_; // of the streams of several threads, one a thread
    std::vector<u32> viewed_;             // views that the op being run has looked at
    u64 issues_ = 0, sweep_at_ = 0;       // kept, and how many are too many
    u64 returned_version_ = 0;            // of the issues that have returned
    std::vector<u32> result_timelines_;   // that ever had results
    Clock omniscient_;                    // by which every access is after all others
    Clock published_;                     // what returned calls of all threads knew
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

inline void Pass::judge(const Touch &t, u32 timeline, u64 position, const Origin &origin,
                        u8 hazard) {
    const Known &known = t.clock->at(timeline);
    if (position <= known.upto && position <= known.lowest)
        return;
    if (config_.across && timelines_[timeline]->device == timelines_[t.timeline]->device)
        return;
    if (position > known.upto)
        race(t, known, timeline, position, origin, hazard);
    else
        need(t, known.alt, timeline, position, origin, hazard);
}

} // namespace synctrace

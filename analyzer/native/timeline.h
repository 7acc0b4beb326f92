// A host thread, a stream or what is like one: what it knows, and what a pass keeps of its work.
#pragma once
#include "knowledge.h"

#include <memory>

namespace synctrace {

// A device-to-host result that nobody has waited for yet.
struct Result {
    u64 position;
    u32 access;
    bool source; // read by the work: the host may write it then; else it reads what was written
};

// Work, or what work waits for, given to a stream of several threads: what is then known.
struct Issue {
    u64 position; // of the op, on the issues of its thread
    Snapshot end;
    Snapshot start; // what a programmatic dependent launch would know
    bool kept = false;
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
    u64 kernel = NONE;        // that kernel, if the stream's own
    std::unique_ptr<Clock> chain_start; // all that is known but for that kernel; null: not needed
    Snapshot start; // what the last kernel came after, where events are recorded of starts
    std::vector<u32> forks;
    u32 forked_from = NO_KEY;  // forks: whose
    u32 chain = 0, joined = 0; // forks in use, forks joined again
    // Hosts: the batch whose elements come now, named by its op. Streams: the one whose elements
    // they have last been given, what was there before it and, where frontiers are followed, its
    // ends.
    u64 batch = 0, batch_start = 0;
    Frontier batch_before, batch_ends;
    // Streams of several threads and their views: which one. Views: whose work, and what came of
    // it.
    u32 shared = NO_KEY, issuer = NO_KEY;
    std::vector<Issue> issues;
    u64 caught_up = 0; // with what its thread knew then
    // Hosts: the timeline of their issues, how often they told of one, and the last that returned.
    u32 issue = NO_KEY;
    u64 issues_told = 0, returned_issue = 0;
    // Hosts: what their syncs have waited for, whoever else made it known.
    Components<u64> completed;
    // Hosts, observed order.
    u64 seen = 0;      // version of what all threads have published
    bool news = false; // knows something it has not published
    u32 in_call = 0;   // calls not returned
    // Results in the order of their positions; those before `results_read` were read.
    std::vector<Result> results;
    size_t results_read = 0;
};

} // namespace synctrace

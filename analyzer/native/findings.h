// What a pass finds, kept so that memory is bounded by call sites, not by ops.
#pragma once
#include "engine.h"
#include "knowledge.h"

#include <unordered_map>

namespace synctrace {

struct Group {
    u32 first_site, second_site, storage, more;
    bool operator==(const Group &o) const {
        return first_site == o.first_site && second_site == o.second_site && storage == o.storage &&
               more == o.more;
    }
};

struct GroupHash {
    size_t operator()(const Group &g) const {
        u64 h = (u64{g.first_site} << 32 | g.second_site) * 0x9E3779B97F4A7C15ull;
        h ^= (u64{g.storage} << 32 | g.more) * 0xC2B2AE3D27D4EB4Full;
        return size_t(h ^ h >> 29);
    }
};

class Conflicts {
  public:
    explicit Conflicts(bool keep_pairs) : keep_pairs_(keep_pairs) {}
    void add(const st_conflict &c) {
        if (keep_pairs_)
            pairs.push_back(c);
        const Group group{c.first_site, c.second_site, c.storage, c.hazard};
        auto [entry, fresh] = index_.try_emplace(group, groups.size());
        if (fresh) {
            groups.push_back(c);
            last_second_.push_back(NONE);
        }
        st_conflict &group_of = groups[entry->second];
        if (fresh || c.hi - c.lo > group_of.worst_hi - group_of.worst_lo) {
            group_of.worst_first_op = c.first_op;
            group_of.worst_second_op = c.second_op;
            group_of.worst_lo = c.lo;
            group_of.worst_hi = c.hi;
        }
        // One second op may race with several first ones, and be seen at several nodes.
        u64 &last = last_second_[entry->second];
        group_of.count += last != c.second_op;
        last = c.second_op;
    }
    std::vector<st_conflict> groups, pairs;

  private:
    bool keep_pairs_;
    std::vector<u64> last_second_;
    std::unordered_map<Group, size_t, GroupHash> index_;
};

// Judged syncs, keyed by site.
class Needs {
  public:
    u32 key(u32 site) {
        auto [entry, fresh] = index_.try_emplace(site, u32(sites.size()));
        if (fresh) {
            sites.push_back({});
            sites.back().site = site;
            sites.back().first_op = NONE;
        }
        return entry->second;
    }
    std::vector<st_need> sites;
    std::vector<u32> tail; // keys of the syncs that did something, since the last access

  private:
    std::unordered_map<u32, u32> index_;
};

// Ordered pairs by the sync site that they need. A loop meets the same few groups again and again:
// those met last are found without the index.
class Needed {
  public:
    // One second op may need a sync for several first ones, and at several nodes. `pair` makes the
    // first of a group.
    template <class Make>
    void add(u32 key, u32 first_site, u32 second_site, u32 storage, u8 hazard, u64 second_op,
             Make pair) {
        const Group group{first_site, second_site, storage, key << 2 | hazard};
        Recent &recent = recent_[GroupHash()(group) % RECENT];
        if (!(recent.group == group)) {
            auto [entry, fresh] = index_.try_emplace(group, u32(pairs.size()));
            if (fresh) {
                pairs.push_back(pair());
                last_second_.push_back(NONE);
            }
            recent = {group, entry->second};
        }
        u64 &last = last_second_[recent.number];
        pairs[recent.number].count += last != second_op;
        last = second_op;
    }
    std::vector<st_needed_pair> pairs;

  private:
    struct Recent {
        Group group{0, 0, 0, NO_KEY}; // of no key
        u32 number = 0;               // of its pair
    };
    static constexpr size_t RECENT = 1 << 8;
    std::vector<Recent> recent_ = std::vector<Recent>(RECENT);
    std::vector<u64> last_second_;
    std::unordered_map<Group, u32, GroupHash> index_;
};

class Hidden {
  public:
    void add(u32 first_site, u32 second_site, u32 storage, u32 habit, u8 hazard) {
        const Group group{first_site, second_site, storage, habit << 2 | hazard};
        if (index_.try_emplace(group, 0).second)
            pairs.push_back({first_site, second_site, storage, habit, hazard});
    }
    std::vector<st_hidden_pair> pairs;

  private:
    std::unordered_map<Group, int, GroupHash> index_;
};

} // namespace synctrace

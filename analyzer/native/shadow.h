// What was last done to the bytes: per tree node and timeline, the latest write and read of the
// node's whole range (own) and of any part of it (sub).
#pragma once
#include "knowledge.h"

#include <cstring>

namespace synctrace {

enum Slot { OWN_WRITE, OWN_READ, SUB_WRITE, SUB_READ, SLOTS };

struct Mark {
    u64 at[SLOTS]; // positions; 0: never
    u32 timeline;
};

// Which access it was; read only when it races.
struct Origin {
    u32 site, access;
};

struct Node {
    Mark *marks = nullptr;
    u32 size = 0, capacity = 0;

    Origin *origins(u32 i) const {
        return reinterpret_cast<Origin *>(marks + capacity) + size_t{i} * SLOTS;
    }
};

// Marks of a node lie together, capacities are powers of two.
class MarkPool {
  public:
    // A new mark of the timeline; its index.
    u32 add(Node &node, u32 timeline) {
        if (node.size == node.capacity)
            widen(node);
        std::memset(&node.marks[node.size], 0, sizeof(Mark));
        std::memset(node.origins(node.size), 0, SLOTS * sizeof(Origin));
        node.marks[node.size].timeline = timeline;
        return node.size++;
    }
    void clear(Node &node) {
        if (node.marks)
            pool_.give(type_of(node.capacity), node.marks);
        node = Node();
    }

  private:
    static unsigned type_of(u32 capacity) { return unsigned(__builtin_ctz(capacity)); }
    void widen(Node &node) {
        Node wider;
        wider.capacity = node.capacity ? node.capacity * 2 : 1;
        wider.size = node.size;
        const size_t bytes = wider.capacity * (sizeof(Mark) + SLOTS * sizeof(Origin));
        wider.marks = static_cast<Mark *>(pool_.take(type_of(wider.capacity), bytes));
        if (node.marks) {
            std::memcpy(wider.marks, node.marks, node.size * sizeof(Mark));
            std::memcpy(wider.origins(0), node.origins(0), node.size * SLOTS * sizeof(Origin));
            pool_.give(type_of(node.capacity), node.marks);
        }
        node = wider;
    }
    Pool pool_;
};

} // namespace synctrace

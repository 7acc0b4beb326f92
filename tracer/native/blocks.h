// Memory for what grows and goes while the program runs: mapped, never the program's malloc, and
// given back for the next that needs as much. One caller at a time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zeroed. Null: no memory. `bytes` of block_give are those that were asked for.
void *block_take(size_t bytes);
void block_give(void *block, size_t bytes);

struct list {
    void *items;
    uint32_t count, room; // in items
};
// Room for so many more items of this size; false: no memory.
bool list_grow(struct list *list, size_t item, uint32_t more);
// What was appended, zeroed; null: no memory.
void *list_append(struct list *list, size_t item);
// `to` has what `from` has; false: no memory.
bool list_copy(struct list *to, const struct list *from, size_t item);
void list_drop(struct list *list, size_t item);

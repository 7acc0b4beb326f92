// A walk over msgpack in memory: nothing is allocated, nothing is read beyond the end, and depth
// costs no stack.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum msgpack_type {
    MSGPACK_NONE, // nil, float, binary, extension: of no use here
    MSGPACK_BOOL,
    MSGPACK_UINT, // and integers that are not negative
    MSGPACK_INT,  // a negative one, as two's complement
    MSGPACK_STRING,
    MSGPACK_ARRAY, // its `number` items follow
    MSGPACK_MAP,   // its `number` keys follow, each with its value
};

struct msgpack {
    const uint8_t *at, *end;
};

struct msgpack_value {
    enum msgpack_type type;
    uint64_t number;
    const char *string; // MSGPACK_STRING: `number` bytes, no 0 at the end
};

// The next value; of an array or a map only its head. False: damaged, or nothing follows.
bool msgpack_next(struct msgpack *walk, struct msgpack_value *value);
// The next value whole.
bool msgpack_skip(struct msgpack *walk);
// Of the map that follows, the value of this key; `walk` then stands behind it, or, where it is a
// list or a map, behind its head.
bool msgpack_find(struct msgpack *walk, const char *key, struct msgpack_value *value);
bool msgpack_is(const struct msgpack_value *value, const char *string);

#include "msgpack.h"
#include <string.h>

static size_t left(const struct msgpack *walk) { return (size_t)(walk->end - walk->at); }

// Big-endian, of 1, 2, 4 or 8 bytes.
static bool number(struct msgpack *walk, unsigned bytes, uint64_t *value) {
    if (left(walk) < bytes)
        return false;
    *value = 0;
    for (unsigned i = 0; i < bytes; i++)
        *value = *value << 8 | *walk->at++;
    return true;
}

static bool payload(struct msgpack *walk, uint64_t bytes) {
    if (left(walk) < bytes)
        return false;
    walk->at += bytes;
    return true;
}

static bool string_of(struct msgpack *walk, struct msgpack_value *value) {
    value->type = MSGPACK_STRING;
    value->string = (const char *)walk->at;
    return payload(walk, value->number);
}

static bool negative(struct msgpack *walk, unsigned bytes, struct msgpack_value *value) {
    if (!number(walk, bytes, &value->number))
        return false;
    unsigned unused = 64 - 8 * bytes;
    int64_t wide = (int64_t)(value->number << unused) >> unused;
    value->number = (uint64_t)wide;
    value->type = wide < 0 ? MSGPACK_INT : MSGPACK_UINT;
    return true;
}

// Heads with the length or the count in them.
static bool next_short(struct msgpack *walk, uint8_t head, struct msgpack_value *value) {
    if (head < 0x80 || head >= 0xe0) {
        value->type = head < 0x80 ? MSGPACK_UINT : MSGPACK_INT;
        value->number = (uint64_t)(int8_t)head;
        return true;
    }
    if (head < 0xa0) {
        value->type = head < 0x90 ? MSGPACK_MAP : MSGPACK_ARRAY;
        value->number = head & 15;
        return true;
    }
    value->number = head & 31;
    return string_of(walk, value);
}

// 0xc0 to 0xdf, as the format's table lists them.
static bool next_long(struct msgpack *walk, uint8_t head, struct msgpack_value *value) {
    static const uint8_t extension[] = {1, 2, 4, 8, 16};
    switch (head) {
    case 0xc0: // nil
        return true;
    case 0xc2:
    case 0xc3:
        value->type = MSGPACK_BOOL;
        value->number = head & 1;
        return true;
    case 0xc4: // binary
    case 0xc5:
    case 0xc6:
        return number(walk, 1u << (head - 0xc4), &value->number) && payload(walk, value->number);
    case 0xc7: // extension: a length and a byte for its type
    case 0xc8:
    case 0xc9:
        return number(walk, 1u << (head - 0xc7), &value->number) &&
               payload(walk, value->number + 1);
    case 0xca: // float
        return payload(walk, 4);
    case 0xcb:
        return payload(walk, 8);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        value->type = MSGPACK_UINT;
        return number(walk, 1u << (head - 0xcc), &value->number);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return negative(walk, 1u << (head - 0xd0), value);
    case 0xd4: // extension of a fixed length
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return payload(walk, 1 + extension[head - 0xd4]);
    case 0xd9:
    case 0xda:
    case 0xdb:
        return number(walk, 1u << (head - 0xd9), &value->number) && string_of(walk, value);
    case 0xdc:
    case 0xdd:
        value->type = MSGPACK_ARRAY;
        return number(walk, 2u << (head - 0xdc), &value->number);
    case 0xde:
    case 0xdf:
        value->type = MSGPACK_MAP;
        return number(walk, 2u << (head - 0xde), &value->number);
    default:
        return false;
    }
}

bool msgpack_next(struct msgpack *walk, struct msgpack_value *value) {
    *value = (struct msgpack_value){MSGPACK_NONE, 0, NULL};
    if (walk->at == walk->end)
        return false;
    uint8_t head = *walk->at++;
    return head < 0xc0 || head >= 0xe0 ? next_short(walk, head, value)
                                       : next_long(walk, head, value);
}

// What is still to come is counted, not remembered. No item is shorter than a byte, so that the end
// comes before the count can overflow, whatever a head promises.
bool msgpack_skip(struct msgpack *walk) {
    struct msgpack_value value;
    for (uint64_t items = 1; items; items--) {
        if (!msgpack_next(walk, &value))
            return false;
        if (value.type == MSGPACK_ARRAY)
            items += value.number;
        else if (value.type == MSGPACK_MAP)
            items += 2 * value.number;
    }
    return true;
}

bool msgpack_is(const struct msgpack_value *value, const char *string) {
    size_t length = strlen(string);
    return value->type == MSGPACK_STRING && value->number == length &&
           memcmp(value->string, string, length) == 0;
}

bool msgpack_find(struct msgpack *walk, const char *wanted, struct msgpack_value *value) {
    struct msgpack_value map, key;
    if (!msgpack_next(walk, &map) || map.type != MSGPACK_MAP)
        return false;
    for (uint64_t i = 0; i < map.number; i++) {
        if (!msgpack_next(walk, &key) || key.type != MSGPACK_STRING)
            return false;
        if (msgpack_is(&key, wanted))
            return msgpack_next(walk, value);
        if (!msgpack_skip(walk))
            return false;
    }
    return false;
}

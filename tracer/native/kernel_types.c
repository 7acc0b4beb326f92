// Names by the Itanium C++ ABI, read as far as kernels' names go. What is met that is not known
// here sets `at` to null, and everything above then gives up.
#include "kernel_types.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DEEPEST = 64, MOST_PARTS = 256 };
enum type { OTHER, CONST, POINTER_TO_CONST };

struct walk {
    const char *at; // null: not understood
    unsigned depth;
    unsigned parts; // what can be named again as "S_", "S0_", "S1_" and so on
    uint8_t part[MOST_PARTS];
};

static enum type read_type(struct walk *walk);
static void read_encoding(struct walk *walk);

static void give_up(struct walk *walk) { walk->at = NULL; }

static char next(const struct walk *walk) { return walk->at ? *walk->at : 0; }

static bool take(struct walk *walk, char letter) {
    if (next(walk) != letter)
        return false;
    walk->at++;
    return true;
}

static void expect(struct walk *walk, char letter) {
    if (!take(walk, letter))
        give_up(walk);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static enum type add(struct walk *walk, enum type type) {
    if (walk->parts == MOST_PARTS)
        give_up(walk);
    else
        walk->part[walk->parts++] = (uint8_t)type;
    return type;
}

static bool deeper(struct walk *walk) {
    if (++walk->depth > DEEPEST)
        give_up(walk);
    return walk->at;
}

// Its length, then itself.
static void read_source_name(struct walk *walk) {
    size_t length = 0;
    while (is_digit(next(walk)) && length < 4096)
        length = length * 10 + (size_t)(*walk->at++ - '0');
    if (walk->at && length && strnlen(walk->at, length) == length)
        walk->at += length;
    else
        give_up(walk);
}

static void skip_digits(struct walk *walk) {
    while (is_digit(next(walk)))
        walk->at++;
}

// Behind "L": a value of a type, or a function.
static void read_literal(struct walk *walk) {
    if (next(walk) == '_' && walk->at[1] == 'Z') {
        walk->at += 2;
        read_encoding(walk);
    } else {
        read_type(walk);
        while (is_digit(next(walk)) || is_lower(next(walk)))
            walk->at++;
    }
    expect(walk, 'E');
}

// Behind "X": a function's address. Other expressions are not read.
static void read_expression(struct walk *walk) {
    if (next(walk) == 'a' && walk->at[1] == 'd')
        walk->at += 2;
    expect(walk, 'L');
    read_literal(walk);
    expect(walk, 'E');
}

// Behind "I" or "J", with the "E".
static void read_arguments(struct walk *walk) {
    deeper(walk);
    while (walk->at && !take(walk, 'E')) {
        if (take(walk, 'L'))
            read_literal(walk);
        else if (take(walk, 'X'))
            read_expression(walk);
        else if (take(walk, 'J'))
            read_arguments(walk);
        else
            read_type(walk);
    }
    walk->depth--;
}

static enum type with_arguments(struct walk *walk, enum type type) {
    if (!take(walk, 'I'))
        return type;
    read_arguments(walk);
    return add(walk, OTHER);
}

// Behind "S": what was there before, or a name of the standard library.
static enum type read_again(struct walk *walk) {
    unsigned which = 0;
    if (take(walk, 't')) {
        read_source_name(walk);
        return add(walk, OTHER);
    }
    if (is_lower(next(walk))) {
        walk->at++;
        return OTHER;
    }
    if (take(walk, '_'))
        return walk->parts ? walk->part[0] : OTHER;
    for (char c; (c = next(walk)) && c != '_' && which < MOST_PARTS; walk->at++)
        which = which * 36 + (unsigned)(is_digit(c) ? c - '0' : c - 'A' + 10);
    expect(walk, '_');
    if (which + 1 >= walk->parts)
        give_up(walk);
    return walk->at ? walk->part[which + 1] : OTHER;
}

// Behind "N", with the "E": parts that are each added, but for a function's own name. Whether the
// last are template arguments.
static bool read_nested(struct walk *walk, bool function) {
    bool arguments = false;
    while (next(walk) == 'K' || next(walk) == 'V' || next(walk) == 'r')
        walk->at++;
    while (walk->at && *walk->at != 'E') {
        bool again = take(walk, 'S');
        arguments = !again && take(walk, 'I');
        if (again) {
            read_again(walk);
            continue;
        }
        if (arguments) {
            read_arguments(walk);
        } else if (take(walk, 'T')) {
            skip_digits(walk);
            expect(walk, '_');
        } else {
            take(walk, 'L');
            read_source_name(walk);
        }
        if (next(walk) != 'E' || !function)
            add(walk, OTHER);
    }
    expect(walk, 'E');
    return arguments;
}

static void read_d_type(struct walk *walk) {
    if (take(walk, 'F')) { // _Float16 and the like
        skip_digits(walk);
        if (!take(walk, 'b') && !take(walk, 'x'))
            expect(walk, '_');
    } else if (take(walk, 'v')) { // a vector of as many
        skip_digits(walk);
        expect(walk, '_');
        read_type(walk);
        add(walk, OTHER);
    } else if (next(walk) && strchr("defhisaucn", *walk->at)) {
        walk->at++;
    } else { // packs, decltype
        give_up(walk);
    }
}

static enum type read_qualified(struct walk *walk) {
    bool is_const = false;
    while (next(walk) == 'r' || next(walk) == 'V' || next(walk) == 'K')
        is_const |= *walk->at++ == 'K';
    enum type of = read_type(walk);
    return add(walk, is_const ? CONST : of);
}

static enum type read_one_type(struct walk *walk) {
    char letter = next(walk);
    if (is_digit(letter)) {
        read_source_name(walk);
        return with_arguments(walk, add(walk, OTHER));
    }
    if (letter == 'r' || letter == 'V' || letter == 'K')
        return read_qualified(walk);
    if (!letter) {
        give_up(walk);
        return OTHER;
    }
    walk->at++;
    switch (letter) {
    case 'P':
        return add(walk, read_type(walk) == CONST ? POINTER_TO_CONST : OTHER);
    case 'R':
    case 'O':
        read_type(walk);
        return add(walk, OTHER);
    case 'N':
        read_nested(walk, false);
        return OTHER;
    case 'S':
        return with_arguments(walk, read_again(walk));
    case 'T':
        skip_digits(walk);
        expect(walk, '_');
        return with_arguments(walk, add(walk, OTHER));
    case 'F':
        while (walk->at && !take(walk, 'E'))
            read_type(walk);
        return add(walk, OTHER);
    case 'A':
        skip_digits(walk);
        expect(walk, '_');
        read_type(walk);
        return add(walk, OTHER);
    case 'D':
        read_d_type(walk);
        return OTHER;
    case 'u':
        read_source_name(walk);
        return add(walk, OTHER);
    default:
        if (!is_lower(letter))
            give_up(walk);
        return OTHER; // built in
    }
}

static enum type read_type(struct walk *walk) {
    enum type type = deeper(walk) ? read_one_type(walk) : OTHER;
    walk->depth--;
    return type;
}

// A function's name. Whether it is a template's, whose return type comes before its parameters.
static bool read_name(struct walk *walk) {
    take(walk, 'L'); // of its file alone
    if (take(walk, 'N'))
        return read_nested(walk, true);
    if (take(walk, 'S'))
        read_again(walk);
    else
        read_source_name(walk);
    if (!take(walk, 'I'))
        return false;
    add(walk, OTHER);
    read_arguments(walk);
    return true;
}

// A function's name and types, up to what ends the whole.
static void read_encoding(struct walk *walk) {
    if (deeper(walk))
        read_name(walk);
    while (next(walk) && *walk->at != 'E')
        read_type(walk);
    walk->depth--;
}

static bool is_over(const struct walk *walk) {
    return walk->at && (!*walk->at || *walk->at == '.'); // a suffix that compilers add
}

struct kernel_types kernel_types_of(const char *mangled) {
    struct kernel_types types = {0};
    struct walk walk = {.at = mangled};
    expect(&walk, '_');
    expect(&walk, 'Z');
    if (read_name(&walk))
        read_type(&walk); // what it returns
    if (walk.at && walk.at[0] == 'v' && !walk.at[1])
        return types;
    while (walk.at && !is_over(&walk) && types.told < KERNEL_TYPES) {
        enum type type = read_type(&walk);
        if (!walk.at)
            return types;
        if (type == POINTER_TO_CONST)
            types.pointers_to_const |= 1ull << types.told;
        types.told++;
    }
    types.whole = types.told && is_over(&walk);
    return types;
}

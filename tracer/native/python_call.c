#include "python_call.h"
#include "process.h"
#include "python_op.h"
#include <stdlib.h>
#include <string.h>

// The arguments, in their order. Objects are told apart by where they lie, which is why they are
// held; numbers and names by what they are.
enum { KIND, LANE, PEER, EVENT, GRAPH, ACCESSES, FLAGS, DEVICE, NAME, ARGUMENTS, NAMED = PEER };
static const char *const argument_names[ARGUMENTS] = {
    "kind", "lane", "peer", "event", "graph", "accesses", "flags", "device", "name"};
static const char wanted[] = "call() takes kind, lane and, by their names, peer, event, graph, "
                             "accesses, flags, device, name";
enum { FIRST_ROOM = 1 << 8, MOST = MOST_PREPARED / 2 };

struct known {
    uint64_t hash; // 0: empty
    object_t *argument[ARGUMENTS];
    object_t *prepared;
};
static struct known *table;
static size_t room, used;
static uint32_t oldest;   // number of the call that was prepared first of them
static uint32_t known_in; // life of the image that the table is of
static object_t *prepare, *nothing;
static object_t *spelled[ARGUMENTS], *no_accesses, *no_flags;

void python_calls_by(object_t *prepared, object_t *asked) {
    prepare = asked;
    python.Py_IncRef(prepare);
    no_flags = python.PyLong_FromUnsignedLongLong(0);
    no_accesses = python.PyTuple_Pack(0);
    nothing = python.PyObject_CallFunctionObjArgs(prepared, no_flags, NULL);
    for (int i = NAMED; i < ARGUMENTS; i++)
        spelled[i] = python.PyUnicode_InternFromString(argument_names[i]);
}

static void drop(struct known *known) {
    for (int i = 0; i < ARGUMENTS; i++)
        python.Py_DecRef(known->argument[i]);
    python.Py_DecRef(known->prepared);
}

// What is given up may run code that calls anything, so the table is empty by then.
void python_forget_calls(void) {
    struct known *old = table;
    size_t old_room = room;
    table = NULL;
    room = used = 0;
    for (size_t i = 0; i < old_room; i++)
        if (old[i].hash)
            drop(&old[i]);
    free(old);
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint64_t number(object_t *value) { return python.PyLong_AsUnsignedLongLongMask(value); }

static bool is_number(int argument) { return argument == KIND || argument == FLAGS; }

static uint64_t hash_of(object_t *const *a) {
    uint64_t h = mix(number(a[KIND]), number(a[FLAGS]));
    for (int i = LANE; i <= GRAPH; i++)
        h = mix(h, (uintptr_t)a[i]);
    intptr_t many = python.PyTuple_Size(a[ACCESSES]);
    for (intptr_t i = 0; i < many; i++)
        h = mix(h, number(python.PyTuple_GetItem(a[ACCESSES], i)));
    if (a[NAME] != python_none())
        h = mix(h, (uint64_t)python.PyObject_Hash(a[NAME]));
    if (a[DEVICE] != python_none())
        h = mix(h, number(a[DEVICE]));
    return h | 1;
}

static bool same_accesses(object_t *a, object_t *b) {
    intptr_t many = python.PyTuple_Size(a);
    if (a == b)
        return true;
    if (many != python.PyTuple_Size(b))
        return false;
    for (intptr_t i = 0; i < many; i++)
        if (number(python.PyTuple_GetItem(a, i)) != number(python.PyTuple_GetItem(b, i)))
            return false;
    return true;
}

static bool same(object_t *const *a, object_t *const *b) {
    for (int i = 0; i < ARGUMENTS; i++) {
        if (a[i] == b[i])
            continue;
        if (a[i] == python_none() || b[i] == python_none())
            return false;
        if (is_number(i) || i == DEVICE) {
            if (number(a[i]) != number(b[i]))
                return false;
        } else if (i == NAME) {
            if (python.PyUnicode_Compare(a[i], b[i]) != 0)
                return false;
        } else if (i != ACCESSES || !same_accesses(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

static struct known *find(uint64_t hash, object_t *const *a) {
    if (!room)
        return NULL;
    for (size_t at = hash % room;; at = (at + 1) % room) {
        struct known *known = &table[at];
        if (!known->hash || (known->hash == hash && same(known->argument, a)))
            return known;
    }
}

static bool make_room(void) {
    if (used * 2 < room)
        return true;
    size_t more = room ? room * 2 : FIRST_ROOM;
    struct known *fresh = calloc(more, sizeof *fresh);
    if (!fresh)
        return false;
    for (size_t i = 0; i < room; i++) {
        if (!table[i].hash)
            continue;
        size_t at = table[i].hash % more;
        while (fresh[at].hash)
            at = (at + 1) % more;
        fresh[at] = table[i];
    }
    free(table);
    table = fresh;
    room = more;
    return true;
}

// To ask runs Python, which may make calls itself or end the recording: only then is there a place.
static object_t *ask(uint64_t hash, object_t *const *a) {
    uint32_t epoch = process_epoch();
    object_t *answer =
        python.PyObject_CallFunctionObjArgs(prepare, a[KIND], a[LANE], a[PEER], a[EVENT], a[GRAPH],
                                            a[ACCESSES], a[FLAGS], a[DEVICE], a[NAME], NULL);
    if (!answer || IS_ENTERED(number(answer)) || epoch != process_epoch())
        return answer;
    uint32_t which = (uint32_t)number(answer);
    if (which - oldest >= MOST) {
        oldest = which;
        python_forget_calls();
    }
    if (epoch != process_epoch() || !make_room())
        return answer;
    struct known *place = find(hash, a);
    if (place->hash)
        return answer;
    *place = (struct known){.hash = hash, .prepared = answer};
    python.Py_IncRef(answer);
    for (int i = 0; i < ARGUMENTS; i++) {
        place->argument[i] = a[i];
        python.Py_IncRef(a[i]);
    }
    used++;
    return answer;
}

static bool take_named(object_t **a, object_t *const *values, object_t *names) {
    intptr_t many = names ? python.PyTuple_Size(names) : 0;
    for (intptr_t n = 0; n < many; n++) {
        object_t *name = python.PyTuple_GetItem(names, n);
        int i = NAMED;
        while (i < ARGUMENTS && spelled[i] != name &&
               python.PyUnicode_Compare(spelled[i], name) != 0)
            i++;
        if (i == ARGUMENTS)
            return false;
        a[i] = values[n];
    }
    return true;
}

object_t *python_call_of(object_t *const *arguments, intptr_t count, object_t *names) {
    if (!atomic_load_explicit(&process.wanted, memory_order_relaxed)) {
        python.Py_IncRef(nothing);
        return nothing;
    }
    object_t *a[ARGUMENTS], *none = python_none();
    for (int i = 0; i < ARGUMENTS; i++)
        a[i] = i < count && i < NAMED ? arguments[i] : none;
    a[ACCESSES] = no_accesses;
    a[FLAGS] = no_flags;
    if (count < 1 || count > NAMED || !take_named(a, arguments + count, names)) {
        python_raise("PyExc_TypeError", wanted);
        return NULL;
    }
    object_t *accesses = python.PySequence_Tuple(a[ACCESSES]);
    if (!accesses)
        return NULL;
    a[ACCESSES] = accesses;
    if (known_in != process_epoch()) {
        known_in = process_epoch();
        python_forget_calls();
    }
    uint64_t hash = hash_of(a);
    object_t *found = NULL;
    if (!python.PyErr_Occurred()) {
        struct known *known = find(hash, a);
        found = known && known->hash ? known->prepared : NULL;
        if (found)
            python.Py_IncRef(found);
        else
            found = ask(hash, a);
    }
    python.Py_DecRef(accesses);
    return found;
}

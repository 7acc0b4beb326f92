// What Python calls: builtin functions, handed out as a dict by synctrace_python(). Numbers are
// those of tracer/kinds.py; Python's lock is held in all of them. tracer/tell.py is their caller.
#include "api_call.h"
#include "api_memory.h"
#include "api_parts.h"
#include "api_runtime.h"
#include "ggml_range.h"
#include "process.h"
#include "python_call.h"
#include "python_op.h"
#include "python_site.h"
#include "scope.h"
#include <stdatomic.h>
#include <string.h>

enum { MOST_RANGES = 4096 };

static uint64_t number(object_t *value) { return python.PyLong_AsUnsignedLongLongMask(value); }

static const char *text(object_t *value) {
    const char *found = python.PyUnicode_AsUTF8AndSize(value, NULL);
    if (found)
        return found;
    python.PyErr_Clear(); // a lone surrogate: the name is not worth an exception
    return "?";
}

static object_t *told(uint64_t value) { return python.PyLong_FromUnsignedLongLong(value); }
static object_t *truth(bool value) { return python.PyBool_FromLong(value); }

// Arguments that are no numbers raise what CPython raised.
static object_t *unless_error(object_t *result) {
    if (!python.PyErr_Occurred())
        return result;
    python.Py_DecRef(result);
    return NULL;
}

#define FUNCTION(name) static object_t *name(object_t *self, object_t *const *a, intptr_t count)
#define TAKES(n)                                                                                   \
    (void)self;                                                                                    \
    if (count != (n))                                                                              \
    return truth(false)

FUNCTION(record) { // folder, kilobytes of a ring, stacks
    TAKES(3);
    uint64_t kilobytes = number(a[1]), stacks = number(a[2]);
    if (python.PyErr_Occurred())
        return NULL;
    bool started = process_record(text(a[0]), (long)kilobytes, stacks != 0);
    if (started && !process_start()) {
        process_stop();
        started = false;
    }
    if (started) {
        python_forget();
        op_forget_calls();
    }
    return truth(started);
}

FUNCTION(stop) {
    (void)a;
    TAKES(0);
    process_stop();
    python_forget_calls();
    return truth(true);
}

// The life of this image that is recorded; 0: none is.
FUNCTION(epoch) {
    (void)a;
    TAKES(0);
    return told(atomic_load(&process.wanted) ? process_epoch() : 0);
}

FUNCTION(version) { // name, version: of what is recorded
    TAKES(2);
    if (thread_self())
        process_tell_version(text(a[0]), text(a[1]));
    return truth(true);
}

FUNCTION(hide) { // file
    TAKES(1);
    return truth(python_hide(text(a[0])));
}

// Reads kind, call, actor, peer, event, graph, walk, flags, device, ranges.
static struct python_call call_of(object_t *const *a, uint32_t *ranges) {
    intptr_t many = python.PyTuple_Size(a[9]);
    for (intptr_t i = 0; i < many && i < MOST_RANGES; i++)
        ranges[i] = (uint32_t)number(python.PyTuple_GetItem(a[9], i));
    if (many > MOST_RANGES)
        atomic_fetch_add(&process.control->untracked, (uint64_t)(many - MOST_RANGES));
    return (struct python_call){
        .kind = (uint8_t)number(a[0]),
        .call = (uint32_t)number(a[1]),
        .actor = (uint32_t)number(a[2]),
        .peer = (uint32_t)number(a[3]),
        .event = (uint32_t)number(a[4]),
        .graph = (uint32_t)number(a[5]),
        .walk = (uint32_t)number(a[6]),
        .flags = (uint32_t)number(a[7]),
        .device = (int32_t)number(a[8]),
        .ranges = ranges,
        .count = many < MOST_RANGES ? (unsigned)many : MOST_RANGES,
    };
}

FUNCTION(prepare) { // a call; its number
    TAKES(10);
    uint32_t ranges[MOST_RANGES];
    struct python_call call = call_of(a, ranges);
    if (python.PyErr_Occurred())
        return NULL;
    return told(python_prepare(&call));
}

FUNCTION(enter) { // a call that is not prepared; its number
    TAKES(10);
    uint32_t ranges[MOST_RANGES];
    struct python_call call = call_of(a, ranges);
    if (python.PyErr_Occurred())
        return NULL;
    return told(python_enter(&call));
}

// Of a class of numbers of calls: what `with` does with one. 0 stands for no call.
FUNCTION(enter_prepared) {
    (void)a, (void)count;
    uint64_t call = number(self);
    if (call && !IS_ENTERED(call))
        python_enter_prepared(call);
    return truth(true);
}

FUNCTION(leave_prepared) { // type of an exception or None, the exception, its traceback
    if (count == 3 && number(self))
        python_leave(number(self), a[0] != python_none());
    return truth(false);
}

// What Python calls as tell.call, a function with names.
static object_t *made_call(object_t *self, object_t *const *a, intptr_t count, object_t *names) {
    (void)self;
    return python_call_of(a, count, names);
}

// A subclass of int, who prepares a call that is not known.
FUNCTION(calls_by) {
    TAKES(2);
    static struct python_method on_enter = {"__enter__", enter_prepared, METHOD_FASTCALL, NULL};
    static struct python_method on_exit = {"__exit__", leave_prepared, METHOD_FASTCALL, NULL};
    object_t *enters = python.PyDescr_NewMethod(a[0], &on_enter);
    object_t *leaves = python.PyDescr_NewMethod(a[0], &on_exit);
    if (!enters || !leaves || python.PyObject_SetAttrString(a[0], "__enter__", enters) != 0 ||
        python.PyObject_SetAttrString(a[0], "__exit__", leaves) != 0)
        return NULL;
    static struct python_method call = {"call", NULL, METHOD_FASTCALL | METHOD_KEYWORDS, NULL};
    call.function =
        (object_t * (*)(object_t *, object_t *const *, intptr_t))(void (*)(void))made_call;
    python_calls_by(a[0], a[1]);
    return python.PyCFunction_NewEx(&call, NULL, NULL);
}

// A graph has another version, or an object another number.
FUNCTION(forget_calls) {
    (void)a;
    TAKES(0);
    python_forget_calls();
    return truth(true);
}

static uint64_t now(void) { return atomic_load(&process.control->ticket); }

// An object told in one record that ends in its name. Its number; 0: not recorded.
static uint64_t tell(uint32_t id, uint16_t type, void *record, size_t size, const char *name) {
    struct thread *thread = thread_self();
    bool whole = thread && thread->ring && ring_put_named(thread->ring, type, record, size, name);
    return whole ? id : 0;
}

// What has no handle of its own is no other's next life.
static uint64_t handle(object_t *given, uint32_t id) {
    uint64_t value = number(given);
    return value ? value : id;
}

FUNCTION(actor) { // kind, name, device, flags, handle
    TAKES(5);
    uint32_t id = take_id(ID_ACTOR);
    struct record_actor record = {
        .handle = handle(a[4], id),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[2]),
        .flags = (uint32_t)number(a[3]),
        .kind = (uint32_t)number(a[0]),
    };
    return unless_error(told(tell(record.id, RECORD_ACTOR, &record, sizeof record, text(a[1]))));
}

FUNCTION(event) { // name, device, handle
    TAKES(3);
    uint32_t id = take_id(ID_EVENT);
    struct record_event record = {
        .handle = handle(a[2], id),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[1]),
    };
    return unless_error(told(tell(record.id, RECORD_EVENT, &record, sizeof record, text(a[0]))));
}

FUNCTION(storage) { // name, device, base, size, memory kind, handle
    TAKES(6);
    uint32_t id = take_id(ID_STORAGE);
    struct record_storage record = {
        .handle = handle(a[5], id),
        .base = number(a[2]),
        .size = number(a[3]),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[1]),
        .memory = (uint32_t)number(a[4]),
    };
    return unless_error(told(tell(record.id, RECORD_STORAGE, &record, sizeof record, text(a[0]))));
}

// Memory that a GPU API handed out has a storage already, and plain host memory has one where such
// an API is recorded: (its number, the offset in it of these bytes); False: there is none.
FUNCTION(storage_around) { // base, size, memory kind
    TAKES(3);
    struct thread *thread = thread_self();
    uint64_t base = number(a[0]), size = number(a[1]), offset = 0;
    uint32_t storage = thread ? memory_around(thread, base, size, &offset) : 0;
    if (thread && !storage && number(a[2]) == MEMORY_KIND_PAGEABLE && api_runtime_is_met())
        storage = memory_of_host(thread, base, size, &offset);
    if (!storage)
        return unless_error(truth(false));
    object_t *first = told(storage), *second = told(offset);
    object_t *both = first && second ? python.PyTuple_Pack(2, first, second) : NULL;
    python.Py_DecRef(first);
    python.Py_DecRef(second);
    return unless_error(both);
}

FUNCTION(range) { // storage, mode, extent, origin, usage, lo, hi, name's lo, name's hi, name
    TAKES(10);
    struct range range = {
        .storage = (uint32_t)number(a[0]),
        .mode = (uint8_t)number(a[1]),
        .extent = (uint8_t)number(a[2]),
        .origin = (uint8_t)number(a[3]),
        .usage = (uint8_t)number(a[4]),
        .lo = number(a[5]),
        .hi = number(a[6]),
        .name_lo = number(a[7]),
        .name_hi = number(a[8]),
    };
    strncpy(range.name, text(a[9]), sizeof range.name - 1);
    return unless_error(told(python_range(&range)));
}

// A number of a range of host memory, by its address: of a buffer that ggml holds, if it is one.
FUNCTION(host_range) { // address, bytes, mode, name
    TAKES(4);
    struct thread *thread = thread_self();
    if (!thread)
        return told(0);
    struct range range;
    access_of_host(thread, &range, (const void *)(uintptr_t)number(a[0]), number(a[1]),
                   (enum mode)number(a[2]));
    strncpy(range.name, text(a[3]), sizeof range.name - 1);
    return unless_error(told(python_range(&range)));
}

FUNCTION(block) { // address, bytes: handed out of memory that a GPU API gave
    TAKES(2);
    uint64_t address = number(a[0]), bytes = number(a[1]);
    if (python.PyErr_Occurred())
        return NULL;
    if (atomic_load(&process.wanted))
        part_put(address, bytes);
    return truth(true);
}

FUNCTION(graph) { // a number for a graph
    (void)a;
    TAKES(0);
    return told(take_id(ID_GRAPH));
}

static bool tell_ranges(struct thread *thread, uint32_t walk, object_t *ranges) {
    intptr_t many = python.PyTuple_Size(ranges);
    bool whole = true;
    for (intptr_t i = 0; i < many; i++) {
        const struct range *range =
            python_range_of((uint32_t)number(python.PyTuple_GetItem(ranges, i)));
        struct record_ranges *record = range ? ring_reserve(thread->ring, RECORD_RANGES, 1,
                                                            sizeof *record + sizeof *range, now())
                                             : NULL;
        whole &= record != NULL;
        if (!record)
            continue;
        record->walk = walk;
        record->spare = 0;
        memcpy(record + 1, range, sizeof *range);
        ring_commit(thread->ring, record);
    }
    return whole;
}

// A version of the graph: what its launches touch. The number of the walk; 0: it could not be told.
FUNCTION(captured) { // graph, ranges, nodes, operations, name
    TAKES(5);
    struct thread *thread = thread_self();
    if (!thread || !thread->ring)
        return told(0);
    uint32_t walk = take_id(ID_WALK);
    const char *operations = text(a[3]), *name = text(a[4]);
    size_t first = strnlen(operations, 199) + 1, second = strnlen(name, 199) + 1;
    if (!tell_ranges(thread, walk, a[1]))
        return unless_error(told(0));
    struct record_graph *record =
        ring_reserve(thread->ring, RECORD_GRAPH, 1, sizeof *record + first + second, now());
    if (!record)
        return told(0);
    record->handle = record->graph = (uint32_t)number(a[0]);
    record->walk = walk;
    record->nodes = (uint32_t)number(a[2]);
    record->spare = 0;
    char *names = (char *)(record + 1);
    memcpy(names, operations, first - 1);
    names[first - 1] = 0;
    memcpy(names + first, name, second - 1);
    names[first + second - 1] = 0;
    ring_commit(thread->ring, record);
    return unless_error(told(walk));
}

// A number for a function's name that the recorder's own list (call.h) has not.
FUNCTION(call_number) { // name
    TAKES(1);
    struct record_call record = {.id = op_new_call()};
    if (!record.id) {
        atomic_fetch_add(&process.control->untracked, 1);
        return told(0);
    }
    return unless_error(told(tell(record.id, RECORD_CALL, &record, sizeof record, text(a[0]))));
}

enum { NO_ROOM = UINT32_MAX }; // the number of no scope

FUNCTION(open_scope) { // kind, name; what close_scope takes, 0: there is no such kind
    TAKES(2);
    uint64_t kind = number(a[0]);
    if (python.PyErr_Occurred())
        return NULL;
    const char *name = text(a[1]);
    struct thread *thread = kind <= SCOPE_KIND_RANGE ? thread_enter() : NULL;
    if (!thread)
        return told(0);
    uint32_t id = scope_try(thread, (enum scope_kind)kind, name, NULL, (void *)UINTPTR_MAX);
    thread_leave(thread);
    return told(id ? id : NO_ROOM);
}

FUNCTION(close_scope) { // what open_scope gave
    TAKES(1);
    uint32_t id = (uint32_t)number(a[0]);
    struct thread *thread = thread_enter();
    if (thread)
        scope_close_numbered(thread, id);
    thread_leave(thread);
    return unless_error(truth(thread != NULL));
}

// Address and size of an object's bytes; False: it has none, or not one behind the other.
FUNCTION(where) { // object
    TAKES(1);
    struct python_buffer buffer;
    if (python.PyObject_GetBuffer(a[0], &buffer, BUFFER_SIMPLE) != 0) {
        python.PyErr_Clear();
        return truth(false);
    }
    object_t *address = told((uintptr_t)buffer.data), *bytes = told((uint64_t)buffer.bytes);
    python.PyBuffer_Release(&buffer);
    object_t *both = python.PyTuple_Pack(2, address, bytes);
    python.Py_DecRef(address);
    python.Py_DecRef(bytes);
    return both;
}

__attribute__((visibility("default"))) object_t *synctrace_python(void) {
#define METHOD(function)                                                                           \
    { #function, function, METHOD_FASTCALL, NULL }
    static struct python_method methods[] = {
        METHOD(record),         METHOD(stop),       METHOD(epoch),       METHOD(hide),
        METHOD(enter),          METHOD(prepare),    METHOD(calls_by),    METHOD(forget_calls),
        METHOD(actor),          METHOD(event),      METHOD(storage),     METHOD(range),
        METHOD(storage_around), METHOD(host_range), METHOD(graph),       METHOD(captured),
        METHOD(call_number),    METHOD(open_scope), METHOD(close_scope), METHOD(where),
        METHOD(version),        METHOD(block),
    };
    if (!python_found())
        return NULL;
    // What is kept here are objects of one interpreter, held by its lock.
    if (python.PyInterpreterState_GetID(python.PyInterpreterState_Get()) != 0) {
        python_raise("PyExc_RuntimeError", "this is not its main interpreter");
        return NULL;
    }
    object_t *found = python.PyDict_New();
    for (size_t i = 0; found && i < sizeof methods / sizeof *methods; i++) {
        object_t *function = python.PyCFunction_NewEx(&methods[i], NULL, NULL);
        if (!function || python.PyDict_SetItemString(found, methods[i].name, function) != 0)
            return NULL;
        python.Py_DecRef(function);
    }
    return found;
}

// Calls that Python tells, and spans of them.
#include "op.h"
#include "python_call.h"
#include "python_op.h"
#include "python_tell.h"
#include "scope.h"

enum { MOST_RANGES = 4096 };

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
static FUNCTION(enter_prepared) {
    (void)a, (void)count;
    uint64_t call = number(self);
    if (call && !IS_ENTERED(call))
        python_enter_prepared(call);
    return truth(true);
}

static FUNCTION(leave_prepared) { // type of an exception or None, the exception, its traceback
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
    static struct python_method on_enter = {"__enter__", tell_enter_prepared, METHOD_FASTCALL,
                                            NULL};
    static struct python_method on_exit = {"__exit__", tell_leave_prepared, METHOD_FASTCALL, NULL};
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

// A number for a function's name that the recorder's own list (call.h) has not.
FUNCTION(call_number) { // name
    TAKES(1);
    struct record_call record = {.id = op_new_call()};
    if (!record.id) {
        atomic_fetch_add(&process.control->untracked, 1);
        return told(0);
    }
    return unless_error(
        told(tell_object(record.id, RECORD_CALL, &record, sizeof record, text(a[0]))));
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

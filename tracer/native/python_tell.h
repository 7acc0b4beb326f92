// The functions that Python calls, by what they tell: python_tell_calls.c, python_tell_objects.c,
// python_tell_memory.c; python.c hands them out.
#pragma once
#include "python_abi.h"
#include "thread.h"

static inline uint64_t number(object_t *value) {
    return python.PyLong_AsUnsignedLongLongMask(value);
}

static inline const char *text(object_t *value) {
    const char *found = python.PyUnicode_AsUTF8AndSize(value, NULL);
    if (found)
        return found;
    python.PyErr_Clear(); // a lone surrogate: the name is not worth an exception
    return "?";
}

static inline object_t *told(uint64_t value) { return python.PyLong_FromUnsignedLongLong(value); }
static inline object_t *truth(bool value) { return python.PyBool_FromLong(value); }

// Arguments that are no numbers raise what CPython raised.
static inline object_t *unless_error(object_t *result) {
    if (!python.PyErr_Occurred())
        return result;
    python.Py_DecRef(result);
    return NULL;
}

#define FUNCTION(name) object_t *tell_##name(object_t *self, object_t *const *a, intptr_t count)
#define TAKES(n)                                                                                   \
    (void)self;                                                                                    \
    if (count != (n))                                                                              \
    return truth(false)

// An object told in one record that ends in its name. Its number; 0: not recorded.
uint64_t tell_object(uint32_t id, uint16_t type, void *record, size_t size, const char *name);

// X(name), each a builtin function of Python.
#define PYTHON_TELLS(X)                                                                            \
    X(record)                                                                                      \
    X(stop)                                                                                        \
    X(epoch)                                                                                       \
    X(hide)                                                                                        \
    X(enter)                                                                                       \
    X(prepare)                                                                                     \
    X(calls_by)                                                                                    \
    X(forget_calls)                                                                                \
    X(actor)                                                                                       \
    X(event)                                                                                       \
    X(storage)                                                                                     \
    X(range)                                                                                       \
    X(storage_around)                                                                              \
    X(host_range)                                                                                  \
    X(graph)                                                                                       \
    X(captured)                                                                                    \
    X(call_number)                                                                                 \
    X(open_scope)                                                                                  \
    X(close_scope)                                                                                 \
    X(where)                                                                                       \
    X(version)                                                                                     \
    X(block)
#define DECLARE(name) FUNCTION(name);
PYTHON_TELLS(DECLARE)
#undef DECLARE

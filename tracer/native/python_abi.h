// The functions of CPython that the recorder calls, looked up by name: nothing is linked, and a
// program without Python is not concerned.
// Source: Include/*.h of CPython 3.11 to 3.14 (PSF licence); all of the stable ABI but the frame
// functions, which are public since 3.9 (get_back) and 3.11 (get_lasti).
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct python_object object_t;

// PyMethodDef: a function and how it takes its arguments.
struct python_method {
    const char *name;
    object_t *(*function)(object_t *self, object_t *const *arguments, intptr_t count);
    int flags;
    const char *doc;
};
enum { METHOD_FASTCALL = 0x80, METHOD_KEYWORDS = 0x02 };

// Py_buffer, of the stable ABI since 3.11.
struct python_buffer {
    void *data;
    object_t *owner;
    intptr_t bytes, item;
    int readonly, dimensions;
    char *format;
    intptr_t *shape, *strides, *suboffsets;
    void *internal;
};
enum { BUFFER_SIMPLE = 0 };

#define PYTHON_FUNCTIONS(X)                                                                        \
    X(void, Py_DecRef, (object_t *))                                                               \
    X(void, Py_IncRef, (object_t *))                                                               \
    X(object_t *, PyBool_FromLong, (long))                                                         \
    X(object_t *, PyCFunction_NewEx, (struct python_method *, object_t *, object_t *))             \
    X(object_t *, PyDict_New, (void))                                                              \
    X(int, PyDict_SetItemString, (object_t *, const char *, object_t *))                           \
    X(object_t *, PyLong_FromUnsignedLongLong, (unsigned long long))                               \
    X(unsigned long long, PyLong_AsUnsignedLongLongMask, (object_t *))                             \
    X(object_t *, PyErr_Occurred, (void))                                                          \
    X(void, PyErr_SetString, (object_t *, const char *))                                           \
    X(void, PyErr_Clear, (void))                                                                   \
    X(object_t *, PyTuple_Pack, (intptr_t, ...))                                                   \
    X(intptr_t, PyTuple_Size, (object_t *))                                                        \
    X(object_t *, PyTuple_GetItem, (object_t *, intptr_t))                                         \
    X(const char *, PyUnicode_AsUTF8AndSize, (object_t *, intptr_t *))                             \
    X(int, PyObject_GetBuffer, (object_t *, struct python_buffer *, int))                          \
    X(void, PyBuffer_Release, (struct python_buffer *))                                            \
    X(object_t *, PyDescr_NewMethod, (object_t *, struct python_method *))                         \
    X(object_t *, PyObject_CallFunctionObjArgs, (object_t *, ...))                                 \
    X(intptr_t, PyObject_Hash, (object_t *))                                                       \
    X(object_t *, PySequence_Tuple, (object_t *))                                                  \
    X(object_t *, PyUnicode_InternFromString, (const char *))                                      \
    X(int, PyUnicode_Compare, (object_t *, object_t *))                                            \
    X(int, PyObject_SetAttrString, (object_t *, const char *, object_t *))                         \
    X(object_t *, PyObject_GetAttrString, (object_t *, const char *))                              \
    X(void *, PyInterpreterState_Get, (void))                                                      \
    X(int64_t, PyInterpreterState_GetID, (void *))                                                 \
    X(object_t *, PyEval_GetFrame, (void))                                                         \
    X(object_t *, PyFrame_GetBack, (object_t *))                                                   \
    X(object_t *, PyFrame_GetCode, (object_t *))                                                   \
    X(int, PyFrame_GetLasti, (object_t *))                                                         \
    X(int, PyFrame_GetLineNumber, (object_t *))

struct python {
#define MEMBER(result, name, arguments) result(*name) arguments;
    PYTHON_FUNCTIONS(MEMBER)
#undef MEMBER
};
extern struct python python;
object_t *python_none(void);
// Raise an exception by its name in C ("PyExc_…").
void python_raise(const char *exception, const char *sentence);

// True once every function was found.
bool python_found(void);

// What Python calls: builtin functions, handed out as a dict by synctrace_python(). Numbers are
// those of tracer/kinds.py; Python's lock is held in all of them. tracer/tell.py is their caller.
#include "op.h"
#include "python_call.h"
#include "python_op.h"
#include "python_site.h"
#include "python_tell.h"

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
    static struct python_method methods[] = {
#define METHOD(name) {#name, tell_##name, METHOD_FASTCALL, NULL},
        PYTHON_TELLS(METHOD)
#undef METHOD
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

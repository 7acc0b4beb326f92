// Bytes that Python's calls touch, of memory that is known here and of other.
#include "api_memory.h"
#include "api_parts.h"
#include "api_runtime.h"
#include "ggml_range.h"
#include "python_op.h"
#include "python_tell.h"
#include <string.h>

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

#include "python_abi.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct python python;
static object_t *none, **type_error;

object_t *python_none(void) { return none; }
object_t *python_type_error(void) { return *type_error; }

bool python_found(void) {
    bool all = true;
#define FIND(result, name, arguments)                                                              \
    {                                                                                              \
        void *found = dlsym(RTLD_DEFAULT, #name);                                                  \
        memcpy(&python.name, &found, sizeof found);                                                \
        all &= found != NULL;                                                                      \
    }
    PYTHON_FUNCTIONS(FIND)
#undef FIND
    none = dlsym(RTLD_DEFAULT, "_Py_NoneStruct");
    type_error = dlsym(RTLD_DEFAULT, "PyExc_TypeError");
    return all && none && type_error;
}

#include "python_abi.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct python python;
static object_t *none;

object_t *python_none(void) { return none; }
void python_raise(const char *exception, const char *sentence) {
    object_t **found = dlsym(RTLD_DEFAULT, exception);
    if (found)
        python.PyErr_SetString(*found, sentence);
}

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
    return all && none;
}

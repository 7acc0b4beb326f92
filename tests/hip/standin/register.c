// A stand-in of librocprofiler-register.so.0: gives the runtime's tables to a tool that wants them.
//
// A tool is there if a loaded library has both `rocprofiler_configure` and
// `rocprofiler_set_api_table`, or if ROCPROFILER_REGISTER_LIBRARY names one that has the latter.
// ROCPROFILER_REGISTER_ENABLED=0 turns it off. Return codes as far as a runtime may see them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

enum { SUCCESS = 0, NO_TOOLS = 1, BAD_ARGUMENT = 3, TOOL_FAILED = 6 };
typedef int (*set_api_table)(const char *name, uint64_t version, uint64_t instance, void **tables,
                             uint64_t count);

static set_api_table in(void *library) {
    return (set_api_table)(uintptr_t)dlsym(library, "rocprofiler_set_api_table");
}

static set_api_table tool(void) {
    if (dlsym(RTLD_DEFAULT, "rocprofiler_configure") && in(RTLD_DEFAULT))
        return in(RTLD_DEFAULT);
    const char *name = getenv("ROCPROFILER_REGISTER_LIBRARY");
    void *library = name && *name ? dlopen(name, RTLD_NOW | RTLD_GLOBAL) : NULL;
    return library ? in(library) : NULL;
}

int rocprofiler_register_library_api_table(const char *name, uint32_t (*import)(void),
                                           uint32_t version, void **tables, uint64_t count,
                                           uint64_t *id);
int rocprofiler_register_library_api_table(const char *name, uint32_t (*import)(void),
                                           uint32_t version, void **tables, uint64_t count,
                                           uint64_t *id) {
    static uint64_t registered;
    const char *enabled = getenv("ROCPROFILER_REGISTER_ENABLED");
    if (!name || !import || !tables || count != 1 || !id)
        return BAD_ARGUMENT;
    if (enabled && *enabled == '0')
        return NO_TOOLS;
    set_api_table give = tool();
    if (!give)
        return NO_TOOLS;
    *id = __atomic_fetch_add(&registered, 1, __ATOMIC_RELAXED);
    return give(name, version, 0, tables, count) ? TOOL_FAILED : SUCCESS;
}

// A HIP runtime without a GPU: libamdhip64.so.5, .6 and .7 with the real ABI, for tests.
//
// Streams are worker threads, device memory is host memory, and a kernel is a C function that the
// test's program gives (standin_kernel of hip.h). What orders what, what waits and what does not,
// follows ROCm's clr at 6.3 as docs/ and the tests of this folder tell it rule by rule; each source
// file here begins with the rules it keeps.
//
// What a test on it proves: the calls reach the recorder by the real routes (symbol versions, a
// dispatch table of the real layout, rocprofiler-register), with real handles, addresses and return
// codes; and a program whose calls do not order two accesses is seen to corrupt real bytes, here,
// by delays, while its repaired form never does. What it does not prove: that any HIP on any GPU
// behaves so, nor anything about time, memory visibility (host memory is coherent here: the fence
// flags of events change nothing), real code objects, or kernels of real software, which do nothing
// here.
//
// Simplified, where clr differs: the wait between the legacy and the blocking streams is taken at
// one instant under a lock; branches of graphs and elements of batches are done by at most 64
// threads a device; a disabled node of a graph still orders; memory of a graph's allocation nodes
// is there from when the node is made; a pool's block is not given to a stream because that waited
// for an event; IPC handles work within the process alone; a child of fork begins with no streams;
// no arrays, textures, external memory or semaphores. What is not there returns
// hipErrorNotSupported.
//
// Environment, read once (settings.c):
//   STANDIN_DEVICES     how many devices (1); 0 is a machine without a GPU
//   STANDIN_DELAY_US    before each copy, memset, kernel and value, in microseconds (0)
//   STANDIN_SEED        draws each delay between none and twice the set one (of 1000 if none is
//   set),
//                       in the order of each stream's calls: a seed gives the same delays again
//   STANDIN_VERSION     what hipRuntimeGetVersion says, e.g. 60342134
//   STANDIN_INTEGRATED  1: the devices share the host's memory, as an APU's do
//   STANDIN_PEERS       0: no device reaches another's memory; copies between them block the host
//   STANDIN_OTHERS      the architecture of all devices but the first, e.g. gfx1100
//   STANDIN_ACCEPTS     1: what is not there returns hipSuccess, and does nothing
//   STANDIN_COUNTS      a file that gets "FUNCTION CALLS" lines at exit: what came here by whatever
//                       way, and whether or not anybody stands in front of a function
#include "standin.h"
#include <dlfcn.h>
#include <string.h>

// The tables, as the generated exports jump through them: the size in bytes, then a pointer a
// function. `standin_ready` is set when whoever registered has had the table.
extern uint64_t standin_runtime_table[], standin_compiler_table[];
extern unsigned char standin_ready[2];
extern const struct export {
    const char *name;
    void *address;
}
standin_exports[];
extern const char *const standin_slots[]; // names of the runtime's table
extern const int standin_slot_count;

// --- Handing over the tables, as ROCm 6 and later do at the first call of each ---

typedef int (*register_tables)(const char *name, uint32_t (*import)(void), uint32_t version,
                               void **tables, uint64_t count, uint64_t *id);

uint32_t rocprofiler_register_import_hip(void);
uint32_t rocprofiler_register_import_hip(void) { return 0; } // it says which library this is

static void hand_over(int compiler) {
    void *library = dlopen("librocprofiler-register.so.0", RTLD_NOW | RTLD_LOCAL);
    register_tables give =
        library
            ? (register_tables)(uintptr_t)dlsym(library, "rocprofiler_register_library_api_table")
            : NULL;
    void *table = compiler ? standin_compiler_table : standin_runtime_table;
    uint32_t v = (uint32_t)standin_settings.version; // major, minor, patch: 1, 2 and 5 digits
    uint32_t version = v / 10000000 * 10000 + v / 100000 % 100 * 100;
    uint64_t id;
    if (give)
        give(compiler ? "hip_compiler" : "hip", rocprofiler_register_import_hip, version, &table, 1,
             &id);
}

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static __thread bool inside; // what registers may call HIP itself

// Before the first call through a table goes through it (the exports call this).
void standin_start(int compiler) {
    if (inside)
        return;
    pthread_mutex_lock(&starting);
    inside = true;
    if (!standin_ready[compiler]) {
        if (standin_major > 5)
            hand_over(compiler);
        __atomic_store_n(&standin_ready[compiler], 1, __ATOMIC_RELEASE);
    }
    inside = false;
    pthread_mutex_unlock(&starting);
}

// --- Asking for functions by name: the exports, which go through the tables ---

static void *address_of(const char *symbol) {
    for (const struct export *e = standin_exports; e->name; e++)
        if (!strcmp(e->name, symbol))
            return e->address;
    return NULL;
}

hipError_t impl_hipGetProcAddress(const char *symbol, void **function, int version, uint64_t flags,
                                  hipDriverProcAddressQueryResult *status) {
    (void)version, (void)flags;
    if (!symbol || !function)
        return fail(hipErrorInvalidValue);
    *function = address_of(symbol);
    if (status)
        *status = *function ? HIP_GET_PROC_ADDRESS_SUCCESS : HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *function ? hipSuccess : fail(hipErrorNotFound);
}

// Ids of functions are theirs of the profiling interface; here they are slots of the table.
const char *impl_hipApiName(uint32_t id) {
    return id < (uint32_t)standin_slot_count ? standin_slots[id] : "unknown";
}

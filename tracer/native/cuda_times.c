#include "cuda_times.h"
#include "api_times.h"
#include "cuda.h"
#include "cuda_records.h"
#include "cupti.h"
#include "loaded.h"
#include "process.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where CUPTI may be, one path behind the other, in the order of preference; set by `record`.
#define CANDIDATES "SYNCTRACE_DEVICE_TIMES"

enum { PATH_BYTES = 4096, LAST_CALLBACK = 4096 };

bool (*_Atomic api_time)(uint64_t op);
void (*_Atomic api_timed)(void);

static struct cupti cupti;
static _Atomic uint32_t begun_in; // epoch in which they began to be taken; 0: never
static _Atomic uint32_t asked;    // the newest version that the program asked functions of
static _Atomic bool own_profiler, graphs_stay;
static _Atomic uint32_t status, found_version, needed, answer; // enum device_times and why

static bool is_on(void) {
    return atomic_load_explicit(&begun_in, memory_order_relaxed) == process_epoch();
}

void cuda_times_asked(int version) {
    uint32_t known = atomic_load_explicit(&asked, memory_order_relaxed);
    while (version > 0 && (uint32_t)version > known)
        if (atomic_compare_exchange_weak(&asked, &known, (uint32_t)version))
            return;
}

void cuda_times_tell(void) {
    struct control *control = process.control;
    uint32_t cuda = atomic_load(&found_version);
    char text[16];
    snprintf(text, sizeof text, "%u.%u", cuda / 1000, cuda % 1000 / 10);
    if (cuda)
        process_tell_version("CUPTI", text);
    atomic_store(&control->cupti, atomic_load(&found_version));
    atomic_store(&control->cuda_needed, atomic_load(&needed));
    atomic_store(&control->cupti_answer, atomic_load(&answer));
    // Of a child that was forked since, CUPTI knows nothing.
    bool of_parent = atomic_load(&status) == DEVICE_TIMES_TAKEN && !is_on();
    atomic_store(&control->device_times, of_parent ? DEVICE_TIMES_NONE : atomic_load(&status));
}

static void say(enum device_times how) {
    atomic_store(&status, how);
    if (atomic_load(&process.ready) == process_epoch())
        cuda_times_tell();
}

static uint32_t version_of_driver(void) {
    int (*ask)(int *) = (int (*)(int *))cuda_unrecorded("cuDriverGetVersion");
    int version = 0;
    return ask && ask(&version) == 0 && version > 0 ? (uint32_t)version : 0;
}

// False: of another version than can be used, or of none, which is said.
static bool suits(void *library) {
    int (*ask)(uint32_t *) = (int (*)(uint32_t *))plain_dlsym(library, "cuptiGetVersion");
    uint32_t version = 0;
    int rc = ask ? ask(&version) : CUPTI_NOT_INITIALIZED;
    atomic_store(&answer, (uint32_t)rc);
    atomic_store(&status, DEVICE_TIMES_REFUSED);
    if (rc)
        return false;
    uint32_t cuda = cupti_cuda_version(version);
    bool old = cuda < atomic_load(&needed) || !cupti_take(&cupti, library);
    atomic_store(&found_version, cuda);
    atomic_store(&status, old ? DEVICE_TIMES_OLD : DEVICE_TIMES_NEW);
    return !old && cupti_is_known(version);
}

// Two of them in one process would keep each other from the driver: one that is there is used.
static bool find(const char *paths) {
    static _Atomic(void *) there;
    char path[PATH_BYTES];
    atomic_store(&status, DEVICE_TIMES_NO_LIBRARY);
    void *library = loaded_library("libcupti.so", &there);
    if (library)
        return suits(library);
    while (*paths) {
        size_t length = strcspn(paths, ":");
        if (length && length < sizeof path) {
            memcpy(path, paths, length);
            path[length] = 0;
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (library && suits(library))
                return true;
            if (library)
                dlclose(library);
        }
        paths += length + (paths[length] == ':');
    }
    return false;
}

// Afterwards the program's profiler reads this clock, unless it brings its own: CUPTI's.
static uint64_t clock_of_records(void) {
    return (uint64_t)clock_ns(atomic_load(&own_profiler) ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

static const int kinds[] = {CUPTI_EXTERNAL_CORRELATION, CUPTI_MEMCPY, CUPTI_MEMSET,
                            CUPTI_MEMCPY_PEER,          CUPTI_KERNEL, CUPTI_GRAPH_TRACE};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool gives_device_work(const char *name) {
    static const char *const begins[] = {"cuLaunch", "cuMemcpy", "cuMemset", "cuGraphLaunch"};
    for (unsigned i = 0; i < 4; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return library_named(&cuda_library, name) < CUDA_COUNT;
    return false;
}

// A correlation is told with a record of the call itself, so those are asked for as well, but of no
// other call: each has its price.
static int of_calls(bool enable) {
    const char *name = NULL;
    int rc = 0;
    for (uint32_t id = 1; id < LAST_CALLBACK && !rc; id++) {
        if (cupti.cuptiGetCallbackName(CUPTI_DRIVER_API, id, &name) != 0)
            break;
        if (name && gives_device_work(name))
            rc = cupti.cuptiActivityEnableDriverApi(id, enable);
    }
    return rc;
}

// Graph launches are never switched off while there can be an executable: CUPTI crashed at that.
static void disable(bool all) {
    of_calls(false);
    for (unsigned i = 0; i < KINDS; i++)
        if (all || kinds[i] != CUPTI_GRAPH_TRACE)
            cupti.cuptiActivityDisable(kinds[i]);
}

static int enable(void) {
    int rc = cupti.cuptiActivityRegisterTimestampCallback(clock_of_records);
    rc = rc ? rc : cupti.cuptiActivityRegisterCallbacks(cuda_records_request, cuda_records_take);
    for (unsigned i = 0; i < KINDS && !rc; i++)
        rc = cupti.cuptiActivityEnable(kinds[i]);
    rc = rc ? rc : of_calls(true);
    if (rc)
        disable(true);
    return rc;
}

static bool begin_op(uint64_t op) {
    return is_on() && cupti.cuptiActivityPushExternalCorrelationId(CUPTI_OF_RECORDER, op) == 0;
}

static void end_op(void) { cupti.cuptiActivityPopExternalCorrelationId(CUPTI_OF_RECORDER, NULL); }

// Handlers that the program registered since have run. What the device has not done by now has no
// times.
static void at_end(void) {
    if (!is_on() || atomic_load(&own_profiler))
        return;
    atomic_store(&api_time, NULL);
    cuda_records_flush();
}

static enum device_times begin(const char *paths) {
    const char *tool = getenv("CUDA_INJECTION64_PATH");
    if (tool && *tool)
        return DEVICE_TIMES_INJECTED;
    if (atomic_load(&own_profiler))
        return DEVICE_TIMES_GIVEN_UP;
    atomic_store(&needed, atomic_load(&asked) ? atomic_load(&asked) : version_of_driver());
    if (!find(paths))
        return (enum device_times)atomic_load(&status);
    cuda_records_begin(&cupti);
    int rc = enable();
    atomic_store(&answer, (uint32_t)rc);
    if (rc)
        return rc == CUPTI_SLOT_TAKEN ? DEVICE_TIMES_OCCUPIED : DEVICE_TIMES_REFUSED;
    atomic_store(&begun_in, process_epoch());
    atomic_store(&api_timed, end_op);
    atomic_store(&api_time, begin_op);
    atexit(at_end);
    return DEVICE_TIMES_TAKEN;
}

void cuda_times_begin(int rc) {
    static _Atomic bool tried;
    const char *paths = rc == 0 && process_wanted() ? getenv(CANDIDATES) : NULL;
    if (paths && !atomic_exchange(&tried, true))
        say(begin(paths));
}

void cuda_times_graph_made(void) {
    atomic_store_explicit(&graphs_stay, true, memory_order_relaxed);
}

// What was measured until now is taken; no buffer of ours is left for the program's profiler.
void cuda_times_give_up(void) {
    if (atomic_exchange(&own_profiler, true) || !is_on())
        return;
    atomic_store(&api_time, NULL);
    cupti.cuptiActivityFlushAll(0);
    disable(!atomic_load(&graphs_stay));
    cuda_records_flush();
    say(DEVICE_TIMES_GIVEN_UP);
}

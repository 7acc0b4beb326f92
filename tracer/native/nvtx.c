// Ranges, marks and names that a program tells by NVTX, as scopes and names of the trace.
#include "nvtx.h"
#include "api_stream.h"
#include "op.h"
#include "ranges.h"
#include <stdlib.h>

// Of a thread by its number in the system, of a stream or an event by its own in the trace.
static void tell_name(enum named what, uint64_t which, const char *name) {
    struct thread *thread = thread_enter();
    struct record_name record = {.which = which, .what = what};
    if (thread && thread->ring && name && *name)
        ring_put_named(thread->ring, RECORD_NAME, &record, sizeof record, name);
    thread_leave(thread);
}

static void name_stream(void *handle, const char *name) {
    const struct api_stream *stream =
        (uintptr_t)handle >= API_SPECIAL_STREAMS ? api_stream_find(handle) : NULL;
    if (stream)
        tell_name(NAMED_ACTOR, stream->handle.id, name);
}

static void name_event(void *handle, const char *name) {
    const struct api_event *event = api_event_find(handle);
    if (event)
        tell_name(NAMED_EVENT, event->handle.id, name);
}

#define CALLER CALL_nvtxMark, __builtin_return_address(0), OP_FRAME()
#define WIDE(text) nvtx_utf8(text, (char[NVTX_TEXT]){0})
#define MESSAGE(event) nvtx_message_of(event, (char[NVTX_TEXT]){0})
typedef struct nvtx_domain *domain_t;
typedef const struct nvtx_event *event_t;

static void mark_event(event_t event) { range_mark(NULL, MESSAGE(event), CALLER); }
static void mark_ascii(const char *text) { range_mark(NULL, text, CALLER); }
static void mark_wide(const wchar_t *text) { range_mark(NULL, WIDE(text), CALLER); }
static uint64_t start_event(event_t event) { return range_start(NULL, MESSAGE(event)); }
static uint64_t start_ascii(const char *text) { return range_start(NULL, text); }
static uint64_t start_wide(const wchar_t *text) { return range_start(NULL, WIDE(text)); }
static int push_event(event_t event) { return range_push(NULL, MESSAGE(event)); }
static int push_ascii(const char *text) { return range_push(NULL, text); }
static int push_wide(const wchar_t *text) { return range_push(NULL, WIDE(text)); }
static int pop_default(void) { return range_pop(NULL); }
static void name_thread(uint32_t number, const char *name) {
    tell_name(NAMED_THREAD, number, name);
}
static void name_thread_wide(uint32_t number, const wchar_t *name) {
    tell_name(NAMED_THREAD, number, WIDE(name));
}
static void name_stream_wide(void *stream, const wchar_t *name) { name_stream(stream, WIDE(name)); }
static void name_event_wide(void *event, const wchar_t *name) { name_event(event, WIDE(name)); }

static void domain_mark(domain_t domain, event_t event) {
    range_mark(domain, MESSAGE(event), CALLER);
}
static uint64_t domain_start(domain_t domain, event_t event) {
    return range_start(domain, MESSAGE(event));
}
static void domain_end(domain_t domain, uint64_t range) {
    (void)domain;
    range_end(range);
}
static int domain_push(domain_t domain, event_t event) {
    return range_push(domain, MESSAGE(event));
}
static const char *registered(domain_t domain, const char *text) {
    (void)domain;
    return text ? nvtx_kept(text) : NULL;
}
static const char *registered_wide(domain_t domain, const wchar_t *text) {
    (void)domain;
    return nvtx_kept(WIDE(text));
}
static domain_t domain_made(const char *name) { return nvtx_domain_made(name ? name : ""); }
static domain_t domain_made_wide(const wchar_t *name) { return nvtx_domain_made(WIDE(name)); }

static const struct {
    int module;
    unsigned number;
    nvtx_function function;
} functions[] = {
#define FUNCTION(module, number, function)                                                         \
    { module, number, (nvtx_function)function }
    FUNCTION(NVTX_CORE, 1, mark_event),         FUNCTION(NVTX_CORE, 2, mark_ascii),
    FUNCTION(NVTX_CORE, 3, mark_wide),          FUNCTION(NVTX_CORE, 4, start_event),
    FUNCTION(NVTX_CORE, 5, start_ascii),        FUNCTION(NVTX_CORE, 6, start_wide),
    FUNCTION(NVTX_CORE, 7, range_end),          FUNCTION(NVTX_CORE, 8, push_event),
    FUNCTION(NVTX_CORE, 9, push_ascii),         FUNCTION(NVTX_CORE, 10, push_wide),
    FUNCTION(NVTX_CORE, 11, pop_default),       FUNCTION(NVTX_CORE, 14, name_thread),
    FUNCTION(NVTX_CORE, 15, name_thread_wide),  FUNCTION(NVTX_CUDA, 5, name_stream),
    FUNCTION(NVTX_CUDA, 6, name_stream_wide),   FUNCTION(NVTX_CUDA, 7, name_event),
    FUNCTION(NVTX_CUDA, 8, name_event_wide),    FUNCTION(NVTX_CUDART, 3, name_stream),
    FUNCTION(NVTX_CUDART, 4, name_stream_wide), FUNCTION(NVTX_CUDART, 5, name_event),
    FUNCTION(NVTX_CUDART, 6, name_event_wide),  FUNCTION(NVTX_CORE2, 1, domain_mark),
    FUNCTION(NVTX_CORE2, 2, domain_start),      FUNCTION(NVTX_CORE2, 3, domain_end),
    FUNCTION(NVTX_CORE2, 4, domain_push),       FUNCTION(NVTX_CORE2, 5, range_pop),
    FUNCTION(NVTX_CORE2, 10, registered),       FUNCTION(NVTX_CORE2, 11, registered_wide),
    FUNCTION(NVTX_CORE2, 12, domain_made),      FUNCTION(NVTX_CORE2, 13, domain_made_wide),
};

// An empty path means that none is wanted; the loader takes it for the program, and finds us there.
static bool is_asked_for(void) {
    const char *library = getenv("NVTX_INJECTION64_PATH");
    return process_wanted() && library && *library;
}

// Called by each copy of NVTX in the process, at its first use. 0: it does without a tool.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_tables tables) {
    const struct nvtx_callbacks *callbacks = tables ? tables(NVTX_CALLBACKS) : NULL;
    if (!is_asked_for() || !callbacks || callbacks->size < sizeof *callbacks)
        return 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        nvtx_function **table = NULL;
        unsigned count = 0, number = functions[i].number;
        if (callbacks->table_of(functions[i].module, &table, &count) && table && number < count &&
            table[number])
            *table[number] = functions[i].function;
    }
    return 1;
}

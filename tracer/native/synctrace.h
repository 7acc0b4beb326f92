// What only the program knows: which host memory it touches, and how its threads are ordered.
//
// Run by `synctrace record -- PROGRAM` these are recorded; anywhere else they are a test of a null
// pointer. Nothing is linked: the symbols are weak, and the recorder that is preloaded has them.
//
//     #include <synctrace.h>     // python -c "import synctrace; print(synctrace.get_include())"
//
//     synctrace_host_write(tokens, bytes, "tokens"); // beside the stores that fill the buffer
//     synctrace_release(item);                       // before the store that hands work over
//     synctrace_acquire(item);                       // behind the load that saw it
#ifndef SYNCTRACE_H
#define SYNCTRACE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The host reads, or writes, these bytes about now; the label (up to 63 bytes) names them.
__attribute__((weak)) void synctrace_recorded_host_read(const void *data, size_t bytes,
                                                        const char *label);
__attribute__((weak)) void synctrace_recorded_host_write(const void *data, size_t bytes,
                                                         const char *label);
// All that this thread did before the release is there for whoever acquires the same token behind
// it. A token is any address that both sides know. An acquire takes in every release so far: if
// several items can be on their way, the token is the item and not the queue.
__attribute__((weak)) void synctrace_recorded_release(const void *token);
__attribute__((weak)) void synctrace_recorded_acquire(const void *token);
// An allocator of the program's own hands out these bytes of memory that a GPU's runtime gave it. A
// kernel whose pointer leads into the block may touch the block and not all of that memory. Where a
// block lay before it was given back.
__attribute__((weak)) void synctrace_recorded_block(const void *data, size_t bytes);
// A point of the program, and a span of it on this thread: what lies between push and pop.
__attribute__((weak)) void synctrace_recorded_mark(const char *name);
__attribute__((weak)) void synctrace_recorded_range_push(const char *name);
__attribute__((weak)) void synctrace_recorded_range_pop(void);

// Macros, so that the place in a report is the line of the program and not one of this header.
#define synctrace_host_read(data, bytes, label)                                                    \
    (synctrace_recorded_host_read ? synctrace_recorded_host_read(data, bytes, label) : (void)0)
#define synctrace_host_write(data, bytes, label)                                                   \
    (synctrace_recorded_host_write ? synctrace_recorded_host_write(data, bytes, label) : (void)0)
#define synctrace_release(token)                                                                   \
    (synctrace_recorded_release ? synctrace_recorded_release(token) : (void)0)
#define synctrace_acquire(token)                                                                   \
    (synctrace_recorded_acquire ? synctrace_recorded_acquire(token) : (void)0)
#define synctrace_block(data, bytes)                                                               \
    (synctrace_recorded_block ? synctrace_recorded_block(data, bytes) : (void)0)
#define synctrace_mark(name) (synctrace_recorded_mark ? synctrace_recorded_mark(name) : (void)0)
#define synctrace_range_push(name)                                                                 \
    (synctrace_recorded_range_push ? synctrace_recorded_range_push(name) : (void)0)
#define synctrace_range_pop()                                                                      \
    (synctrace_recorded_range_pop ? synctrace_recorded_range_pop() : (void)0)

#ifdef __cplusplus
}
#endif
#endif

// What a function of a GPU API does: the words of X_roles.txt that are no API's own. Those that
// take `rc` are of functions that are no op.
#pragma once
#include "api_call.h"

// Devices, streams and events
void api_device_was_set(int rc, int device);
void api_on_device(struct api_call *call);
void api_stream_created(struct api_call *call, void *stream, unsigned flags);
void api_waits_event(struct api_call *call, void *stream, void *event, unsigned flags);
void api_records_event(struct api_call *call, void *event, void *stream, unsigned flags);

// After a call that was told: captures that failed are over, and what a launch does for others
// (events that it records, for which the function is named) is told behind it. A query that found
// work is no failure, but no order either.
void api_leave_call(struct api_call *call, int rc, uint32_t event_record);

// Memory of the host that the device has, too
void api_allocated_host(struct api_call *call, void *memory, size_t size, unsigned flags);
void api_device_pointer(int rc, void **device, const void *host);
// Memory of the current device that nobody allocated here, such as variables of its code: outside
// of calls, and within one.
void api_global(void *address, size_t size, bool foreign);
void api_found(struct api_call *call, void *address, size_t size, bool foreign);

// Copies and fills on a stream
void api_copy_on(struct api_call *call, void *to, const void *from, size_t size, void *stream,
                 enum api_waits waits);
void api_copy_peer_on(struct api_call *call, void *to, int to_device, const void *from,
                      int from_device, size_t size, void *stream, enum api_waits waits);
void api_copy_rows_on(struct api_call *call, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t height, void *stream,
                      enum api_waits waits);
void api_set_on(struct api_call *call, void *to, size_t size, void *stream, enum api_waits waits);
void api_set_rows_on(struct api_call *call, void *to, size_t pitch, size_t width, size_t height,
                     void *stream, enum api_waits waits);

// Batches, after the call
void api_copied_batch(struct api_call *call, const void *to, const void *from, const size_t *sizes,
                      size_t count);
void api_copied_3d_batch(struct api_call *call, const void *copies, size_t count);

// Launches on several devices: the first one is told before the call, the others after it.
void api_launched_others(struct api_call *call, const void *launches, unsigned count,
                         void (*say)(struct api_call *, const void *launches, unsigned at));

// Values, after the call
void api_writes_value(struct api_call *call, void *address, uint64_t value);
void api_waits_value(struct api_call *call, void *address, uint64_t value, unsigned condition,
                     uint64_t mask);
void api_value_batch(struct api_call *call, const void *values, unsigned count);
void api_semaphores(struct api_call *call, enum kind kind, const void *semaphores,
                    const void *parameters, unsigned count);
// Of a node of a graph: the at-th of an array.
void api_value_op(struct api_call *call, const void *values, unsigned at);

// Other processes
void api_memory_opened(struct api_call *call, void *memory);
void api_memory_closes(struct api_call *call, void *memory);
void api_event_opened(struct api_call *call, void *event);
void api_event_shared(int rc, void *event);
void api_pool_memory_opened(int rc, void *const *memory);
void api_external_buffer(int rc, void *const *buffer, const void *description);
void api_graphics_memory(int rc, void *const *memory, const size_t *size);

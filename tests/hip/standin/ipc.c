// Handles of memory and events for other processes: here they are opened in the same one, and mean
// the same memory and the same event.
#include "standin.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct told { // what is in a handle's bytes
    char mark[8];
    pid_t process;
    void *object;
    unsigned long long id;
};
static const char MEMORY[8] = "memory", EVENT[8] = "event";

static bool is_own(const void *handle, const char mark[8], struct told *told) {
    memcpy(told, handle, sizeof *told);
    return !memcmp(told->mark, mark, sizeof told->mark) && told->process == getpid();
}

static void tell(void *handle, const char mark[8], void *object, unsigned long long id) {
    struct told told = {.process = getpid(), .object = object, .id = id};
    memcpy(told.mark, mark, sizeof told.mark);
    memset(handle, 0, sizeof(hipIpcMemHandle_t));
    memcpy(handle, &told, sizeof told);
}

hipError_t impl_hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *address) {
    lock();
    struct memory *memory = handle ? find_memory(address) : NULL;
    bool fit = memory && memory->type == hipMemoryTypeDevice;
    if (fit)
        tell(handle, MEMORY, memory->base, memory->id);
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipIpcOpenMemHandle(void **address, hipIpcMemHandle_t handle, unsigned flags) {
    (void)flags;
    struct told told;
    if (!address || !is_own(&handle, MEMORY, &told))
        return fail(hipErrorInvalidValue);
    lock();
    struct memory *memory = find_memory(told.object);
    bool fit = memory && memory->id == told.id;
    if (fit)
        *address = memory->base;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

// Waits for all of the device's streams, as a free does.
hipError_t impl_hipIpcCloseMemHandle(void *address) {
    lock();
    struct memory *memory = address ? find_memory(address) : NULL;
    if (memory)
        finish_device(memory->device);
    unlock();
    return memory ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t of) {
    struct event *event = event_of(of);
    if (!handle || !event || !(event->flags & hipEventInterprocess))
        return fail(hipErrorInvalidValue);
    tell(handle, EVENT, event, 0);
    return hipSuccess;
}

hipError_t impl_hipIpcOpenEventHandle(hipEvent_t *opened, hipIpcEventHandle_t handle) {
    struct told told;
    if (!opened || !is_own(&handle, EVENT, &told))
        return fail(hipErrorInvalidValue);
    struct event *event = calloc(1, sizeof *event);
    lock();
    event->refs = 1;
    event->other = told.object;
    event->other->refs++;
    unlock();
    *opened = (hipEvent_t)event;
    return hipSuccess;
}

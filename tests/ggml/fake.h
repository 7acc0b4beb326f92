// A stand-in for ggml: its objects, as ggml_abi.h describes them. Built twice: with LAYOUT_2D for
// the newer interfaces, without for the older.
#pragma once
#include "ggml_abi.h"
#include <stdlib.h>
#include <string.h>

#ifdef LAYOUT_2D
enum { SKIP = SLOT_2D, BACKEND_SLOTS = SLOTS_BACKEND + SLOT_2D + 1 };
#else
enum { SKIP = 0, BACKEND_SLOTS = SLOTS_BACKEND };
#endif
enum { FAKE_DEVICES = 5, FAKE_BASE = 0x1000 };

struct fake_type {
    void *slot[FIELD_DEVICE];
    struct fake_device *device;
    void *context;
};
struct fake_device {
    void *slot[FIELD_REGISTRY];
    struct ggml_registry *registry;
    void *context;
    struct fake_type type;
    char name[16];
};
struct fake_backend {
    void *guid;
    void *slot[BACKEND_SLOTS];
    struct fake_device *device;
    void *context;
};
struct fake_buffer {
    void *slot[FIELD_SIZE - 2 + SKIP];
    struct fake_type *type;
    void *context; // its memory
    size_t size;
    int usage;
};
struct fake_event {
    struct fake_device *device;
    int records;
};
struct fake_graph {
    int count;
    tensor_t *nodes[64];
};
struct fake_sched {
    backend_t backends[8];
    int count;
    struct fake_graph *graph;
};

// Device 0 is the CPU; others have a queue, events and fake addresses.
struct fake_device *fake_devices(void);
bool fake_is_cpu(const struct fake_device *device);
// By the address in its free slot, as some of ggml's backends know their own.
bool fake_is_device_buffer(const struct fake_buffer *buffer);
struct fake_buffer *fake_buffer_over(struct fake_device *device, void *memory, size_t size);
// A number stands for a device, and where a buffer type is asked for, for that device's.
struct fake_device *fake_device_of(void *device);
struct ggml_registry *fake_registry(void);

#define SLOT(object, n, type) ((type)((void **)(object))[n])

void ggml_backend_load_all(void);

// Of a registry of these devices.
size_t fake_count(struct ggml_registry *registry);
void *fake_device_at(struct ggml_registry *registry, size_t index);
void *fake_function(struct ggml_registry *registry, const char *wanted);

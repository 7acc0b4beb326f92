// Stream-ordered memory. hipMallocAsync puts nothing into a queue: it takes a freed block of its
// size whose free has happened, or was put into the same stream, or else a new one. hipFreeAsync
// does: when its turn comes the bytes are overwritten, as those of any freed memory.
#include "standin.h"
#include <stdlib.h>

struct spare {
    struct spare *next;
    char *base;
    size_t size;               // rounded
    unsigned long long stream; // id of that of the free; 0: by hipFree
    struct command *freed;     // NULL: by hipFree
};
struct pool {
    struct pool *next;
    int device;
    uint64_t threshold, reserved, reserved_high, used, used_high;
    struct spare *spares;
};
static struct pool *pools;
static struct pool *defaults[MAX_DEVICES], *chosen[MAX_DEVICES];

static struct pool *new_pool(int device) {
    struct pool *pool = calloc(1, sizeof *pool);
    pool->device = device;
    pool->next = pools;
    pools = pool;
    return pool;
}
static struct pool *default_pool(int device) {
    if (!defaults[device])
        defaults[device] = new_pool(device);
    return defaults[device];
}
static struct pool *chosen_pool(int device) {
    return chosen[device] ? chosen[device] : default_pool(device);
}
static struct pool *pool_of(hipMemPool_t handle) {
    for (struct pool *p = pools; p; p = p->next)
        if (p == (struct pool *)handle)
            return p;
    return NULL;
}

static uint64_t larger(uint64_t one, uint64_t other) { return one > other ? one : other; }

static struct spare *take_spare(struct pool *pool, size_t size, const struct stream *stream) {
    for (struct spare **link = &pool->spares; *link; link = &(*link)->next) {
        struct spare *spare = *link;
        bool usable = !spare->freed || spare->freed->done || spare->stream == stream->id;
        if (spare->size == size && usable) {
            *link = spare->next;
            return spare;
        }
    }
    return NULL;
}

static struct memory *take(struct pool *pool, size_t size, const struct stream *stream) {
    size_t whole = rounded_size(size);
    struct spare *spare = take_spare(pool, whole, stream);
    struct memory *memory;
    if (spare) {
        memory = add_memory(spare->base, size, hipMemoryTypeDevice, pool->device, 0);
        command_drop(spare->freed);
        free(spare);
    } else {
        memory = new_memory(size, hipMemoryTypeDevice, pool->device, 0);
        pool->reserved += memory ? whole : 0;
        pool->reserved_high = larger(pool->reserved_high, pool->reserved);
    }
    if (memory) {
        memory->pool = pool;
        pool->used += whole;
        pool->used_high = larger(pool->used_high, pool->used);
    }
    return memory;
}

void give_back(struct memory *memory, struct command *freed) {
    struct pool *pool = memory->pool;
    struct spare *spare = malloc(sizeof *spare);
    size_t whole = rounded_size(memory->size);
    *spare = (struct spare){pool->spares, memory->base, whole, freed ? freed->stream->id : 0,
                            command_hold(freed)};
    pool->spares = spare;
    pool->used -= whole;
    forget_memory(memory);
}

static void trim(struct pool *pool, uint64_t keep) {
    struct spare **link = &pool->spares;
    while (*link && pool->reserved > keep) {
        struct spare *spare = *link;
        if (spare->freed && !spare->freed->done) {
            link = &spare->next;
            continue;
        }
        *link = spare->next;
        pool->reserved -= spare->size;
        free_block(spare->base, spare->size);
        command_drop(spare->freed);
        free(spare);
    }
}

// --- The API ---

static hipError_t allocate(void **address, size_t size, hipMemPool_t handle, hipStream_t on) {
    struct stream *stream;
    if (!address || (size && !standin_settings.devices))
        return fail(address ? hipErrorNoDevice : hipErrorInvalidValue);
    *address = NULL;
    if (!size)
        return hipSuccess;
    lock();
    hipError_t error = find_stream(on, &stream);
    struct pool *pool = NULL;
    if (!error)
        pool = handle ? pool_of(handle) : chosen_pool(stream->device);
    if (!error && !pool)
        error = hipErrorInvalidValue;
    if (!error) {
        struct memory *memory =
            is_capturing(stream) ? capture_allocation(stream, size) : take(pool, size, stream);
        error = memory ? hipSuccess : hipErrorOutOfMemory;
        *address = memory ? memory->base : NULL;
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipMallocAsync(void **address, size_t size, hipStream_t stream) {
    return allocate(address, size, NULL, stream);
}
hipError_t impl_hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool,
                                       hipStream_t stream) {
    return pool ? allocate(address, size, pool, stream) : fail(hipErrorInvalidValue);
}

static void push_free(struct stream *stream, struct memory *memory) {
    struct command *freed = new_command(NULL, stream);
    freed->work = freed_bytes(memory);
    command_hold(push(stream, freed));
    if (memory->pool)
        give_back(memory, freed);
    command_drop(freed);
}

hipError_t impl_hipFreeAsync(void *address, hipStream_t on) {
    struct stream *stream;
    bool plain = false;
    lock();
    struct memory *memory = address ? find_memory(address) : NULL;
    hipError_t error =
        memory && memory->base == address ? begin(on, &stream) : hipErrorInvalidValue;
    if (!error && is_capturing(stream))
        capture_free(stream);
    else if (!error && (memory->pool || memory->of_graph))
        push_free(stream, memory);
    else
        plain = !error;
    unlock();
    return plain ? impl_hipFree(address) : fail(error); // as clr: the host waits
}

hipError_t impl_hipDeviceGetDefaultMemPool(hipMemPool_t *handle, int device) {
    if (!handle || !is_device_ordinal(device))
        return fail(handle ? hipErrorInvalidDevice : hipErrorInvalidValue);
    lock();
    *handle = (hipMemPool_t)default_pool(device);
    unlock();
    return hipSuccess;
}
hipError_t impl_hipDeviceGetMemPool(hipMemPool_t *handle, int device) {
    if (!handle || !is_device_ordinal(device))
        return fail(handle ? hipErrorInvalidDevice : hipErrorInvalidValue);
    lock();
    *handle = (hipMemPool_t)chosen_pool(device);
    unlock();
    return hipSuccess;
}
hipError_t impl_hipDeviceSetMemPool(int device, hipMemPool_t handle) {
    lock();
    struct pool *pool = is_device_ordinal(device) ? pool_of(handle) : NULL;
    bool fit = pool && pool->device == device;
    if (fit)
        chosen[device] = pool;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipMemPoolCreate(hipMemPool_t *handle, const hipMemPoolProps *props) {
    if (!handle || !props || !is_device_ordinal(props->location.id))
        return fail(hipErrorInvalidValue);
    lock();
    *handle = (hipMemPool_t)new_pool(props->location.id);
    unlock();
    return hipSuccess;
}
// What it handed out goes back to it when freed; only then may it be gone, so it stays.
hipError_t impl_hipMemPoolDestroy(hipMemPool_t handle) {
    lock();
    struct pool *pool = pool_of(handle);
    bool fit = pool && pool != defaults[pool->device];
    if (fit) {
        struct pool **link = &pools;
        while (*link != pool)
            link = &(*link)->next;
        *link = pool->next;
        if (chosen[pool->device] == pool)
            chosen[pool->device] = NULL;
        trim(pool, 0);
    }
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemPoolTrimTo(hipMemPool_t handle, size_t keep) {
    lock();
    struct pool *pool = pool_of(handle);
    if (pool)
        trim(pool, keep);
    unlock();
    return pool ? hipSuccess : fail(hipErrorInvalidValue);
}

static uint64_t *number_of(struct pool *pool, int attribute) {
    switch (attribute) {
    case hipMemPoolAttrReleaseThreshold:
        return &pool->threshold;
    case hipMemPoolAttrReservedMemCurrent:
        return &pool->reserved;
    case hipMemPoolAttrReservedMemHigh:
        return &pool->reserved_high;
    case hipMemPoolAttrUsedMemCurrent:
        return &pool->used;
    case hipMemPoolAttrUsedMemHigh:
        return &pool->used_high;
    default:
        return NULL;
    }
}
// Which blocks are used again is as told above, whatever the attributes of it are set to.
hipError_t impl_hipMemPoolGetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void *value) {
    lock();
    struct pool *pool = value ? pool_of(handle) : NULL;
    uint64_t *number = pool ? number_of(pool, (int)attribute) : NULL;
    if (number)
        *(uint64_t *)value = *number;
    else if (pool)
        *(int *)value = attribute == hipMemPoolReuseAllowOpportunistic;
    unlock();
    return pool ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemPoolSetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void *value) {
    lock();
    struct pool *pool = value ? pool_of(handle) : NULL;
    uint64_t *number = pool ? number_of(pool, (int)attribute) : NULL;
    if (number)
        *number = *(uint64_t *)value;
    unlock();
    return pool ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemPoolSetAccess(hipMemPool_t handle, const hipMemAccessDesc *list,
                                    size_t count) {
    lock();
    struct pool *pool = list || !count ? pool_of(handle) : NULL;
    unlock();
    return pool ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t handle,
                                    hipMemLocation *location) {
    lock();
    struct pool *pool = flags && location ? pool_of(handle) : NULL;
    unlock();
    if (pool)
        *flags = 3;
    return pool ? hipSuccess : fail(hipErrorInvalidValue);
}

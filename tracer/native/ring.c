#include "ring.h"
#include "process.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct ring *ring_create(uint32_t actor) {
    char path[FOLDER_LENGTH + 24];
    snprintf(path, sizeof path, "%s/ring-%u", process.folder, actor);
    size_t bytes = RECORD_PAGE + process.ring_bytes;
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *memory = process_map(fd, bytes);
    close(fd);
    if (!memory) {
        unlink(path);
        return NULL;
    }
    struct ring *ring = memory;
    ring->size = process.ring_bytes;
    ring->thread = (int64_t)syscall(SYS_gettid);
    ring->actor = actor;
    atomic_store(&ring->magic, RING_MAGIC);
    return ring;
}

void ring_close(struct ring *ring) {
    size_t bytes = RECORD_PAGE + ring->size;
    atomic_store(&ring->open, 0);
    atomic_store_explicit(&ring->closed, 1, memory_order_release);
    munmap(ring, bytes);
}

void ring_forget(struct ring *ring) { munmap(ring, RECORD_PAGE + ring->size); }

static void drop(struct ring *ring, uint64_t ticket) {
    uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
    uint64_t first = atomic_load_explicit(&ring->first, memory_order_relaxed);
    // Of nested calls the inner one is lost first, and entered last.
    if (dropped == atomic_load_explicit(&ring->reported, memory_order_relaxed) || ticket < first)
        atomic_store_explicit(&ring->first, ticket, memory_order_relaxed);
    atomic_store_explicit(&ring->dropped, dropped + 1, memory_order_release);
}

// Contiguous space, after padding to the start of the ring if need be; null: full.
static struct record_head *claim(struct ring *ring, size_t size) {
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    uint64_t rest = ring->size - ring->at, padding = rest < size ? rest : 0;
    if (size > ring->size || head + padding + size - tail > ring->size)
        return NULL;
    if (padding) {
        struct record_head *pad = (struct record_head *)(ring_data(ring) + ring->at);
        *pad = (struct record_head){.size = (uint32_t)padding, .type = RECORD_PAD};
        atomic_store_explicit(&ring->head, head + padding, memory_order_release);
        ring->at = 0;
    }
    return (struct record_head *)(ring_data(ring) + ring->at);
}

static void tell_gap(struct ring *ring) {
    uint64_t dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed);
    uint64_t reported = atomic_load_explicit(&ring->reported, memory_order_relaxed);
    if (dropped == reported)
        return;
    struct record_gap *gap = (struct record_gap *)claim(ring, sizeof *gap);
    if (!gap)
        return;
    gap->head = (struct record_head){.size = sizeof *gap, .type = RECORD_GAP};
    gap->first = atomic_load_explicit(&ring->first, memory_order_relaxed);
    gap->ticket = atomic_load(&process.control->ticket); // what was lost has returned
    gap->dropped = dropped - reported;
    ring_commit(ring, gap);
    atomic_store_explicit(&ring->reported, dropped, memory_order_release);
}

void *ring_reserve_slowly(struct ring *ring, uint16_t type, uint16_t count, size_t size,
                          uint64_t ticket) {
    tell_gap(ring);
    struct record_head *record = claim(ring, size);
    if (!record) {
        drop(ring, ticket);
        return NULL;
    }
    *record = (struct record_head){.size = (uint32_t)size, .type = type, .count = count};
    return record;
}

bool ring_put_named(struct ring *ring, uint16_t type, const void *fixed, size_t fixed_size,
                    const char *name) {
    size_t length = strnlen(name, 1023);
    uint64_t ticket = atomic_load(&process.control->ticket);
    char *record = ring_reserve(ring, type, 0, fixed_size + length + 1, ticket);
    if (!record)
        return false;
    memcpy(record + sizeof(struct record_head), (const char *)fixed + sizeof(struct record_head),
           fixed_size - sizeof(struct record_head));
    memcpy(record + fixed_size, name, length);
    record[fixed_size + length] = 0;
    ring_commit(ring, record);
    return true;
}

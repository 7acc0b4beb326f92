// Work: what a piece of it does to the bytes, and who still needs it.
#include "standin.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POLL_NS 20000

struct work work_again(const struct work *work) {
    if (work->kind == WORK_KERNEL)
        __atomic_add_fetch(&work->launch->refs, 1, __ATOMIC_RELAXED);
    return *work;
}

void work_over(struct work *work) {
    if (work->kind == WORK_KERNEL && !__atomic_sub_fetch(&work->launch->refs, 1, __ATOMIC_ACQ_REL))
        free(work->launch);
    work->kind = WORK_NONE;
}

size_t copy_bytes(const struct copy *copy) { return copy->width * copy->height * copy->depth; }

struct copy linear_copy(void *dst, const void *src, size_t size) {
    return (struct copy){{dst, size, size}, {(char *)src, size, size}, size, 1, 1};
}

static char *row_of(const struct box *box, size_t row, size_t slice) {
    return box->base + slice * box->slice + row * box->pitch;
}

static void copy(const struct copy *copy) {
    for (size_t slice = 0; slice < copy->depth; slice++)
        for (size_t row = 0; row < copy->height; row++)
            memmove(row_of(&copy->dst, row, slice), row_of(&copy->src, row, slice), copy->width);
}

static void fill_row(char *row, const struct fill *fill) {
    if (fill->element == 1)
        memset(row, (int)fill->value, fill->width);
    else
        for (size_t i = 0; i < fill->width; i++)
            memcpy(row + i * fill->element, &fill->value, fill->element);
}

static void fill(const struct fill *fill) {
    for (size_t slice = 0; slice < fill->depth; slice++)
        for (size_t row = 0; row < fill->height; row++)
            fill_row(row_of(&fill->dst, row, slice), fill);
}

static void call(const struct host_call *host) {
    if (host->callback)
        host->callback(host->stream, hipSuccess, host->data);
    else
        host->function(host->data);
}

static void late_call(const struct host_call *late) {
    lock();
    struct host_call now = *late;
    unlock();
    call(&now);
}

static void write_value(const struct value *value) {
    if (value->wide)
        __atomic_store_n((uint64_t *)value->address, value->value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((uint32_t *)value->address, (uint32_t)value->value, __ATOMIC_SEQ_CST);
}

static bool is_met(const struct value *value) {
    uint64_t seen = value->wide ? __atomic_load_n((uint64_t *)value->address, __ATOMIC_SEQ_CST)
                                : __atomic_load_n((uint32_t *)value->address, __ATOMIC_SEQ_CST);
    seen &= value->mask;
    switch (value->flags) {
    case hipStreamWaitValueGte: // cyclic
        return value->wide ? (int64_t)(seen - value->value) >= 0
                           : (int32_t)((uint32_t)seen - (uint32_t)value->value) >= 0;
    case hipStreamWaitValueEq:
        return seen == value->value;
    case hipStreamWaitValueAnd:
        return seen & value->value;
    default:
        return (uint32_t) ~(seen | value->value) || (value->wide && ~(seen | value->value));
    }
}

void work_perform(const struct work *work) {
    switch (work->kind) {
    case WORK_COPY:
        copy(&work->copy);
        break;
    case WORK_FILL:
        fill(&work->fill);
        break;
    case WORK_KERNEL:
        if (work->launch->body)
            work->launch->body(work->launch->arguments, work->launch->grid, work->launch->block);
        break;
    case WORK_HOST:
        if (work->late_host)
            late_call(work->late_host);
        else
            call(&work->host);
        break;
    case WORK_WRITE:
        write_value(&work->value);
        break;
    case WORK_WAIT:
        while (!is_met(&work->value))
            nanosleep(&(struct timespec){0, POLL_NS}, NULL);
        break;
    case WORK_NONE:
        break;
    }
}

#include "ggml_buffer_slots.h"
#include "ggml_buffer_calls.h"
#include "ggml_layout.h"
#include "ggml_tensor_calls.h"
#include "process.h"
#include "resolve.h"
#include "slots.h"

typedef void (*free_slot)(void *buffer);
typedef void (*memset_slot)(void *, tensor_t *, uint8_t, size_t, size_t);
typedef void (*set_slot)(void *, tensor_t *, const void *, size_t, size_t);
typedef void (*get_slot)(void *, const tensor_t *, void *, size_t, size_t);
typedef void (*set_2d_slot)(void *, tensor_t *, const void *, size_t, size_t, size_t, size_t,
                            size_t);
typedef void (*get_2d_slot)(void *, const tensor_t *, void *, size_t, size_t, size_t, size_t,
                            size_t);
typedef bool (*copy_slot)(void *, const tensor_t *, tensor_t *);
typedef void (*clear_slot)(void *, uint8_t);

static int moved(int slot) { return slot + ggml_layout()->moved; }

static void free_hook(void *buffer) {
    OP(op);
    free_slot real = (free_slot)slot_before(buffer, SLOT_BUFFER_FREE);
    free_begin(&op, BY_SLOT, buffer);
    slots_gone(buffer);
    op_out(&op);
    real(buffer);
    op_leave(&op);
}

static void memset_hook(void *buffer, tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    OP(op);
    memset_begin(&op, BY_SLOT, tensor, offset, size);
    CALL_SLOT(op, buffer, SLOT_MEMSET, memset_slot)(buffer, tensor, value, offset, size);
    op_leave(&op);
}

static void set_hook(void *buffer, tensor_t *tensor, const void *data, size_t offset, size_t size) {
    OP(op);
    set_begin(&op, BY_SLOT, tensor, data, offset, size);
    CALL_SLOT(op, buffer, SLOT_SET, set_slot)(buffer, tensor, data, offset, size);
    op_leave(&op);
}

static void get_hook(void *buffer, const tensor_t *tensor, void *data, size_t offset, size_t size) {
    OP(op);
    get_begin(&op, BY_SLOT, tensor, data, offset, size);
    CALL_SLOT(op, buffer, SLOT_GET, get_slot)(buffer, tensor, data, offset, size);
    op_leave(&op);
}

static void set_2d_hook(void *buffer, tensor_t *tensor, const void *data, size_t offset,
                        size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch) {
    OP(op);
    set_2d_begin(&op, BY_SLOT, tensor, data,
                 (struct rows){offset, size, rows, tensor_pitch, data_pitch});
    CALL_SLOT(op, buffer, SLOT_SET_2D, set_2d_slot)
    (buffer, tensor, data, offset, size, rows, tensor_pitch, data_pitch);
    op_leave(&op);
}

static void get_2d_hook(void *buffer, const tensor_t *tensor, void *data, size_t offset,
                        size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch) {
    OP(op);
    get_2d_begin(&op, BY_SLOT, tensor, data,
                 (struct rows){offset, size, rows, tensor_pitch, data_pitch});
    CALL_SLOT(op, buffer, SLOT_GET_2D, get_2d_slot)
    (buffer, tensor, data, offset, size, rows, tensor_pitch, data_pitch);
    op_leave(&op);
}

// Refused: nothing has happened, and the caller copies by other calls.
static bool copy_hook(void *buffer, const tensor_t *src, tensor_t *dst) {
    OP(op);
    copy_begin(&op, BY_SLOT, src, dst);
    bool done = CALL_SLOT(op, buffer, moved(SLOT_COPY), copy_slot)(buffer, src, dst);
    if (!done)
        op_cancel(&op);
    op_leave(&op);
    return done;
}

static void clear_hook(void *buffer, uint8_t value) {
    OP(op);
    clear_begin(&op, BY_SLOT, buffer);
    CALL_SLOT(op, buffer, moved(SLOT_CLEAR), clear_slot)(buffer, value);
    op_leave(&op);
}

// A buffer over memory that is not its own has nothing to free; its end is an end all the same.
static void free_nothing(void *buffer) { (void)buffer; }

// Some backends know their own buffers by the address in this slot (CUDA, RPC, OpenVINO, buffers of
// buffers): another one there would change what the program does. Of these families the sources
// were read: none compares it.
static bool free_is_nobodys_mark(void *buffer, const char *name) {
    static const char *const families[] = {"CPU", "AMX", "Vulkan", "SYCL", "CANN"};
    __typeof__(&ggml_backend_buffer_is_multi_buffer) several =
        REAL(ggml_backend_buffer_is_multi_buffer);
    if (!several || several(buffer))
        return false;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, "_Host") == 0)
        return true; // page-locked memory: none of them compares it either
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

bool buffer_slots_take(void *buffer, const char *name) {
    void **slots = buffer;
    uint64_t size = REAL(ggml_backend_buffer_get_size)(buffer);
    if (size == 0 || (uintptr_t)slots[moved(FIELD_SIZE)] != size)
        return false; // an empty one has no slots; the other has another layout
    struct swap swaps[8] = {
        {SLOT_MEMSET, (void *)memset_hook},
        {SLOT_SET, (void *)set_hook},
        {SLOT_GET, (void *)get_hook},
        {moved(SLOT_COPY), (void *)copy_hook},
        {moved(SLOT_CLEAR), (void *)clear_hook},
    };
    size_t count = 5;
    if (ggml_layout()->moved) {
        swaps[count++] = (struct swap){SLOT_SET_2D, (void *)set_2d_hook};
        swaps[count++] = (struct swap){SLOT_GET_2D, (void *)get_2d_hook};
    }
    bool ends = free_is_nobodys_mark(buffer, name);
    if (ends && !slots[SLOT_BUFFER_FREE])
        slots[SLOT_BUFFER_FREE] = (void *)free_nothing;
    if (ends)
        swaps[count++] = (struct swap){SLOT_BUFFER_FREE, (void *)free_hook};
    if (!slots_swap(buffer, slots, swaps, count))
        return false;
    if (!ends)
        atomic_fetch_add(&process.control->unfreed, 1);
    return true;
}

bool buffer_slots_stand(void *buffer) {
    return ((void **)buffer)[moved(SLOT_CLEAR)] == (void *)clear_hook;
}

bool buffer_free_slotted(const void *buffer) {
    return slots_used() && slot_is_ours(buffer, SLOT_BUFFER_FREE);
}

#include "api_kernel.h"
#include <string.h>

static void count_coverage(enum coverage what, uint64_t number) {
    if (number)
        atomic_fetch_add_explicit(&process.control->coverage[what], number, memory_order_relaxed);
}

// The op is called by the kernel's name, which is told once a recording.
static void name_kernel(struct api_call *call, struct kernel *kernel,
                        const struct kernel_layout *layout) {
    struct thread *thread = call->op.thread;
    uint32_t epoch = process_epoch();
    if (atomic_load_explicit(&kernel->told, memory_order_acquire) != epoch) {
        handles_lock(); // one thread tells it
        if (atomic_load(&kernel->told) != epoch) {
            uint32_t id = op_new_call();
            struct record_kernel record = {.code = kernel->code ? kernel->code : layout->hash,
                                           .call = id,
                                           .flags = layout->known ? KERNEL_LAYOUT_KNOWN : 0};
            for (unsigned i = 0; i < layout->pointers; i++)
                *(layout->pointer[i].guessed ? &record.guessed : &record.pointers) += 1;
            if (id) {
                op_tell_call(thread, id, kernel->name);
                if (thread->ring)
                    ring_put_named(thread->ring, RECORD_KERNEL, &record, sizeof record,
                                   kernel->name);
            }
            atomic_store(&kernel->id, id);
            atomic_store_explicit(&kernel->told, epoch, memory_order_release);
        }
        handles_unlock();
    }
    uint32_t id = atomic_load_explicit(&kernel->id, memory_order_relaxed);
    if (id)
        call->op.record.call = (uint16_t)id;
}

static bool word_at(const struct kernel_pointer *pointer, void **arguments, const void *packed,
                    size_t size, uint64_t *word) {
    const char *from;
    if (arguments) {
        from = arguments[pointer->argument];
        if (!from)
            return false;
        from += pointer->offset_in_argument;
    } else {
        if (!packed || pointer->word + sizeof *word > size)
            return false;
        from = (const char *)packed + pointer->word;
    }
    memcpy(word, from, sizeof *word);
    return true;
}

// Of a pointer the byte it points to is sure, the rest of the allocation is possible. Of a word
// that may be one nothing is. A kernel that no number was left for has no words.
static uint64_t how_of(const struct kernel_pointer *pointer, uint32_t kernel) {
    uint64_t how = pointer->guessed ? API_HOW(MODE_UNKNOWN, EXTENT_UPPER_BOUND, ORIGIN_VALUE_SCAN)
                                    : API_HOW(pointer->mode, EXTENT_BASE_ONLY, ORIGIN_LAYOUT);
    return kernel ? how | API_WORD(kernel, pointer->word) : how;
}

// Host memory that a kernel reads in place is in use as a copy's source is. To look at memory that
// migrates, or is slow to read, would change what the program does: it is counted.
static void note_in_place(struct api_call *call, const struct kernel_pointer *pointer,
                          struct memory *memory, uint64_t address) {
    uint64_t size = memory->base + memory->size - address;
    if (memory->kind == MEMORY_KIND_MANAGED)
        count_coverage(COVERAGE_UNWATCHED_MANAGED_BYTES, size);
    else if (memory->kind == MEMORY_KIND_WRITE_COMBINED)
        count_coverage(COVERAGE_UNWATCHED_KERNELS_HOST_MEMORY, 1);
    else if (memory_is_host(memory))
        api_may_use(call, memory, (const void *)(uintptr_t)address, size,
                    !pointer->guessed && pointer->mode != MODE_READ);
}

bool api_in_known_launch(const struct thread *thread) {
    for (unsigned i = thread->depth; i-- > 0;)
        if (thread->open[i].ranged)
            return true;
    return false;
}

// Most words of a struct are far from all memory: they are passed over in a loop of their own, up
// to one that is not, or to the next argument.
static unsigned pass_over(const struct kernel_layout *layout, unsigned i, const char *from) {
    const struct kernel_pointer *pointer = &layout->pointer[i],
                                *end = layout->pointer + layout->pointers;
    uint16_t argument = pointer->argument;
    uint64_t word, least = atomic_load_explicit(&memory_least, memory_order_relaxed);
    uint64_t span = atomic_load_explicit(&memory_most, memory_order_relaxed) - least;
    for (; pointer < end && pointer->argument == argument; pointer++) {
        memcpy(&word, from + pointer->offset_in_argument, sizeof word);
        if (word - least < span)
            break;
    }
    return (unsigned)(pointer - layout->pointer);
}

void api_launches(struct api_call *call, struct kernel *kernel, void **arguments,
                  const void *packed, size_t size) {
    const struct kernel_layout *layout = kernel_layout_of(kernel);
    call->name = kernel ? kernel->name : NULL;
    if (kernel)
        name_kernel(call, kernel, layout);
    call->unread = api_in_known_launch(call->op.thread);
    if (call->unread)
        return;
    if (!layout->known || (!arguments && !packed && layout->pointers)) {
        count_coverage(COVERAGE_KERNELS_WITHOUT_LAYOUT, 1);
        count_coverage(COVERAGE_KERNELS_NOT_UNPACKED, layout->why == CODE_NO_DECOMPRESSOR);
        api_note(call, api_range_unknown(call->op.thread));
        return;
    }
    struct thread *thread = call->op.thread;
    unsigned guessed = 0, unresolved = 0;
    uint32_t number = kernel ? atomic_load_explicit(&kernel->id, memory_order_relaxed) : 0;
    for (unsigned i = 0; i < layout->pointers; i++) {
        const struct kernel_pointer *pointer = &layout->pointer[i];
        if (pointer->guessed && arguments && arguments[pointer->argument]) {
            i = pass_over(layout, i, arguments[pointer->argument]);
            if (i == layout->pointers)
                break;
            pointer = &layout->pointer[i];
        }
        uint64_t word;
        if (!word_at(pointer, arguments, packed, size, &word) || !word ||
            (pointer->guessed && !memory_perhaps(word)))
            continue;
        uint64_t bytes = !pointer->guessed, how = how_of(pointer, number);
        const struct api_known *known = api_known_of(thread, word, bytes, how);
        struct memory *memory = known ? known->memory : api_memory_at(thread, word);
        if (!memory) {
            unresolved += !pointer->guessed;
            continue;
        }
        guessed += pointer->guessed;
        api_note(call, known ? known->id : api_range_told(thread, memory, word, bytes, how));
        note_in_place(call, pointer, memory, word);
    }
    count_coverage(COVERAGE_GUESSED_POINTERS, guessed);
    count_coverage(COVERAGE_UNRESOLVED_POINTERS, unresolved);
}

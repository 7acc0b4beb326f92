#include "kernel_registry.h"
#include "address_table.h"
#include "decompress.h"
#include "kept.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

// An image and its kernels; the image comes first, so that a kernel's image is this.
struct code {
    struct code_image image;
    struct kernel *kernels;
};

static struct address_table registered, modules; // -> struct code
static struct address_table stubs, functions;    // -> struct kernel
static struct architectures used;

// Held by what changes a table and while an image is read. No function of the program and none of
// the loader is called under it.
static atomic_flag changing = ATOMIC_FLAG_INIT;
static __thread bool inside __attribute__((tls_model("initial-exec")));

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&changing, memory_order_acquire))
        sched_yield();
}

static void unlock(void) { atomic_flag_clear_explicit(&changing, memory_order_release); }

// False: this is a signal handler, and the thread that it interrupted is inside.
static bool code_lock(void) {
    if (inside)
        return false;
    inside = true;
    lock();
    return true;
}

static void code_unlock(void) {
    unlock();
    inside = false;
}

// A signal handler may fork where it interrupted a fork.
static __thread unsigned forks __attribute__((tls_model("initial-exec")));
static __thread bool locked_for_fork __attribute__((tls_model("initial-exec")));

static void before_fork(void) {
    if (forks++ == 0)
        locked_for_fork = code_lock();
}

static void after_fork(void) {
    if (--forks == 0 && locked_for_fork)
        code_unlock();
}

static void after_fork_in_child(void) {
    decompressors_forked();
    after_fork();
}

__attribute__((constructor)) static void unlock_in_child(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

bool (*code_ask_architectures)(struct architectures *all);

void code_architectures(const struct architectures *all) {
    if (!code_lock())
        return;
    used = *all;
    code_unlock();
}

// Under no lock: the runtime is called. A thread that comes meanwhile reads for all GPUs.
static void ask_architectures(void) {
    static atomic_flag asked = ATOMIC_FLAG_INIT;
    struct architectures all = {0};
    if (code_ask_architectures && !atomic_flag_test_and_set(&asked) && code_ask_architectures(&all))
        code_architectures(&all);
}

static struct code *code_added(struct address_table *table, const void *key, struct bytes image) {
    struct code *code = kept_take(sizeof *code);
    if (!code)
        return NULL;
    code->image.image = image;
    return address_put(table, key, code) ? code : NULL;
}

static void code_dropped(struct address_table *table, const void *key) {
    struct code *code = address_find(table, key);
    if (!code)
        return;
    address_put(table, key, NULL);
    for (struct kernel *kernel = code->kernels; kernel; kernel = kernel->next) {
        if (address_find(&stubs, kernel->key) == kernel)
            address_put(&stubs, kernel->key, NULL);
        if (address_find(&functions, kernel->key) == kernel)
            address_put(&functions, kernel->key, NULL);
    }
    code_image_forget(&code->image);
}

static void kernel_added(struct address_table *table, const void *key, void *image,
                         const char *name) {
    struct code *code = image;
    struct kernel *kernel = name ? kept_take(sizeof *kernel) : NULL;
    if (!kernel)
        return;
    kernel->name = name;
    kernel->key = key;
    if (code) {
        kernel->image = &code->image;
        kernel->next = code->kernels;
        code->kernels = kernel;
    }
    address_put(table, key, kernel);
}

void code_register(void **handle, const void *wrapper) {
    if (!code_lock())
        return;
    code_dropped(&registered, handle);
    code_added(&registered, handle, (struct bytes){wrapper, 0});
    code_unlock();
}

void code_unregister(void **handle) {
    if (!code_lock())
        return;
    code_dropped(&registered, handle);
    code_unlock();
}

// The stub of a template is one for all files that have it: the runtime takes the first kernel, and
// so is done here.
void kernel_register(void **handle, const void *stub, const char *name) {
    if (!code_lock())
        return;
    if (!address_find(&stubs, stub))
        kernel_added(&stubs, stub, address_find(&registered, handle), name);
    code_unlock();
}

struct kernel *kernel_of_stub(const void *stub) {
    return address_find(&stubs, stub);
}

struct kernel *kernel_of_function(const void *function) {
    return address_find(&functions, function);
}

// Under the lock but for the opening of a decompressor.
static void read_image(struct code_image *image, bool keep) {
    if (image->state == CODE_UNREAD)
        code_image_read(image, &used, keep);
    if (image->state != CODE_NO_DECOMPRESSOR || !image->image.at)
        return;
    unlock();
    bool found = decompressors_open();
    lock();
    if (found && image->state == CODE_NO_DECOMPRESSOR)
        code_image_read(image, &used, keep);
}

void module_loaded(void *module, const void *image, size_t size) {
    int error = errno;
    ask_architectures();
    if (!code_lock())
        return;
    code_dropped(&modules, module);
    struct code *code = code_added(&modules, module, (struct bytes){image, size});
    if (code) {
        read_image(&code->image, true);
        code->image.image = (struct bytes){0};
    }
    code_unlock();
    errno = error;
}

void module_unloaded(void *module) {
    if (!code_lock())
        return;
    code_dropped(&modules, module);
    code_unlock();
}

void function_found(void *function, void *module, const char *name) {
    if (!code_lock())
        return;
    struct code *code = address_find(&modules, module);
    struct kernel *known = address_find(&functions, function);
    if (!known || (void *)known->image != code || strcmp(known->name, name) != 0)
        kernel_added(&functions, function, code, kept_string(name));
    code_unlock();
}

// Under the lock.
static void also_function(void *function, const struct kernel *kernel) {
    const struct kernel *known = address_find(&functions, function);
    if (kernel && (!known || known->name != kernel->name || known->image != kernel->image))
        kernel_added(&functions, function, kernel->image, kernel->name);
}

void function_of_stub(void *function, const void *stub) {
    if (!code_lock())
        return;
    also_function(function, address_find(&stubs, stub));
    code_unlock();
}

void function_of_function(void *function, const void *of) {
    if (!code_lock())
        return;
    also_function(function, address_find(&functions, of));
    code_unlock();
}

struct kernel *function_described(void *function, const char *name, uint64_t code,
                                  const struct kernel_argument *argument, unsigned count) {
    if (!code_lock())
        return NULL;
    struct kernel *kernel = address_find(&functions, function);
    if (!kernel || kernel->code != code || strcmp(kernel->name, name) != 0) {
        kernel_added(&functions, function, NULL, kept_string(name));
        kernel = address_find(&functions, function);
        if (kernel)
            kernel->code = code;
        if (kernel && argument)
            atomic_store(&kernel->layout, kernel_layout_of_sizes(kernel->name, argument, count));
    }
    if (kernel)
        atomic_store_explicit(&kernel->stale, false, memory_order_release);
    code_unlock();
    return kernel;
}

void functions_stale(void) {
    if (!code_lock())
        return;
    struct address_entries *entries = atomic_load(&functions.now);
    for (size_t i = 0; entries && i < entries->capacity; i++) {
        struct kernel *kernel = atomic_load(&entries->entry[i].value);
        if (kernel)
            atomic_store_explicit(&kernel->stale, true, memory_order_release);
    }
    code_unlock();
}

static const struct kernel_layout *read_layout(struct kernel *kernel) {
    int error = errno;
    ask_architectures();
    if (!code_lock())
        return NULL;
    if (kernel->image)
        read_image(kernel->image, false);
    const struct kernel_layout *layout = atomic_load(&kernel->layout);
    if (!layout) {
        layout = kernel_layout_find(kernel->image, kernel->name);
        atomic_store_explicit(&kernel->layout, layout, memory_order_release);
    }
    code_unlock();
    errno = error;
    return layout;
}

const struct kernel_layout *kernel_layout_of(struct kernel *kernel) {
    static const struct kernel_layout unknown = {.name = "", .why = CODE_UNKNOWN};
    static const struct kernel_layout unread = {.name = "", .why = CODE_UNREAD};
    if (!kernel)
        return &unknown;
    const struct kernel_layout *layout =
        atomic_load_explicit(&kernel->layout, memory_order_acquire);
    if (!layout)
        layout = read_layout(kernel);
    return layout ? layout : &unread;
}

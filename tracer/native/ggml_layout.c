#include "ggml_layout.h"
#include "ggml_abi.h"
#include "process.h"
#include "resolve.h"
#include "slots.h"
#include <pthread.h>

struct layout ggml_known_layout;
static bool slots_2d;
static pthread_once_t looked = PTHREAD_ONCE_INIT;

// A larger tensor is one with a longer name if the name is where it was.
static bool is_known(size_t overhead) {
    static const tensor_t blank;
    __typeof__(&ggml_get_name) name = REAL(ggml_get_name);
    return overhead >= TENSOR_OVERHEAD && name && name(&blank) == blank.name;
}

static void look(void) {
    __typeof__(&ggml_tensor_overhead) overhead = REAL(ggml_tensor_overhead);
    ggml_known_layout.tensor = overhead && is_known(overhead()) && REAL(ggml_nbytes) != NULL;
    slots_2d = symbol_exists("ggml_backend_tensor_set_2d_async");
    ggml_known_layout.moved = slots_2d ? SLOT_2D : 0;
}

static void tell(void) {
    uint64_t bits = (ggml_known_layout.tensor ? LAYOUT_TENSOR_KNOWN : LAYOUT_TENSOR_UNKNOWN) |
                    (slots_2d ? LAYOUT_SLOTS_2D : 0) | (slots_used() ? LAYOUT_BY_SLOTS : 0);
    if (atomic_load(&process.control->layout))
        return;
    const char *version = REAL(ggml_version) ? REAL(ggml_version)() : "";
    const char *commit = REAL(ggml_commit) ? REAL(ggml_commit)() : "";
    process_tell_version("ggml", version);
    process_tell_version("ggml_commit", commit);
    if (slots_used())
        atomic_fetch_add(&process.control->untracked, atomic_load(&slots_missed));
    atomic_store(&process.control->layout, bits);
}

const struct layout *ggml_layout_first(void) {
    pthread_once(&looked, look);
    tell();
    return &ggml_known_layout;
}

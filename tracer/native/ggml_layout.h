// Which of ggml's binary layouts the loaded library has.
#pragma once
#include "process.h"

struct layout {
    bool tensor; // tensors can be read
    int moved;   // by how much the 2d slots move those behind them
};
extern struct layout ggml_known_layout;
const struct layout *ggml_layout_first(void);

// Looked up at the first call of the process.
static inline const struct layout *ggml_layout(void) {
    bool told = atomic_load_explicit(&process.control->layout, memory_order_relaxed) != 0;
    return told ? &ggml_known_layout : ggml_layout_first();
}

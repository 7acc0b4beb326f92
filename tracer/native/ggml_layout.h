// Which of ggml's binary layouts the loaded library has.
#pragma once
#include <stdbool.h>

struct layout {
    bool tensor; // tensors can be read
    int moved;   // by how much the 2d slots move those behind them
};
// Looked up at the first call.
const struct layout *ggml_layout(void);

// Which of ggml's binary layouts the loaded library has.
#pragma once
#include <stdbool.h>

struct layout {
    bool tensor; // tensors can be read
    int copy;    // slot numbers of the backend interface
    int synchronize;
};
// Looked up at the first call.
const struct layout *ggml_layout(void);

// A slot is called by one of ggml's public functions, whoever calls that. The place of the op is
// where that function was called, as where it is recorded by its name.
#pragma once

// The innermost return address that lies in none of ggml's functions that only pass a call on.
void *wrapper_caller(void *caller);

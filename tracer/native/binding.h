// Whether ggml's calls of itself come by the names that this library interposes.
#pragma once
#include <stdbool.h>

// `real`: the function of that name in ggml. True: the library that has it calls it by name, and
// the name means ours. False: the call is bound within the library or the program (static linking,
// -Bsymbolic, no semantic interposition), or ours is not in front.
bool binding_by_name(const char *name, const void *real);

// Launches: what their arguments point to.
#pragma once
#include "api_call.h"
#include "kernel_registry.h"

// `arguments`: a pointer to each, or null; `packed`: all in one segment of `size` bytes, or null.
void api_launches(struct api_call *call, struct kernel *kernel, void **arguments,
                  const void *packed, size_t size);

// Within a call of another level whose ranges are known.
bool api_in_known_launch(const struct thread *thread);

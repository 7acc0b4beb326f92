// The slots of a device and its buffer types: where backends, buffers and events come from.
#pragma once
#include <stdbool.h>

// False: its layout is not the known one, or it cannot be written.
bool device_slots_take(void *device);
// The type of plain host memory, which has a function of its own beside the device's slot.
void host_type_slots_take(void);

// The one call of the scheduler that goes through no public function: the backend's copy slot.
#pragma once

// What to store in the slot.
void *copy_slot_hook(void);
// The backend's own function, as a pointer of the slot's type; null if the slot is empty or ours.
void *copy_slot_real(void *slot);

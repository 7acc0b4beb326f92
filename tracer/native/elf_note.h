// The metadata note (type 32, "AMDGPU") of an ELF image that lies in memory as in its file.
#pragma once
#include "code_object.h"

// CODE_UNKNOWN: no ELF of an AMD GPU.
enum code_state elf_note_find(struct bytes elf, struct bytes *metadata);

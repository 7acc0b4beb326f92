// The Python frames of the calling thread, read where they lie. Who calls a GPU's library has let
// go of Python's lock as often as not, so that no function may be asked that needs it; but a
// thread's frames are changed by that thread alone, and it is here. Nothing is kept, counted or
// allocated. Source: Include/internal/pycore_frame.h, pycore_debug_offsets.h of CPython 3.11
// to 3.14 (PSF licence): where the fields lie.
#pragma once
#include "thread.h"

enum { PYTHON_DEPTH = 16 };
struct python_frame {
    uintptr_t code;        // its code object
    uintptr_t instruction; // the one that it is at
};

// Whether the process has an interpreter whose frames can be read: asked when libraries were
// loaded.
void python_frames_look(void);
// Innermost first; 0: the thread runs no Python code, or none that can be read.
unsigned python_frames(struct thread *thread, struct python_frame *frames);
// A number for where the thread is in its Python code, as far as its own and the next frames tell;
// 0: nowhere.
uint64_t python_place(struct thread *thread);
// Whether a frame of C is the interpreter's.
bool python_interprets(uintptr_t address);
// Tells the frame once more, if `thread` has a ring. A name for it that no address has, and into
// `key` a number for it that is the same in every run.
uint64_t python_frame_tell(struct thread *thread, struct python_frame frame, uint64_t *key);

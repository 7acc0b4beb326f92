// Writes of the program to protected memory (protection.h), told as ops of kind host_write with the
// writer's call site.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
    uintptr_t address;
    void *instruction, *stack; // of the writer
    size_t room;               // on the stack that its signal is handled on
};

// In a signal handler. False: no protected page lies there. Else the write can be tried again.
bool store_met(struct store store);
// A system call is about to write there, in which it would fail. False: nothing there is protected.
bool store_allow(uintptr_t buffer, size_t size);
// It has written so many bytes.
void store_made(uintptr_t buffer, size_t size, void *caller, void *frame);

// tell.call(): which prepared call this one is. Most calls of a program are made again and again,
// with the same objects.
#pragma once
#include "python_abi.h"

// `prepare` is asked for a call that is not known, with all nine arguments; it gives a number of
// class `prepared`, of a call that it has prepared or entered itself (python_op.h).
void python_calls_by(object_t *prepared, object_t *prepare);

// The arguments of tell.call, in its order; names are those of the ones behind `lane`.
object_t *python_call_of(object_t *const *arguments, intptr_t count, object_t *names);

// What is known of calls is out of date.
void python_forget_calls(void);

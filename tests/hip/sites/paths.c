// Calls that all come through one function, as a runtime's do between a program and its driver: from
// two callers at one depth in turn, and from one whose frame holds other things each time.
#include "hip.h"
#include <stdlib.h>
#include <string.h>

enum { TURNS = 200 };
static hipEvent_t event;
static volatile unsigned sink;

__attribute__((noinline)) static int via(void) { return hipEventRecord(event, NULL) + (int)sink; }
__attribute__((noinline)) static int first(void) { return via() + 1; }
__attribute__((noinline)) static int second(void) { return via() + 2; }
__attribute__((noinline)) static int third(unsigned turn) {
    volatile unsigned held[16];
    for (unsigned i = 0; i < 16; i++)
        held[i] = turn * 2654435761u + i;
    int answer = via();
    sink = held[turn % 16] & 0;
    return answer;
}

int main(void) {
    int sum = 0;
    if (hipEventCreate(&event) != 0)
        return 1;
    for (unsigned turn = 0; turn < TURNS; turn++)
        sum += first() + second() + third(turn);
    return sum == TURNS * 3 ? 0 : 2;
}

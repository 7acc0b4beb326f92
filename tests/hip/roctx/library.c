// What stands for AMD's libroctx64.so: it prints what it is told, but of short ranges nothing.
#include <stdint.h>
#include <stdio.h>

static int depth;
static uint64_t number = 4711;

void roctxMarkA(const char *message) { printf("mark %s\n", message); }
int roctxRangePushA(const char *message) {
    printf("push %s\n", message);
    return depth++;
}
int roctxRangePop(void) {
    puts("pop");
    return --depth;
}
uint64_t roctxRangeStartA(const char *message) {
    if (message[1] != 'h')
        printf("start %s\n", message);
    return number++;
}
void roctxRangeStop(uint64_t range) {
    if (range <= 4712)
        printf("stop %d\n", (int)range);
}

// What stands for AMD's libroctx64.so: it prints what it is told.
#include <stdint.h>
#include <stdio.h>

static int depth;

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
    printf("start %s\n", message);
    return 4711;
}
void roctxRangeStop(uint64_t range) { printf("stop %d\n", (int)range); }

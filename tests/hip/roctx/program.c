// Calls of HIP within ranges of roctx, which is linked (LINKED) or asked for by dlopen and dlsym.
// What a call's scopes must be stands behind it.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

int hipStreamCreateWithFlags(void **stream, unsigned flags);
int hipEventCreateWithFlags(void **event, unsigned flags);
int hipEventRecord(void *event, void *stream);

#ifdef LINKED
void roctxMarkA(const char *message);
int roctxRangePushA(const char *message);
int roctxRangePop(void);
uint64_t roctxRangeStartA(const char *message);
void roctxRangeStop(uint64_t range);
static int look_up(const char *library) { return library != NULL; }
#else
static void (*roctxMarkA)(const char *);
static int (*roctxRangePushA)(const char *);
static int (*roctxRangePop)(void);
static uint64_t (*roctxRangeStartA)(const char *);
static void (*roctxRangeStop)(uint64_t);
static int look_up(const char *library) {
    if (dlsym(RTLD_DEFAULT, "roctxRangePushA"))
        return 0; // it is not there yet
    void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
        return 0;
    *(void **)&roctxMarkA = dlsym(opened, "roctxMarkA");
    *(void **)&roctxRangePushA = dlsym(opened, "roctxRangePushA");
    *(void **)&roctxRangePop = dlsym(opened, "roctxRangePop");
    *(void **)&roctxRangeStartA = dlsym(opened, "roctxRangeStartA");
    *(void **)&roctxRangeStop = dlsym(opened, "roctxRangeStop");
    return 1;
}
#endif

static void *stream, *event;
static void call(void) { hipEventRecord(event, stream); }

int main(int count, char **arguments) {
    if (count < 2 || !look_up(arguments[1]))
        return 1;
    hipStreamCreateWithFlags(&stream, 1);
    hipEventCreateWithFlags(&event, 2);
    int first = roctxRangePushA("outer"), second = roctxRangePushA("inner");
    call(); // outer/inner
    roctxMarkA("here");
    int third = roctxRangePop();
    uint64_t span = roctxRangeStartA("span");
    call(); // outer/span
    roctxRangeStop(span);
    roctxRangeStop(1);
    int fourth = roctxRangePop();
    call(); //
    printf("%d %d %d %d\n", first, second, third, fourth);
    uint64_t lasts = roctxRangeStartA("long");
    for (int i = 0; i < 3000; i++)
        roctxRangeStop(roctxRangeStartA("short"));
    call(); // long
    roctxRangeStop(lasts);
    call(); //
}

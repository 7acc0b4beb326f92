// Bursts of calls of HIP from a thread of C and from one that is in Python code (python_sites.py).
#include <pthread.h>
#include <stddef.h>
#include <time.h>

int hipEventRecord(void *event, void *stream);
enum { BURST = 200, BURSTS = 400 };
static double least;

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// ns a call of the burst that other work disturbed least.
double bursts(void) {
    const struct timespec pause = {0, 1000000}; // for the ring to be drained
    least = 1e18;
    for (int n = 0; n < BURSTS; n++) {
        double start = now_ns();
        for (int i = 0; i < BURST; i++)
            hipEventRecord((void *)0x1000, (void *)0x2000);
        double each = (now_ns() - start) / BURST;
        if (each < least)
            least = each;
        nanosleep(&pause, NULL);
    }
    return least;
}

static void *run(void *unused) {
    bursts();
    return unused;
}

double bursts_of_a_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    return least;
}

// A timer whose signal handler calls HIP (calls.py: signals).
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

int hipEventRecord(void *event, void *stream);
static void *event, *stream;
static int handled;

static void handle(int number) {
    (void)number;
    hipEventRecord(event, stream);
    handled++;
}

int begin(void *its_event, void *its_stream) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    const struct itimerval every = {{0, 200}, {0, 200}};
    event = its_event;
    stream = its_stream;
    return sigaction(SIGALRM, &action, NULL) + setitimer(ITIMER_REAL, &every, NULL);
}

int end(void) {
    const struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    return handled;
}

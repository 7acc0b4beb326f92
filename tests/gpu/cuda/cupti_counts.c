// Counts the driver's calls of a program as CUPTI sees them, the other witness to what is recorded.
//
//     CUDA_INJECTION64_PATH=cupti_counts.so CUPTI_COUNTS=FILE program
//
// FILE.PID gets a line `NAME COUNT` for each function called, calls within calls left out.
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FUNCTIONS = 4096 };
static const char *names[FUNCTIONS];
static unsigned long counts[FUNCTIONS];
static __thread int depth;

static void called(void *spare, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                   const void *data) {
    (void)spare;
    const CUpti_CallbackData *call = data;
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id >= FUNCTIONS)
        return;
    if (call->callbackSite == CUPTI_API_ENTER) {
        if (depth++ == 0) {
            names[id] = call->functionName;
            __atomic_fetch_add(&counts[id], 1, __ATOMIC_RELAXED);
        }
    } else {
        depth--;
    }
}

static void write_counts(void) {
    char path[512];
    snprintf(path, sizeof path, "%s.%d", getenv("CUPTI_COUNTS"), (int)getpid());
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < FUNCTIONS; i++)
        if (counts[i])
            fprintf(file, "%s %lu\n", names[i], counts[i]);
    if (file)
        fclose(file);
}

int InitializeInjection(void) {
    CUpti_SubscriberHandle subscriber;
    if (!getenv("CUPTI_COUNTS") || cuptiSubscribe(&subscriber, called, NULL) != CUPTI_SUCCESS ||
        cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) != CUPTI_SUCCESS)
        return 0;
    atexit(write_counts);
    return 1;
}

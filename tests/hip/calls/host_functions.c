// A host function behind an upload tells a thread that the source can be filled anew, as in
// frameworks that keep no event for each buffer. Each race lacks one thing.
#include "program.h"
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool untold_mutex; // nothing tells that the mutex orders the threads
static bool done;

static void note(void *token) {
    pthread_mutex_lock(&mutex);
    if (!untold_mutex)
        synctrace_release(token);
    done = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void called_back(hipStream_t stream, hipError_t error, void *token) {
    (void)stream;
    if (!error)
        note(token);
}

static void await(void *token) {
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&changed, &mutex);
    if (!untold_mutex)
        synctrace_acquire(token);
    pthread_mutex_unlock(&mutex);
}

static hipStream_t stream;
static uint32_t *staging, *device;

static void fill_staging(uint32_t value) {
    set_words(staging, value);
    synctrace_host_write(staging, BYTES, "staging");
}

static void begin(void) {
    stream = new_stream();
    staging = pinned_words(WORDS);
    device = device_words(WORDS);
    fill_staging(1);
    busy(stream, 20000);
}

static void end(void) {
    print_device("device", stream, device, WORDS);
}

// Its word is awaited; in the race it is that of before the upload.
static void behind_the_upload(bool fixed) {
    begin();
    if (!fixed)
        OK(hipLaunchHostFunc(stream, note, staging));
    busy(stream, 20000);
    upload(stream, device, staging);
    if (fixed)
        OK(hipLaunchHostFunc(stream, note, staging));
    await(staging);
    fill_staging(2);
    end();
}

static void callback(bool fixed) {
    begin();
    upload(stream, device, staging);
    OK(hipStreamAddCallback(stream, called_back, staging, 0));
    if (fixed)
        await(staging);
    fill_staging(2);
    end();
}

// Right, but for the checker only if the mutex is told, or the order seen counts.
static void mutex_alone(bool fixed) {
    untold_mutex = !fixed;
    behind_the_upload(true);
}

// A node of a graph can be asked for its function.
static void stored(bool fixed) {
    (void)fixed;
    begin();
    drain(stream);
    hipGraph_t graph;
    hipGraphNode_t node;
    hipHostNodeParams asked = {0};
    size_t count = 1;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    OK(hipLaunchHostFunc(stream, note, staging));
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphGetNodes(graph, &node, &count));
    OK(hipGraphHostNodeGetParams(node, &asked));
    staging[0] = asked.fn == note && asked.userData == staging ? 7 : 8;
    upload(stream, device, staging);
    print_device("asked", stream, device, 1);
}

const struct scenario scenarios[] = {
    {"behind-the-upload", behind_the_upload},
    {"callback", callback},
    {"mutex-alone", mutex_alone},
    {"stored", stored},
    {NULL, NULL},
};

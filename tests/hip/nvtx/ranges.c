// Ranges, marks and names of NVTX around calls of HIP, each scene by its name:
//
// A range that began within another stays within it, though that one ends first.
//
//     ranges {nested|domains|spans|threads|forked|unbalanced|deep|marks|names|registered|beyond|
//             ended_elsewhere|handlers|anew|both}
//
// Built with NVTX's own headers, as programs are.
#define _GNU_SOURCE
#include "nvtx3/nvToolsExt.h"
#include "nvtx3/nvToolsExtCudaRt.h"
#include "synctrace.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int hipStreamCreateWithFlags(void **stream, unsigned flags);
int hipEventCreateWithFlags(void **event, unsigned flags);
int hipEventRecord(void *event, void *stream);
static void *stream, *event;

static void call(void) { hipEventRecord(event, stream); }

static nvtxEventAttributes_t saying(nvtxMessageType_t type, nvtxMessageValue_t message) {
    nvtxEventAttributes_t event = {0};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = NVTX_COLOR_ARGB;
    event.color = 0xff00ff00;
    event.payloadType = NVTX_PAYLOAD_TYPE_DOUBLE;
    event.payload.dValue = 1.5;
    event.messageType = type;
    event.message = message;
    return event;
}

static nvtxEventAttributes_t text(const char *ascii) {
    return saying(NVTX_MESSAGE_TYPE_ASCII, (nvtxMessageValue_t){.ascii = ascii});
}

static void nested(void) {
    nvtxRangePushA("outer");
    call(); // outer
    nvtxRangePushW(L"gr\u00f6\u00dfe \u2603 \U0001f600");
    call(); // outer/größe ☃ 😀
    nvtxRangePop();
    nvtxEventAttributes_t event = text("with attributes");
    nvtxRangePushEx(&event);
    call(); // outer/with attributes
    nvtxRangePop();
    nvtxRangePop();
    call(); //
}

static void domains(void) {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("library"), other = nvtxDomainCreateW(L"other");
    nvtxEventAttributes_t step = text("step"), wide = text("wide");
    int levels[3];
    levels[0] = nvtxDomainRangePushEx(domain, &step);
    nvtxRangePushA("mine");
    levels[1] = nvtxDomainRangePushEx(other, &wide);
    levels[2] = nvtxDomainRangePushEx(domain, &step);
    call(); // library: step/mine/other: wide/library: step
    nvtxDomainRangePop(domain);
    nvtxDomainRangePop(domain);
    call(); // library: step/mine/other: wide
    nvtxRangePop();
    call(); // library: step/mine/other: wide
    int left = nvtxDomainRangePop(other), none = nvtxDomainRangePop(other);
    call(); //
    nvtxDomainDestroy(domain);
    printf("%d %d %d %d %d\n", levels[0], levels[1], levels[2], left, none);
}

static void registered(void) {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
    nvtxStringHandle_t narrow = nvtxDomainRegisterStringA(domain, "narrow");
    nvtxStringHandle_t wide = nvtxDomainRegisterStringW(domain, L"w\u00efde");
    nvtxEventAttributes_t first =
        saying(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){.registered = narrow});
    nvtxEventAttributes_t second =
        saying(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){.registered = wide});
    nvtxDomainRangePushEx(domain, &first);
    call(); // library: narrow
    nvtxDomainRangePushEx(domain, &second);
    call(); // library: narrow/library: wïde
    nvtxDomainRangePop(domain);
    nvtxDomainRangePop(domain);
}

static void *end_it(void *range) {
    nvtxRangeEnd(*(nvtxRangeId_t *)range);
    return NULL;
}

static void elsewhere(nvtxRangeId_t range) {
    pthread_t thread;
    pthread_create(&thread, NULL, end_it, &range);
    pthread_join(thread, NULL);
}

static void spans(void) {
    nvtxRangeId_t first = nvtxRangeStartA("first");
    nvtxRangePushA("pushed");
    nvtxRangeId_t second = nvtxRangeStartW(L"second");
    call(); // first/pushed/second
    nvtxRangePop();
    call(); // first/pushed/second
    nvtxRangeEnd(first);
    call(); // first/pushed/second
    elsewhere(second);
    call(); //
    nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
    nvtxEventAttributes_t event = text("span");
    nvtxRangeId_t third = nvtxDomainRangeStartEx(domain, &event);
    call(); // library: span
    nvtxDomainRangeEnd(domain, third);
    nvtxRangeEnd(12345);
    call(); //
}

static pthread_barrier_t both_run;

static void *one_of(void *name) {
    nvtxRangePushA(name);
    pthread_barrier_wait(&both_run);
    call(); // its own
    pthread_barrier_wait(&both_run);
    nvtxRangePop();
    return NULL;
}

static void threads(void) {
    pthread_t one, two;
    pthread_barrier_init(&both_run, NULL, 2);
    pthread_create(&one, NULL, one_of, "one");
    pthread_create(&two, NULL, one_of, "two");
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}

static void forked(void) {
    nvtxRangePushA("parent");
    call(); // parent
    pid_t child = fork();
    if (child == 0) {
        nvtxRangePop(); // the parent's
        call();         //
        nvtxRangePushA("child");
        call(); // child
        nvtxRangePop();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    call(); // parent
    nvtxRangePop();
}

static void unbalanced(void) {
    int none = nvtxRangePop() + nvtxRangePop();
    call(); //
    nvtxRangePushA("left open");
    nvtxRangePushA(NULL);
    call(); // left open/
    printf("%d\n", none);
}

static void deep(void) {
    for (int i = 0; i < 100; i++)
        nvtxRangePushA("deep");
    for (int i = 0; i < 100; i++)
        nvtxRangePop();
    call(); //
}

static void beyond(void) {
    for (int i = 0; i < 64; i++)
        nvtxRangePushA("deep");
    nvtxRangeId_t range = nvtxRangeStartA("without room");
    nvtxRangeEnd(range);
    for (int i = 0; i < 64; i++)
        nvtxRangePop();
    call(); //
}

static void *end_many(void *range) {
    nvtxRangeEnd(*(nvtxRangeId_t *)range);
    for (int i = 0; i < 1000; i++)
        nvtxRangeEnd(100000 + i);
    return NULL;
}

static void ended_elsewhere(void) {
    pthread_t thread;
    nvtxRangeId_t range = nvtxRangeStartA("first of many");
    call(); // first of many
    pthread_create(&thread, NULL, end_many, &range);
    pthread_join(thread, NULL);
    call(); //
}

static void handle(int number) {
    (void)number;
    nvtxRangePushA("handler");
    call(); // its own
    nvtxRangePop();
}

// A signal handler that may come in the middle of telling a range.
static void handlers(void) {
    const struct itimerval every = {{0, 30}, {0, 30}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 20000; i++) {
        nvtxRangePushA("a name that takes its time to be copied, as it is as long as names can be");
        nvtxRangePop();
        for (volatile int n = 0; n < 3000; n++)
            ;
    }
    setitimer(ITIMER_REAL, &never, NULL);
}

// A library that makes its domain and its texts anew for each call.
static void anew(void) {
    char long_text[400];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    for (int i = 0; i < 4000; i++) {
        nvtxDomainHandle_t domain = nvtxDomainCreateA("again");
        nvtxDomainRegisterStringA(domain, long_text);
        nvtxDomainDestroy(domain);
    }
    nvtxDomainHandle_t domain = nvtxDomainCreateA("late");
    nvtxStringHandle_t said = nvtxDomainRegisterStringA(domain, "said");
    nvtxEventAttributes_t event =
        saying(NVTX_MESSAGE_TYPE_REGISTERED, (nvtxMessageValue_t){.registered = said});
    nvtxDomainRangePushEx(domain, &event);
    call(); // late: said
    nvtxDomainRangePop(domain);
}

// Those of synctrace.h are popped by themselves.
static void both(void) {
    synctrace_range_push("ours");
    nvtxRangePushA("theirs");
    synctrace_range_pop();
    call(); // ours/theirs
    nvtxRangePop();
    call(); //
}

static void marks(void) {
    nvtxEventAttributes_t event = text("of a domain");
    nvtxRangePushA("outer");
    nvtxMarkA("ascii");
    nvtxMarkW(L"w\u00efde");
    nvtxMarkEx(&event);
    nvtxDomainMarkEx(nvtxDomainCreateA("library"), &event);
    call(); // outer
    nvtxRangePop();
}

static void names(void) {
    nvtxNameOsThreadA((uint32_t)gettid(), "the one");
    nvtxNameCudaStreamA(stream, "copies");
    nvtxNameCudaEventW(event, L"arriv\u00e9");
    nvtxNameCudaStreamA(NULL, "nobody's");
    nvtxNameCategoryA(3, "ignored");
    call(); //
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } scenes[] = {{"nested", nested},     {"domains", domains},
                  {"spans", spans},       {"threads", threads},
                  {"forked", forked},     {"unbalanced", unbalanced},
                  {"deep", deep},         {"registered", registered},
                  {"marks", marks},       {"names", names},
                  {"beyond", beyond},     {"ended_elsewhere", ended_elsewhere},
                  {"handlers", handlers}, {"anew", anew},
                  {"both", both}};
    hipStreamCreateWithFlags(&stream, 1);
    hipEventCreateWithFlags(&event, 2);
    for (unsigned i = 0; count > 1 && i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(arguments[1], scenes[i].name) == 0)
            scenes[i].run();
}

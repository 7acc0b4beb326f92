// Ranges, marks and names of NVTX around calls of HIP, each scene by its name:
//
// A range that began within another stays within it, though that one ends first.
//
//     ranges {nested|domains|spans|threads|forked|unbalanced|deep|marks|names|registered}
//
// Built with NVTX's own headers, as programs are.
#define _GNU_SOURCE
#include "nvtx3/nvToolsExt.h"
#include "nvtx3/nvToolsExtCudaRt.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
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

static pthread_barrier_t both;

static void *one_of(void *name) {
    nvtxRangePushA(name);
    pthread_barrier_wait(&both);
    call(); // its own
    pthread_barrier_wait(&both);
    nvtxRangePop();
    return NULL;
}

static void threads(void) {
    pthread_t one, two;
    pthread_barrier_init(&both, NULL, 2);
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
    } scenes[] = {{"nested", nested},   {"domains", domains},       {"spans", spans},
                  {"threads", threads}, {"forked", forked},         {"unbalanced", unbalanced},
                  {"deep", deep},       {"registered", registered}, {"marks", marks},
                  {"names", names}};
    hipStreamCreateWithFlags(&stream, 1);
    hipEventCreateWithFlags(&event, 2);
    for (unsigned i = 0; count > 1 && i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(arguments[1], scenes[i].name) == 0)
            scenes[i].run();
}

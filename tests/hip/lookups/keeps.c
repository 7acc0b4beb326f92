// What a program may look at behind a recorded call: errno, and what dlerror says. It asks for
// errors first, as the manual of both says, and has made none of its own since.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int hipStreamCreateWithFlags(void **stream, unsigned flags);
int hipEventCreateWithFlags(void **event, unsigned flags);
int hipEventRecord(void *event, void *stream);
int hipStreamSynchronize(void *stream);
static void *stream, *event;

static int kept(const char *after) {
    const char *said = dlerror();
    if (said || errno)
        printf("after %s: %s, %d\n", after, said ? said : "", errno);
    return !said && !errno;
}

int main(void) {
    dlerror();
    errno = 0;
    if (hipStreamCreateWithFlags(&stream, 1) || !kept("the first call"))
        return 1;
    if (hipEventCreateWithFlags(&event, 2) || hipEventRecord(event, stream) || !kept("others"))
        return 1;
    // What is loaded anew is looked at by the recorder.
    if (!dlopen("libresolv.so.2", RTLD_NOW) || hipEventRecord(event, stream) || !kept("loading"))
        return 1;
    if (hipStreamSynchronize(stream) || !kept("a wait"))
        return 1;
    return 0;
}

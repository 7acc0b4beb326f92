#include "watch.h"
#include <stdlib.h>
#include <string.h>

enum watch watch = WATCH_DIGEST;

// `record` has checked it.
__attribute__((constructor)) static void read_environment(void) {
    static const char *const names[] = {"digest", "track", "protect", "off"};
    const char *asked = getenv("SYNCTRACE_WATCH");
    for (unsigned i = 0; asked && i < sizeof names / sizeof *names; i++)
        if (strcmp(asked, names[i]) == 0)
            watch = (enum watch)i;
}

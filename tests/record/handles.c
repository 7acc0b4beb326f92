// A table of handles under births and deaths: HANDLES ROUNDS. Exit 1: a live handle was not found
// or a dead one was; 2: there was no room for one though most of the table was free.
#include "handle.h"
#include "process.h"
#include <stdlib.h>

enum { CAPACITY = 256, LIVE = 100 };

int main(int argc, char **argv) {
    static struct handle entries[CAPACITY];
    static char things[4096];
    struct handles table = {entries, sizeof *entries, CAPACITY};
    const char *live[LIVE] = {0};
    struct handle fresh = {.id = 1};
    (void)argc;
    srand(7);
    for (int round = 0; round < atoi(argv[1]); round++) {
        const char **slot = &live[rand() % LIVE];
        if (*slot) {
            handle_remove(&table, *slot);
            if (handle_find(&table, *slot))
                return 1;
        }
        do
            *slot = &things[rand() % 256 * 16];
        while (handle_find(&table, *slot));
        handle_remove(&table, NULL);
        if (handle_find(&table, NULL))
            return 1;
        if (!handle_add(&table, *slot, &fresh))
            return 2;
        for (int i = 0; i < LIVE; i++)
            if (live[i] && !handle_find(&table, live[i]))
                return 1;
    }
    return 0;
}

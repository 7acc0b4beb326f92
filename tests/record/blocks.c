// Blocks and lists taken and given back at random: none overlaps another, all begin as zeros.
#include "blocks.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELD = 200 };
static struct {
    unsigned char *at;
    size_t size;
    unsigned char mark;
} held[HELD];

static void fail(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void expect(const unsigned char *at, size_t size, unsigned char value) {
    for (size_t i = 0; i < size; i++)
        if (at[i] != value)
            fail("a block that is not what was written to it");
}

static void lists(void) {
    struct list list = {0}, copy = {0};
    for (unsigned i = 0; i < 10000; i++) {
        unsigned *item = list_append(&list, sizeof *item);
        if (!item || *item)
            fail("an item that is not new");
        *item = i;
    }
    if (!list_copy(&copy, &list, sizeof(unsigned)) || copy.count != 10000)
        fail("a copy of another length");
    list_drop(&list, sizeof(unsigned));
    for (unsigned i = 0; i < copy.count; i++)
        if (((unsigned *)copy.items)[i] != i)
            fail("a copy that is not one");
    list_drop(&copy, sizeof(unsigned));
}

int main(int argc, char **argv) {
    srand(1);
    for (int turn = atoi(argv[argc - 1]); turn > 0; turn--) {
        int i = rand() % HELD;
        if (held[i].at) {
            expect(held[i].at, held[i].size, held[i].mark);
            block_give(held[i].at, held[i].size);
        }
        held[i].size = rand() % 20 ? 1 + (size_t)rand() % 5000 : 1 + (size_t)rand() % 600000;
        held[i].at = block_take(held[i].size);
        held[i].mark = (unsigned char)(1 + rand() % 255);
        if (!held[i].at)
            fail("no memory");
        expect(held[i].at, held[i].size, 0);
        memset(held[i].at, held[i].mark, held[i].size);
    }
    lists();
    return 0;
}

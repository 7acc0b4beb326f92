// Tells what kernel_types.c reads of each name on standard input: how many parameters, whether
// these are all, and a letter each, "c" for a pointer to const.
#include "kernel_types.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        struct kernel_types types = kernel_types_of(line);
        printf("%u %d ", types.told, types.whole);
        for (unsigned i = 0; i < types.told; i++)
            putchar(types.pointers_to_const >> i & 1 ? 'c' : '-');
        putchar('\n');
    }
    return 0;
}

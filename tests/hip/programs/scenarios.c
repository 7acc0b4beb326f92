// The main function of a program of cases.
#include "program.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    bool fixed = argc == 3 && !strcmp(argv[2], "fixed");
    for (const struct scenario *s = scenarios; argc == 3 && s->name; s++)
        if (!strcmp(s->name, argv[1])) {
            s->run(fixed);
            return 0;
        }
    fprintf(stderr, "usage: %s CASE race|fixed\n", argv[0]);
    return 2;
}

// program SCENARIO SIZE AT: see stores.c, frees.c and faults.c.
#include "fake.h"
#include "in_flight.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static backend_t device;
static tensor_t far;

static void place(tensor_t *tensor, void *memory, size_t bytes) {
    memset(tensor, 0, sizeof *tensor);
    tensor->buffer = memory;
    tensor->data = ggml_backend_buffer_get_base(memory);
    tensor->ne[0] = (int64_t)bytes;
    strcpy(tensor->name, "far");
}

void start(void) {
    device = ggml_backend_dev_init((void *)1, NULL);
    place(&far, ggml_backend_buft_alloc_buffer((void *)1, FAR), FAR);
}

void copy_from(const void *data, size_t size) {
    ggml_backend_tensor_set_async(device, &far, data, 0, size);
}

void copy_rows_from(const void *data, size_t size, size_t rows, size_t pitch) {
    ggml_backend_tensor_set_2d_async(device, &far, data, 0, size, rows, size, pitch);
}

void copy_to(void *data, size_t size) {
    ggml_backend_tensor_get_async(device, &far, data, 0, size);
}

void wait_for_all(void) { ggml_backend_synchronize(device); }

static char *filled(char *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        at[i] = (char)(i * 7 + i / PAGE);
    return at;
}

char *pages(size_t size) {
    char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        exit(90);
    return filled(at, size);
}

char *buffer(size_t size) {
    void *memory = ggml_backend_buft_alloc_buffer((void *)0, size);
    return filled(ggml_backend_buffer_get_base(memory), size);
}

static void run_named(const struct scenario *scenario, char **argv) {
    for (; scenario->name; scenario++)
        if (strcmp(scenario->name, argv[1]) == 0) {
            start();
            scenario->run(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
            exit(0);
        }
}

int main(int argc, char **argv) {
    if (argc == 4) {
        run_named(stores, argv);
        run_named(frees, argv);
        run_named(faults, argv);
    }
    return 91;
}

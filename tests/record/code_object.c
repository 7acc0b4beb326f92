// Tells the layouts of kernels, and holds against bytes of any kind.
//
//   code_object                            commands on stdin, below
//   code_object fuzz FILE ROUNDS NAME...   FILE cut at every length, then changed in ROUNDS ways
//   code_object race FILE NAME...          threads, forks and signals ask at the same time
//   code_object loader FILE NAME           FILE is compressed; the loader is kept waiting
#include "code_object.h"
#include "kernel_registry.h"
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IMAGES = 1024, KERNELS = 100000, LINE = 65536, PAGE = 65536 };

static struct wrapper {
    uint32_t magic, version;
    const void *binary, *unused;
} wrappers[IMAGES];
static char stubs[KERNELS * 2], modules[IMAGES];
static void *handles[IMAGES];
static struct kernel *kernels[KERNELS];
static unsigned used;

struct file {
    uint8_t *at;
    size_t size;
};

static struct file opened(const char *path) {
    struct stat facts;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &facts))
        exit(3);
    struct file file = {NULL, (size_t)facts.st_size};
    if (file.size)
        file.at = mmap(NULL, file.size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return file;
}

// The end of the copy is the end of what can be read.
static uint8_t *guarded(const uint8_t *at, size_t size, size_t *mapped) {
    *mapped = (size + PAGE - 1) / PAGE * PAGE + PAGE;
    uint8_t *memory =
        mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory + *mapped - PAGE, PAGE, PROT_NONE);
    return memcpy(memory + *mapped - PAGE - size, at, size);
}

static void *exact(const uint8_t *at, size_t size) {
    void *copy = malloc(size ? size : 1);
    return size ? memcpy(copy, at, size) : copy;
}

static void show(const struct kernel_layout *layout) {
    printf("%s %u %016llx", layout->name, layout->why, (unsigned long long)layout->hash);
    for (unsigned i = 0; i < layout->arguments; i++)
        printf(" %u:%u", layout->argument[i].offset, layout->argument[i].size);
    for (unsigned i = 0; i < layout->pointers; i++) {
        const struct kernel_pointer *pointer = &layout->pointer[i];
        printf(" %u+%u:%u%s", pointer->argument, pointer->offset_in_argument, pointer->mode,
               pointer->guessed ? "?" : "");
    }
    printf("\n");
}

static void load(unsigned n, const char *path, size_t told) {
    struct file file = opened(path);
    uint8_t *copy = exact(file.at, file.size);
    module_loaded(&modules[n], copy, told);
    memset(copy, 0xff, file.size);
    free(copy);
}

static void load_unsized(unsigned n, const char *path) {
    struct file file = opened(path);
    size_t mapped;
    uint8_t *copy = guarded(file.at, file.size, &mapped);
    module_loaded(&modules[n], copy, 0);
    munmap(copy + file.size + PAGE - mapped, mapped);
}

static void add(unsigned i, unsigned n, const char *name, bool function) {
    const char *key = &stubs[2 * i];
    if (function)
        function_found((void *)key, &modules[n], name);
    else
        kernel_register(&handles[n], key, strdup(name));
    kernels[i] = function ? kernel_of_function(key) : kernel_of_stub(key);
}

static void show_all(void) {
    int64_t start = thread_cpu_ns();
    for (unsigned i = 0; i < used; i++)
        (void)kernel_layout_of(kernels[i]);
    fprintf(stderr, "%u layouts: %.1f ms of the processor\n", used,
            (double)(thread_cpu_ns() - start) / 1e6);
    for (unsigned i = 0; i < used; i++)
        show(kernel_layout_of(kernels[i]));
}

static void cut(struct file *file, size_t size) {
    uintptr_t mask = (uintptr_t)PAGE - 1, from = ((uintptr_t)file->at + size + mask) & ~mask;
    munmap((void *)from, (size_t)(file->at + file->size - (uint8_t *)from));
}

static void used_by(const char *name) {
    static struct architectures all;
    if (architecture_add(&all, name))
        code_architectures(&all);
}

static int commanded(void) {
    static char line[LINE], word[16], text[LINE];
    struct file file = {0};
    int64_t registering = 0;
    unsigned n;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%15s %u %65535s", word, &n, text) != 3)
            return 4;
        int64_t start = thread_cpu_ns();
        if (!strcmp(word, "architecture"))
            used_by(text);
        else if (!strcmp(word, "open")) { // the file in which images lie, to the end of memory
            file = opened(text);
            file.at = guarded(file.at, file.size, &(size_t){0});
        } else if (!strcmp(word, "cut")) // what lies more than this behind its start is gone
            cut(&file, (size_t)atol(text));
        else if (!strcmp(word, "ask")) // now, not at the end
            (void)kernel_layout_of(kernels[n]);
        else if (!strcmp(word, "image")) { // n-th: at this offset in the file
            wrappers[n] = (struct wrapper){0x48495046, 1, file.at + atol(text), NULL};
            code_register(&handles[n], &wrappers[n]);
        } else if (!strcmp(word, "gone"))
            code_unregister(&handles[n]);
        else if (!strcmp(word, "module"))
            load(n, text, opened(text).size);
        else if (!strcmp(word, "unsized"))
            load_unsized(n, text);
        else if (!strcmp(word, "file"))
            module_loaded_file(&modules[n], text);
        else if (!strcmp(word, "unload"))
            module_unloaded(&modules[n]);
        else if (!strcmp(word, "kernel") || !strcmp(word, "function"))
            add(used++, n, text, *word == 'f');
        else if (!strcmp(word, "rekernel") ||
                 !strcmp(word, "refunction")) // of the last one's address
            add(used - 1, n, text, word[2] == 'f');
        else if (!strcmp(word, "find")) // the last one again
            kernels[used - 1] = kernel_of_function(&stubs[2 * (used - 1)]);
        else if (!strcmp(word, "same")) { // another function of the n-th kernel's stub
            function_of_stub(&stubs[2 * used + 1], &stubs[2 * n]);
            kernels[used] = kernel_of_function(&stubs[2 * used + 1]);
            used++;
        } else
            return 4;
        registering += thread_cpu_ns() - start;
    }
    fprintf(stderr, "registered in %.1f ms\n", (double)registering / 1e6);
    show_all();
    return 0;
}

// Everything that a layout says is looked at, so that a sanitizer sees it.
static unsigned weight(const struct kernel_layout *layout) {
    unsigned sum = (unsigned)strlen(layout->name) + layout->why;
    for (unsigned i = 0; i < layout->arguments; i++)
        sum += layout->argument[i].offset + layout->argument[i].size;
    for (unsigned i = 0; i < layout->pointers; i++) {
        const struct kernel_pointer *pointer = &layout->pointer[i];
        const struct kernel_argument *argument = &layout->argument[pointer->argument];
        if (pointer->argument >= layout->arguments ||
            pointer->offset_in_argument + 8 > argument->size)
            exit(5);
        sum += pointer->mode + pointer->guessed;
    }
    return sum;
}

static unsigned try(const uint8_t *at, size_t size, bool in_place, char **names) {
    static char key;
    unsigned sum = 0;
    size_t mapped = 0;
    uint8_t *copy = in_place ? guarded(at, size, &mapped) : exact(at, size);
    if (in_place) {
        wrappers[0] = (struct wrapper){0x48495046, 1, copy, NULL};
        code_register(&handles[0], &wrappers[0]);
    } else
        module_loaded(&modules[0], copy, size);
    for (; *names; names++)
        if (in_place) {
            kernel_register(&handles[0], *names, *names);
            sum += weight(kernel_layout_of(kernel_of_stub(*names)));
        } else {
            function_found(&key, &modules[0], *names);
            sum += weight(kernel_layout_of(kernel_of_function(&key)));
        }
    code_unregister(&handles[0]);
    module_unloaded(&modules[0]);
    if (in_place)
        munmap(copy + size + PAGE - mapped, mapped);
    else
        free(copy);
    return sum;
}

static int fuzzed(const char *path, unsigned rounds, char **names) {
    struct file file = opened(path);
    unsigned sum = 0;
    for (size_t size = 1; size <= file.size; size++)
        sum += try(file.at, size, size % 2, names);
    srand(7);
    for (unsigned round = 0; round < rounds; round++) {
        uint8_t *changed = exact(file.at, file.size);
        for (int changes = 1 + rand() % 4; changes; changes--) {
            uint8_t *at = &changed[(size_t)rand() % file.size];
            *at = rand() % 2 ? (uint8_t)rand() : rand() % 2 ? 0xff : *at ^ 1 << rand() % 8;
        }
        sum += try(changed, file.size, round % 2, names);
        free(changed);
    }
    printf("%u\n", sum);
    return 0;
}

// One image, registered anew for each of the kernels that all threads ask for at once.
enum { THREADS = 4, TURNS = 200, FORKS = 20 };
static pthread_barrier_t barrier;
static char **race_names;
static size_t race_images;
static _Atomic bool wrong;

// A child of the first turn may have been made while the loader was at work: it may find nothing,
// but must come to its end.
static void ask(unsigned turn) {
    for (char **name = race_names; *name; name++) {
        size_t i = turn * race_images + (size_t)(name - race_names);
        const struct kernel_layout *layout = kernel_layout_of(kernel_of_stub(&stubs[2 * i]));
        if (!layout->known || strcmp(layout->name, *name) != 0)
            wrong = true;
    }
}

static void *asks(void *unused) {
    for (unsigned turn = 0; turn < TURNS; turn++) {
        pthread_barrier_wait(&barrier);
        ask(turn);
    }
    return unused;
}

// May interrupt anything, so that it may find nothing; it must come to its end.
static void interrupted(int signal) {
    (void)signal;
    static _Atomic unsigned n;
    int error = errno;
    kernel_register(&handles[1], &stubs[KERNELS + 2 * (n++ % 1000)], "from a signal handler");
    (void)kernel_layout_of(kernel_of_stub(&stubs[0]));
    errno = error;
}

static int raced(const char *path, char **names) {
    struct file file = opened(path);
    pthread_t threads[THREADS];
    race_names = names;
    while (names[race_images])
        race_images++;
    signal(SIGALRM, interrupted);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 500}, {0, 500}}, NULL);
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, asks, NULL);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        wrappers[turn] = (struct wrapper){0x48495046, 1, file.at, NULL};
        sigset_t all, before; // what it interrupts loses its registration, as is said
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before);
        code_register(&handles[turn + 2], &wrappers[turn]);
        for (size_t i = 0; i < race_images; i++)
            kernel_register(&handles[turn + 2], &stubs[2 * (turn * race_images + i)], names[i]);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_barrier_wait(&barrier);
        if (turn % (TURNS / FORKS) == 0) {
            pid_t child = fork();
            int status = 0;
            if (child == 0) {
                wrong = false;
                ask(turn);
                _exit(turn > 0 && wrong);
            }
            waitpid(child, &status, 0);
            wrong = wrong || status;
        }
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return wrong;
}

// Within a walk over the libraries no other thread can load one: a decompressor neither.
static void *asks_once(void *stub) {
    wrong = !kernel_layout_of(kernel_of_stub(stub))->known;
    return NULL;
}

static int while_loading(struct dl_phdr_info *info, size_t size, void *thread) {
    (void)info;
    (void)size;
    pthread_create(thread, NULL, asks_once, &stubs[0]);
    usleep(100000);
    kernel_register(&handles[0], &stubs[2], "another"); // needs the lock of the registry
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(kernel_layout_of(kernel_of_stub(&stubs[0]))->why != CODE_NO_DECOMPRESSOR);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return 1 + status;
}

static int loading(const char *path, const char *name) {
    pthread_t thread;
    wrappers[0] = (struct wrapper){0x48495046, 1, opened(path).at, NULL};
    code_register(&handles[0], &wrappers[0]);
    kernel_register(&handles[0], &stubs[0], name);
    alarm(60);
    int status = dl_iterate_phdr(while_loading, &thread) - 1;
    pthread_join(thread, NULL);
    return status || wrong;
}

int main(int argc, char **argv) {
    if (argc > 3 && !strcmp(argv[1], "loader"))
        return loading(argv[2], argv[3]);
    if (argc > 3 && !strcmp(argv[1], "fuzz"))
        return fuzzed(argv[2], (unsigned)atoi(argv[3]), argv + 4);
    return argc > 3 ? raced(argv[2], argv + 3) : commanded();
}

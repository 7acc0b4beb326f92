// Where the code of loaded kernels is, for those who read it after the run: a line of text for each
// image in FOLDER/code, and a copy of an image that lies in no file. At load, never at a launch.
//
//   mapped ADDRESS SIZE        bytes of a loaded program or library
//   file PATH                  loaded from a file by its name
//   copied HASH SIZE           FOLDER/code-HASH holds it
//   gpu ARCHITECTURE           90 for sm_90: the device that was current at the first load
//   source HASH SIZE           a text (PTX), which the driver compiles: its code is not to be had.
//                              FOLDER/code-HASH holds it; without both there was no room
//   left SIZE                  too large to be copied, or there was no room for it
#include "code_files.h"
#include "cuda_calls.h"
#include "handle.h"
#include "kernel_registry.h"
#include "module.h"
#include "process.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WRAPPER = 0x466243b1, CONTAINER = 0xba55ed50, ELF = 0x464c457f };
enum { LINE = 8200 };

struct wrapper { // what nvcc registers
    uint32_t magic, version;
    const void *data;
};

struct container {
    uint32_t magic;
    uint16_t version, head;
    uint64_t size;
};

struct elf { // Elf64_Ehdr
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t size, segment_size, segment_count, section_size, section_count, names;
};
static_assert(sizeof(struct elf) == 64, "Elf64_Ehdr");

// What its head says: it may lie, though the driver has taken it. 0: a text. The
// sections' table of a cubin may lie before its segments'.
static uint64_t size_of(const void *image) {
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    if (magic == CONTAINER) {
        struct container head;
        memcpy(&head, image, sizeof head);
        return head.head + head.size;
    }
    if (magic != ELF)
        return 0;
    struct elf head;
    memcpy(&head, image, sizeof head);
    uint64_t sections = head.sections + (uint64_t)head.section_size * head.section_count;
    uint64_t segments = head.segments + (uint64_t)head.segment_size * head.segment_count;
    return sections > segments ? sections : segments;
}

static void tell_gpu(void) {
    static _Atomic uint32_t told;
    if (atomic_exchange(&told, process_epoch() + 1) == process_epoch() + 1)
        return;
    enum { MAJOR = 75, MINOR = 76 }; // CUdevice_attribute
    int (*ask_device)(int *) = (int (*)(int *))cuda_unrecorded("cuCtxGetDevice");
    int (*ask)(int *, int, int) = (int (*)(int *, int, int))cuda_unrecorded("cuDeviceGetAttribute");
    int device = 0, major, minor;
    if (ask_device)
        ask_device(&device); // without a context there is none, and the first is taken
    if (!ask || ask(&major, MAJOR, device) != 0 || ask(&minor, MINOR, device) != 0)
        return;
    char line[32];
    int length = snprintf(line, sizeof line, "gpu %d\n", major * 10 + minor);
    code_file_line(line, (size_t)length);
}

// What was copied, by the module or library that it was loaded as.
enum { LOADED = 16384 };
struct loaded {
    struct handle handle;
    _Atomic uint64_t code; // 0: not copied
};
static struct loaded entries[LOADED];
static const struct handles loaded = {entries, sizeof *entries, LOADED};

static void note_loaded(void *const *handle, uint64_t code) {
    static const struct loaded fresh;
    if (!handle || !*handle)
        return;
    struct loaded *one = handle_find(&loaded, *handle);
    if (!one && code)
        one = handle_add(&loaded, *handle, &fresh);
    if (one) // of a module that is gone another may have the handle
        atomic_store(&one->code, code);
}

void cuda_code_gone(int rc, void *handle) {
    if (rc != 0)
        return;
    handle_remove(&loaded, handle);
    functions_stale();
}

uint64_t cuda_code_of(void *function) {
    static const char *const ways[] = {"cuFuncGetModule", "cuKernelGetLibrary"};
    for (unsigned i = 0; i < 2; i++) {
        void *of = NULL;
        int (*ask)(void **, void *) = (int (*)(void **, void *))cuda_unrecorded(ways[i]);
        struct loaded *one = ask && ask(&of, function) == 0 ? handle_find(&loaded, of) : NULL;
        if (one)
            return atomic_load(&one->code);
    }
    return 0;
}

// `word`: what the line is to begin with where it was copied. Its hash; 0: it was not.
static uint64_t copy(const char *word, const void *image, uint64_t size, char *line, size_t room) {
    uint64_t hash = code_file_copy(image, size);
    if (hash)
        snprintf(line, room, "%s %016llx %llu\n", word, (unsigned long long)hash,
                 (unsigned long long)size);
    else if (*word == 's')
        snprintf(line, room, "source\n");
    else
        snprintf(line, room, "left %llu\n", (unsigned long long)size);
    return hash;
}

void cuda_code_loaded(int rc, void *const *handle, const void *image) {
    int error = errno;
    char line[LINE];
    if (rc != 0 || !image || !process_start()) {
        errno = error;
        return;
    }
    tell_gpu();
    struct wrapper wrapper;
    memcpy(&wrapper, image, sizeof wrapper.magic);
    if (wrapper.magic == WRAPPER) {
        memcpy(&wrapper, image, sizeof wrapper);
        image = wrapper.data;
    }
    uint64_t code = 0, size = size_of(image), address = (uint64_t)(uintptr_t)image;
    struct module_place place = {0};
    if (size)
        module_places(&address, 1, &place);
    if (size && place.name)
        snprintf(line, sizeof line, "mapped %llu %llu\n", (unsigned long long)address,
                 (unsigned long long)size);
    else if (size)
        code = copy("copied", image, size, line, sizeof line);
    else
        copy("source", image, strnlen(image, CODE_COPIED_MOST + 1), line, sizeof line);
    code_file_line(line, strlen(line));
    note_loaded(handle, code);
    errno = error;
}

void cuda_code_file(int rc, const char *path) {
    int error = errno;
    char line[LINE];
    if (rc == 0 && path && process_start()) {
        char folder[PATH_MAX] = "";
        tell_gpu();
        // The program may be elsewhere when it is read.
        bool here = *path != '/' && getcwd(folder, sizeof folder);
        int length = snprintf(line, sizeof line, "file %s%s%s\n", folder, here ? "/" : "", path);
        if (length > 0 && (size_t)length < sizeof line && !strchr(path, '\n'))
            code_file_line(line, (size_t)length);
    }
    errno = error;
}

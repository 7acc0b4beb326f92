// A run-time compiler without a compiler: whatever the source, the code is the file that
// STANDIN_CODE names (a code object that the test made), or one that holds nothing.
//
// A launch of its kernels does nothing on the stand-in; what counts is that a program which compiles
// at run time comes to its launches, with the layouts that the code object tells.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
enum { SUCCESS = 0, OUT_OF_MEMORY = 1, INVALID_INPUT = 3 };

typedef struct program {
    char *code;
    size_t bytes;
} *program;

static void read_code(program made) {
    const char *path = getenv("STANDIN_CODE");
    FILE *file = path && *path ? fopen(path, "rb") : NULL;
    if (!file)
        return;
    if (fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0) {
        size_t bytes = (size_t)ftell(file);
        made->code = malloc(bytes);
        rewind(file);
        made->bytes = made->code ? fread(made->code, 1, bytes, file) : 0;
    }
    fclose(file);
}

EXPORT int hiprtcVersion(int *major, int *minor) { return *major = 7, *minor = 1, SUCCESS; }
EXPORT const char *hiprtcGetErrorString(int error) { return error ? "error" : "success"; }

EXPORT int hiprtcCreateProgram(program *made, const char *source, const char *name, int headers,
                               const char **texts, const char **names) {
    (void)name, (void)headers, (void)texts, (void)names;
    if (!made || !source)
        return INVALID_INPUT;
    *made = calloc(1, sizeof **made);
    if (!*made)
        return OUT_OF_MEMORY;
    read_code(*made);
    return SUCCESS;
}
EXPORT int hiprtcDestroyProgram(program *made) {
    free((*made)->code);
    free(*made);
    *made = NULL;
    return SUCCESS;
}
EXPORT int hiprtcCompileProgram(program made, int count, const char **options) {
    (void)count, (void)options;
    return made ? SUCCESS : INVALID_INPUT;
}

EXPORT int hiprtcGetCodeSize(program made, size_t *bytes) { return *bytes = made->bytes, SUCCESS; }
EXPORT int hiprtcGetCode(program made, char *code) {
    if (made->bytes)
        memcpy(code, made->code, made->bytes);
    return SUCCESS;
}
EXPORT int hiprtcGetProgramLogSize(program made, size_t *bytes) {
    return (void)made, *bytes = 1, SUCCESS;
}
EXPORT int hiprtcGetProgramLog(program made, char *text) { return (void)made, *text = 0, SUCCESS; }

EXPORT int hiprtcAddNameExpression(program made, const char *name) {
    return (void)made, (void)name, SUCCESS;
}
EXPORT int hiprtcGetLoweredName(program made, const char *name, const char **lowered) {
    return (void)made, *lowered = name, SUCCESS;
}

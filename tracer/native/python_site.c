#include "python_site.h"
#include "mix.h"
#include "python_abi.h"
#include "site.h"
#include <stdlib.h>
#include <string.h>

// Frames that tell one path from another at every call; what lies beyond is looked at now and then.
enum { NEAR = 4, HIDDEN_FILES = 32 };

static char *hidden[HIDDEN_FILES];

bool python_hide(const char *file) {
    for (int i = 0; i < HIDDEN_FILES; i++) {
        if (!hidden[i])
            return (hidden[i] = strdup(file)) != NULL;
        if (strcmp(hidden[i], file) == 0)
            return true;
    }
    return false;
}

bool python_is_hidden(const char *file) {
    for (int i = 0; i < HIDDEN_FILES && hidden[i]; i++)
        if (strcmp(hidden[i], file) == 0)
            return true;
    return false;
}

// The whole stack, innermost first; frames are held until path_release.
struct path {
    unsigned depth;
    object_t *frame[STACK_DEPTH + NEAR]; // hidden ones take no room of the others
    object_t *code[STACK_DEPTH + NEAR];
    int lasti[STACK_DEPTH + NEAR];
};

static void path_take(struct path *path, unsigned most) {
    object_t *frame = python.PyEval_GetFrame();
    if (frame)
        python.Py_IncRef(frame);
    path->depth = 0;
    while (frame && path->depth < most) {
        path->frame[path->depth] = frame;
        path->code[path->depth] = python.PyFrame_GetCode(frame);
        path->lasti[path->depth] = python.PyFrame_GetLasti(frame);
        path->depth++;
        frame = python.PyFrame_GetBack(frame);
    }
    if (frame)
        python.Py_DecRef(frame);
}

static void path_release(const struct path *path) {
    for (unsigned i = 0; i < path->depth; i++) {
        python.Py_DecRef(path->code[i]);
        python.Py_DecRef(path->frame[i]);
    }
}

static uint64_t digest_of(const struct path *path, unsigned depth) {
    uint64_t h = depth;
    for (unsigned i = 0; i < depth; i++)
        h = mix(mix(h, (uintptr_t)path->code[i]), (uint64_t)path->lasti[i]);
    return h;
}

// A name for the place that no address of a native frame can have. The code is kept, so that no
// other one comes to lie there.
static uint64_t address_of(object_t *code, int lasti) {
    python.Py_IncRef(code);
    return mix(mix(0, (uintptr_t)code), (uint64_t)lasti) | 1ull << 63;
}

void python_tell_frame(struct thread *thread, uint64_t address, int line, const char *function,
                       const char *file) {
    size_t names = strnlen(function, 500) + 1, path = strnlen(file, 1000) + 1;
    struct record_frame *record =
        ring_reserve(thread->ring, RECORD_FRAME, 0, sizeof *record + names + path,
                     atomic_load(&process.control->ticket));
    if (!record)
        return;
    record->address = address;
    record->line = line > 0 ? (uint32_t)line : 0;
    record->spare = 0;
    char *text = (char *)(record + 1);
    memcpy(text, function, names - 1);
    text[names - 1] = 0;
    memcpy(text + names, file, path - 1);
    text[names + path - 1] = 0;
    ring_commit(thread->ring, record);
}

static const char *text_of(object_t *code, const char *attribute, object_t **held) {
    *held = python.PyObject_GetAttrString(code, attribute);
    const char *text = *held ? python.PyUnicode_AsUTF8AndSize(*held, NULL) : NULL;
    if (!text)
        python.PyErr_Clear();
    return text ? text : "?";
}

static void tell_stack(struct thread *thread, struct site_entry *entry, const struct path *path,
                       uint32_t call) {
    if (!thread->ring)
        return;
    uint64_t frames[STACK_DEPTH], key = call;
    unsigned depth = 0;
    for (unsigned i = 0; i < path->depth && depth < STACK_DEPTH; i++) {
        object_t *file_held, *function_held;
        const char *file = text_of(path->code[i], "co_filename", &file_held);
        const char *function = text_of(path->code[i], "co_qualname", &function_held);
        if (!python_is_hidden(file)) {
            uint64_t address = address_of(path->code[i], path->lasti[i]);
            python_tell_frame(thread, address, python.PyFrame_GetLineNumber(path->frame[i]),
                              function, file);
            const char *slash = strrchr(file, '/');
            key = mix(mix_text(mix_text(key, slash ? slash + 1 : file), function),
                      (uint64_t)path->lasti[i]);
            frames[depth++] = address;
        }
        if (file_held)
            python.Py_DecRef(file_held);
        if (function_held)
            python.Py_DecRef(function_held);
    }
    entry->stack_key = (uint32_t)(key >> 32);
    struct record_stack *record =
        ring_reserve(thread->ring, RECORD_STACK, (uint16_t)depth, sizeof *record + depth * 8,
                     atomic_load(&process.control->ticket));
    if (!record)
        return;
    record->id = entry->stack = take_id(ID_STACK);
    record->key = entry->stack_key;
    memcpy(record + 1, frames, depth * sizeof *frames);
    ring_commit(thread->ring, record);
}

struct site_entry *python_site(struct thread *thread, uint32_t call, uint32_t scope) {
    uint64_t scope_kind = thread->scopes ? thread->scope[thread->scopes - 1].kind : 0;
    struct path path;
    path_take(&path, process.stacks ? NEAR : 0);
    uint64_t near = mix(digest_of(&path, path.depth), (uint64_t)call << 8 | scope_kind),
             key = near | 1;
    struct site_entry *entry = site_find(thread, key);
    bool known = entry->key == key && (entry->stack || !process.stacks);
    if (process.stacks && (!known || entry->several || site_is_due(++entry->hits))) {
        path_release(&path);
        path_take(&path, STACK_DEPTH + NEAR);
        uint64_t digest = digest_of(&path, path.depth);
        entry->several |= known && entry->digest != digest;
        if (known && entry->several) {
            key = mix(key, digest) | 1;
            entry = site_find(thread, key);
        }
        if (entry->key != key)
            *entry = (struct site_entry){.key = key, .digest = digest};
        if (entry->stack == 0)
            tell_stack(thread, entry, &path, call);
    } else if (entry->key != key) {
        *entry = (struct site_entry){.key = key};
    }
    path_release(&path);
    entry->ordinal = scope && entry->scope == scope ? entry->ordinal + 1 : 0;
    entry->scope = scope;
    return entry;
}

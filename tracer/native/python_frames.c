#include "python_frames.h"
#include "loaded.h"
#include "mix.h"
#include "python_site.h"
#include "utf8.h"
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

// What is asked of Python needs no lock: it reads what does not change.
static struct {
    int (*Py_IsInitialized)(void);
    char *(*PyGILState_GetThisThreadState)(void);
    long (*PyUnicode_GetLength)(const char *text);
    uint32_t (*PyUnicode_ReadChar)(const char *text, long at);
    int (*PyCode_Addr2Line)(const char *code, int offset);
    const unsigned long *Py_Version;
    const char *PyCode_Type, *PyUnicode_Type;
    const uint64_t *_PyRuntime;
} interpreter;

// Where the fields lie: of the thread's state, of a frame, of a code object.
struct python_layout {
    uint64_t frame;  // the innermost
    int64_t pointed; // >= 0: `frame` leads to what has it there
    uint64_t code, previous, instruction, owner;
    uint64_t filename, function, lines, instructions;
    uint64_t text; // of a string: its bytes; 0: not known
};
static struct python_layout layout;
static uintptr_t interpreter_start, interpreter_end;
static _Atomic bool readable;

static const struct python_layout of_3_11 = {56, 8, 32, 48, 56, 69, 112, 128, 136, 184, 48};
static const struct python_layout of_3_12 = {56, 0, 0, 8, 56, 70, 112, 128, 136, 192, 40};

// Newer ones say it themselves, for tools. `state`, `frame`, `code`: where the sizes of the three
// stand in that table, each with its fields behind it.
static bool layout_from(unsigned state, unsigned frame, unsigned code) {
    const uint64_t *told = interpreter._PyRuntime;
    if (memcmp(told, "xdebugpy", 8) != 0 || told[1] != *interpreter.Py_Version || told[2])
        return false; // [2]: without the lock, where code is not what lies in its object
    layout = (struct python_layout){told[state + 4],
                                    -1,
                                    told[frame + 2],
                                    told[frame + 1],
                                    told[frame + 3],
                                    told[frame + 5],
                                    told[code + 1],
                                    told[code + 3],
                                    told[code + 4],
                                    told[code + 9],
                                    40};
    return layout.frame < told[state] && layout.owner < told[frame];
}

static bool layout_known(void) {
    switch (*interpreter.Py_Version >> 16) {
    case 0x30b:
        layout = of_3_11;
        return true;
    case 0x30c:
        layout = of_3_12;
        return true;
    case 0x30d:
        return layout_from(19, 28, 34);
    case 0x30e:
        return layout_from(22, 31, 39);
    default:
        return false;
    }
}

static bool find_all(void) {
#define FIND(name) (*(void **)&interpreter.name = quiet_dlsym(NULL, #name))
    return FIND(PyGILState_GetThisThreadState) && FIND(Py_IsInitialized) &&
           FIND(PyUnicode_GetLength) && FIND(PyUnicode_ReadChar) && FIND(PyCode_Addr2Line) &&
           FIND(Py_Version) && FIND(PyCode_Type) && FIND(PyUnicode_Type) && FIND(_PyRuntime);
#undef FIND
}

static int note_interpreter(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size, (void)data;
    uintptr_t asks = (uintptr_t)interpreter.Py_IsInitialized;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || asks - start >= segment->p_memsz)
            continue;
        interpreter_start = start; // its code is one segment
        interpreter_end = start + segment->p_memsz;
        return 1;
    }
    return 0;
}

static uint64_t word(uintptr_t at, uint64_t offset) { return *(const uint64_t *)(at + offset); }

// A code object is as large as its instructions lie far from its start: so its type says, too.
enum { TYPE = 8, BASIC_SIZE = 32 };

void python_frames_look(void) {
    if (atomic_load(&readable) || !find_all() || !layout_known())
        return;
    if (word((uintptr_t)interpreter.PyCode_Type, BASIC_SIZE) != layout.instructions ||
        word((uintptr_t)interpreter.PyUnicode_Type, BASIC_SIZE) < layout.text ||
        !dl_iterate_phdr(note_interpreter, NULL))
        return;
    atomic_store(&readable, true); // it stays, though it be closed: it was found for one that does
}

bool python_interprets(uintptr_t address) {
    return address >= interpreter_start && address < interpreter_end;
}

// Null where the thread has none, before Python is there, and when it ends: then the states of
// threads that are left are taken from them.
static uintptr_t innermost_frame(void) {
    if (!atomic_load_explicit(&readable, memory_order_acquire) || !interpreter.Py_IsInitialized())
        return 0;
    uintptr_t state = (uintptr_t)interpreter.PyGILState_GetThisThreadState();
    uintptr_t frame = state ? word(state, layout.frame) : 0;
    return frame && layout.pointed >= 0 ? word(frame, (uint64_t)layout.pointed) : frame;
}

// A handler of a signal may find a pointer that the interpreter has not set yet.
static bool is_mapped(struct thread *thread, uintptr_t at) {
    uintptr_t page = at / RECORD_PAGE, *known = &thread->python_page[page % PYTHON_PAGES];
    unsigned char resident;
    if (!page)
        return false;
    if (*known == page)
        return true;
    if (at % sizeof at)
        return false;
    int error = errno;
    bool there = mincore((void *)(page * RECORD_PAGE), 1, &resident) == 0;
    errno = error;
    *known = there ? page : *known;
    return there;
}

// Frames by which C enters the interpreter have no code; low bits of the newest pointers are flags.
enum { OWNED_BY_INTERPRETER = 3, FLAGS = 7 };
// Of a frame that is being made what is before it may not be said yet, and lead round in a circle:
// so many frames are looked at, those without code among them.
enum { STEPS = 4 * PYTHON_DEPTH };

// Null: it has none. `known`: where what is known of that code stands.
static uintptr_t code_of(struct thread *thread, uintptr_t frame, struct python_code **known) {
    uintptr_t code = word(frame, layout.code) & ~(uintptr_t)FLAGS;
    if (*(const unsigned char *)(frame + layout.owner) >= OWNED_BY_INTERPRETER || !code)
        return 0;
    *known = &thread->python_code[code / 64 % PYTHON_CODES];
    bool there = (*known)->code == code || is_mapped(thread, code);
    return there && word(code, TYPE) == (uintptr_t)interpreter.PyCode_Type ? code : 0;
}

unsigned python_frames(struct thread *thread, struct python_frame *frames) {
    unsigned depth = 0;
    struct python_code *known;
    unsigned steps = 0;
    for (uintptr_t at = innermost_frame();
         depth < PYTHON_DEPTH && steps++ < STEPS && is_mapped(thread, at);
         at = word(at, layout.previous)) {
        uintptr_t code = code_of(thread, at, &known);
        if (code)
            frames[depth++] = (struct python_frame){code, word(at, layout.instruction)};
    }
    return depth;
}

// The end of what is too long: a file's name is there.
static void text_in(uintptr_t of, uint64_t field, char *text, size_t room) {
    const char *object = (const char *)word(of, field);
    bool there = object && word((uintptr_t)object, TYPE) == (uintptr_t)interpreter.PyUnicode_Type;
    long length = there ? interpreter.PyUnicode_GetLength(object) : 0, most = (long)room / 4 - 1;
    size_t used = 0;
    for (long i = length > most ? length - most : 0; i < length; i++)
        put_utf8(text, &used, interpreter.PyUnicode_ReadChar(object, i));
    text[used] = 0;
}

enum { FILE_ROOM = 2048, NAME_ROOM = 1024 };

// What the program did not write: Python's own modules, installed packages, code of no file.
static bool is_library(uintptr_t code) {
    char file[FILE_ROOM];
    text_in(code, layout.filename, file, sizeof file);
    return strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") ||
           strstr(file, "/lib/python3") || strncmp(file, "<frozen ", 8) == 0 ||
           python_is_hidden(file);
}

// The end of the file's name.
static uint64_t end_of_name(uintptr_t code) {
    enum { LENGTH = 16 };
    uintptr_t name = word(code, layout.filename);
    if (!name || word(name, TYPE) != (uintptr_t)interpreter.PyUnicode_Type)
        return 0;
    uint64_t length = word(name, LENGTH), end;
    // Of a string that is no ASCII other bytes of it; of a short one, zeroes behind it.
    size_t from = layout.text + (length > sizeof end ? length - sizeof end : 0);
    memcpy(&end, (const char *)name + from, sizeof end);
    return end;
}

// Other code may come to lie where some was, as may all that belongs to it: code that is made, run
// and gone, as a notebook's cells are, takes the same places in turn. What it was made from
// differs.
static uint64_t identity_of(uintptr_t code) {
    return word(code, layout.lines) + word(code, layout.function) + end_of_name(code);
}

static void know(struct python_code *known, uintptr_t code, uint64_t identity) {
    if (known->code != code || known->identity != identity)
        *known = (struct python_code){code, identity, is_library(code)};
}

uint64_t python_place(struct thread *thread) {
    uint64_t sum = 0, odd = 0x9e3779b97f4a7c15ull;
    unsigned own = 0, depth = 0;
    struct python_code *known;
    unsigned steps = 0;
    for (uintptr_t at = innermost_frame();
         depth < PYTHON_DEPTH && steps++ < STEPS && is_mapped(thread, at);
         at = word(at, layout.previous)) {
        uintptr_t code = code_of(thread, at, &known);
        if (!code)
            continue;
        uint64_t identity = identity_of(code);
        sum += (word(at, layout.instruction) + identity) * odd;
        odd += 0xbf58476d1ce4e5b8ull;
        depth++;
        know(known, code, identity);
        own += own || !known->library;
        if (own == PYTHON_NEAR && !thread->python_far)
            break;
    }
    return depth ? sum | 1 : 0;
}

uint64_t python_frame_tell(struct thread *thread, struct python_frame frame, uint64_t *key) {
    char file[FILE_ROOM], function[NAME_ROOM];
    text_in(frame.code, layout.filename, file, sizeof file);
    text_in(frame.code, layout.function, function, sizeof function);
    uint64_t offset = frame.instruction - frame.code - layout.instructions;
    int line = interpreter.PyCode_Addr2Line((const char *)frame.code, (int)offset);
    uint64_t address = mix_text(mix_text(offset, file), function);
    address = mix(address, (uint64_t)line) | 1ull << 63;
    const char *slash = strrchr(file, '/');
    *key = mix(mix_text(mix_text(*key, slash ? slash + 1 : file), function), offset);
    if (thread->ring)
        python_tell_frame(thread, address, line, function, file);
    return address;
}

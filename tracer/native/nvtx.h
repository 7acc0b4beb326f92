// What NVTX, NVIDIA's annotations of programs, hands to a tool and expects of it. Its functions are
// in each program's own code, and look once which library NVTX_INJECTION64_PATH names.
// Source: nvtx3/nvtxDetail/nvtxTypes.h, nvtx3/nvToolsExt.h of NVTX 3 (Apache-2.0 with LLVM
// exception).
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

enum nvtx_module { NVTX_CORE = 1, NVTX_CUDA = 2, NVTX_CUDART = 4, NVTX_CORE2 = 5 };

typedef void (*nvtx_function)(void);
enum { NVTX_CALLBACKS = 1 }; // the table that is asked for
struct nvtx_callbacks {
    size_t size;
    // Of a module: where its functions are kept, by their numbers.
    int (*table_of)(int module, nvtx_function ***table, unsigned *count);
};
typedef const void *(*nvtx_tables)(uint32_t which);

// What a range or a mark is given.
enum nvtx_message { NVTX_ASCII = 1, NVTX_UNICODE = 2, NVTX_REGISTERED = 3 };
struct nvtx_event {
    uint16_t version, size;
    uint32_t category;
    int32_t color_kind;
    uint32_t color;
    int32_t payload_kind, reserved;
    uint64_t payload;
    int32_t message_kind;
    union {
        const char *ascii; // a registered string is its text, in UTF-8 (nvtx_text.c)
        const wchar_t *unicode;
    } message;
};

// A family of ranges: those of one domain are popped in turn, whatever others do meanwhile.
struct nvtx_domain {
    char name[64];
};
// Null: the default domain, that of a program that names none. Two of one name are one.
struct nvtx_domain *nvtx_domain_made(const char *name);

enum { NVTX_TEXT = 512 };
// The name for reports: of the domain, if it has one, and the message, if that is one. `room` is
// NVTX_TEXT bytes.
const char *nvtx_name(const struct nvtx_domain *domain, const char *message, char *room);
const char *nvtx_utf8(const wchar_t *text, char *room);
// The message of an event; `room` as above.
const char *nvtx_message_of(const struct nvtx_event *event, char *room);
// A text that stays, once for each text; null: no room.
const char *nvtx_kept(const char *text);

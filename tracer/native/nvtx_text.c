#include "nvtx.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { DOMAINS = 256, KEPT = 1 << 20 };
static struct nvtx_domain domains[DOMAINS];
static _Atomic unsigned domains_made;
static char kept[KEPT];
static _Atomic size_t kept_used;

struct nvtx_domain *nvtx_domain_made(const char *name) {
    unsigned at = atomic_fetch_add(&domains_made, 1);
    struct nvtx_domain *domain = &domains[at < DOMAINS ? at : DOMAINS - 1];
    snprintf(domain->name, sizeof domain->name, "%s", at < DOMAINS ? name : "");
    return domain;
}

const char *nvtx_kept(const char *text) {
    size_t bytes = strnlen(text, NVTX_TEXT - 1) + 1, at = atomic_load(&kept_used);
    do {
        if (at + bytes > KEPT)
            return NULL;
    } while (!atomic_compare_exchange_weak(&kept_used, &at, at + bytes));
    memcpy(kept + at, text, bytes - 1); // ended by the zero that is there
    return kept + at;
}

const char *nvtx_utf8(const wchar_t *text, char *room) {
    size_t used = 0;
    for (; text && *text && used < NVTX_TEXT - 4; text++) {
        uint32_t c = (uint32_t)*text;
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            c = '?';
        unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
        room[used++] = (char)(first[more] | c >> 6 * more);
        while (more--)
            room[used++] = (char)(0x80 | (c >> 6 * more & 0x3f));
    }
    room[used] = 0;
    return room;
}

const char *nvtx_message_of(const struct nvtx_event *event, char *room) {
    if (!event || event->size < sizeof *event)
        return "";
    if (event->message_kind == NVTX_UNICODE)
        return nvtx_utf8(event->message.unicode, room);
    bool is_text = event->message_kind == NVTX_ASCII || event->message_kind == NVTX_REGISTERED;
    return is_text && event->message.ascii ? event->message.ascii : "";
}

const char *nvtx_name(const struct nvtx_domain *domain, const char *message, char *room) {
    if (!domain || !domain->name[0])
        return message;
    snprintf(room, NVTX_TEXT, "%s: %s", domain->name, message);
    return room;
}

#include "handle.h"
#include "nvtx.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Programs make domains and register texts anew as often as they like: each is kept once.
enum { DOMAINS = 256, KEPT = 1 << 20, TEXTS = 4096 };
static struct nvtx_domain domains[DOMAINS];
static unsigned domains_made;
static char kept[KEPT];
static size_t kept_used;
static uint32_t texts[TEXTS]; // places in `kept`, 0: empty; by the hash of what is there

struct nvtx_domain *nvtx_domain_made(const char *name) {
    struct nvtx_domain fresh;
    snprintf(fresh.name, sizeof fresh.name, "%s", name);
    handles_lock();
    unsigned at = 0;
    while (at < domains_made && strcmp(domains[at].name, fresh.name) != 0)
        at++;
    if (at == domains_made && at < DOMAINS - 1)
        domains[domains_made++] = fresh;
    handles_unlock();
    return &domains[at < DOMAINS - 1 ? at : DOMAINS - 1]; // the last has no name
}

static uint32_t hash_of(const char *text, size_t length) {
    uint32_t hash = 0x811c9dc5;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x01000193;
    return hash;
}

// Where it stands, or null; then `place` has the place of `texts` for it, TEXTS if none is left.
static const char *find_kept(const char *text, size_t length, unsigned *place) {
    *place = TEXTS;
    for (uint32_t i = 0, hash = hash_of(text, length); i < TEXTS; i++) {
        unsigned at = (hash + i) % TEXTS;
        const char *there = kept + texts[at];
        if (!texts[at]) {
            *place = at;
            return NULL;
        }
        if (strncmp(there, text, length) == 0 && !there[length])
            return there;
    }
    return NULL;
}

const char *nvtx_kept(const char *text) {
    size_t length = strnlen(text, NVTX_TEXT - 1);
    unsigned place;
    handles_lock();
    const char *found = find_kept(text, length, &place);
    if (!found && place < TEXTS && kept_used + length + 2 <= KEPT) {
        texts[place] = (uint32_t)kept_used + 1; // behind a zero, which ends the one before, too
        found = memcpy(kept + texts[place], text, length);
        kept_used += length + 1;
    }
    handles_unlock();
    return found;
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
    message = message ? message : "";
    if (!domain || !domain->name[0])
        return message;
    snprintf(room, NVTX_TEXT, "%s: %s", domain->name, message);
    return room;
}

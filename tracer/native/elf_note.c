#include "elf_note.h"
#include <elf.h>
#include <string.h>

enum { MACHINE_AMDGPU = 224, NOTE_METADATA = 32 };

static bool inside(struct bytes whole, uint64_t offset, uint64_t size) {
    return offset <= whole.size && size <= whole.size - offset;
}

static uint64_t padded(uint64_t size) { return (size + 3) & ~(uint64_t)3; }

// Name and description are each padded to 4 bytes.
static enum code_state find_in(struct bytes notes, struct bytes *metadata) {
    for (uint64_t at = 0; inside(notes, at, sizeof(Elf64_Nhdr));) {
        Elf64_Nhdr note;
        memcpy(&note, notes.at + at, sizeof note);
        uint64_t name = at + sizeof note, description = name + padded(note.n_namesz);
        if (!inside(notes, description, note.n_descsz))
            return CODE_DAMAGED;
        if (note.n_type == NOTE_METADATA && note.n_namesz == sizeof "AMDGPU" &&
            memcmp(notes.at + name, "AMDGPU", sizeof "AMDGPU") == 0) {
            *metadata = (struct bytes){notes.at + description, note.n_descsz};
            return note.n_descsz ? CODE_READ : CODE_DAMAGED;
        }
        at = description + padded(note.n_descsz);
    }
    return CODE_WITHOUT;
}

enum code_state elf_note_find(struct bytes elf, struct bytes *metadata) {
    Elf64_Ehdr header;
    if (!inside(elf, 0, sizeof header))
        return CODE_UNKNOWN;
    memcpy(&header, elf.at, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != MACHINE_AMDGPU)
        return CODE_UNKNOWN;
    enum code_state state = CODE_WITHOUT;
    for (unsigned i = 0; i < header.e_phnum && state == CODE_WITHOUT; i++) {
        Elf64_Phdr segment;
        uint64_t size = (uint64_t)(i + 1) * sizeof segment;
        if (header.e_phentsize != sizeof segment || !inside(elf, header.e_phoff, size))
            return CODE_DAMAGED;
        memcpy(&segment, elf.at + header.e_phoff + size - sizeof segment, sizeof segment);
        if (segment.p_type != PT_NOTE)
            continue;
        if (!inside(elf, segment.p_offset, segment.p_filesz))
            return CODE_DAMAGED;
        state = find_in((struct bytes){elf.at + segment.p_offset, segment.p_filesz}, metadata);
    }
    return state;
}

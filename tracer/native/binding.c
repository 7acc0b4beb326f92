#include "binding.h"
#include "resolve.h"
#include <link.h>
#include <string.h>

struct look {
    const char *name;
    uintptr_t real;
    bool by_name;
};

struct dynamic {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * tables[2]; // of calls, of the rest
    size_t bytes[2];
    bool symbolic;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && address >= start && address - start < segment->p_memsz)
            return true;
    }
    return false;
}

// Some loaders leave these as offsets, some have made them addresses.
static const void *pointer(const struct dl_phdr_info *info, uintptr_t value) {
    return (const void *)(value < info->dlpi_addr ? info->dlpi_addr + value : value);
}

static void take(struct dynamic *all, const struct dl_phdr_info *info, const ElfW(Dyn) * entry) {
    switch (entry->d_tag) {
    case DT_SYMTAB:
        all->symbols = pointer(info, entry->d_un.d_ptr);
        break;
    case DT_STRTAB:
        all->strings = pointer(info, entry->d_un.d_ptr);
        break;
    case DT_JMPREL:
        all->tables[0] = pointer(info, entry->d_un.d_ptr);
        break;
    case DT_PLTRELSZ:
        all->bytes[0] = entry->d_un.d_val;
        break;
    case DT_RELA:
        all->tables[1] = pointer(info, entry->d_un.d_ptr);
        break;
    case DT_RELASZ:
        all->bytes[1] = entry->d_un.d_val;
        break;
    case DT_SYMBOLIC:
        all->symbolic = true;
        break;
    case DT_FLAGS:
        all->symbolic |= (entry->d_un.d_val & DF_SYMBOLIC) != 0;
        break;
    default:
        break;
    }
}

static struct dynamic dynamic_of(const struct dl_phdr_info *info) {
    struct dynamic all = {0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            take(&all, info, entry);
    }
    return all;
}

// x86-64 and aarch64 alike: the number of the symbol is the upper half.
static bool refers(const struct dynamic *all, const char *name) {
    if (!all->symbols || !all->strings)
        return false;
    for (int t = 0; t < 2; t++) {
        size_t count = all->tables[t] ? all->bytes[t] / sizeof(ElfW(Rela)) : 0;
        for (size_t i = 0; i < count; i++) {
            const ElfW(Sym) *symbol = &all->symbols[ELF64_R_SYM(all->tables[t][i].r_info)];
            if (strcmp(all->strings + symbol->st_name, name) == 0)
                return true;
        }
    }
    return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
    struct look *look = data;
    (void)size;
    if (!holds(info, look->real))
        return 0;
    struct dynamic all = dynamic_of(info);
    look->by_name = !all.symbolic && refers(&all, look->name);
    return 1;
}

bool binding_by_name(const char *name, const void *real) {
    struct look look = {.name = name, .real = (uintptr_t)real};
    if (!symbol_is_ours(symbol_for_all(name)))
        return false;
    dl_iterate_phdr(visit, &look);
    return look.by_name;
}

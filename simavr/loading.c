/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loading.h"

#include "machine.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { NOT_FLASH = 0x800000 }; /* from here on the ELF files of avr-gcc have what else there is */

static bool read_at(FILE *file, long offset, void *into, size_t size)
{
    return fseek(file, offset, SEEK_SET) == 0 && fread(into, 1, size, file) == size;
}

static bool load_segment(avr_t *avr, FILE *file, const Elf32_Phdr *segment, uint32_t *end)
{
    uint32_t last = segment->p_paddr + segment->p_filesz;

    if (segment->p_type != PT_LOAD || segment->p_filesz == 0 || segment->p_paddr >= NOT_FLASH) {
        return true;
    }
    if (last < segment->p_paddr || last > avr->flashend + 1) {
        return false;
    }
    *end = last > *end ? last : *end;
    return read_at(file, (long)segment->p_offset, avr->flash + segment->p_paddr, segment->p_filesz);
}

static const char *load(avr_t *avr, FILE *file, uint32_t *end)
{
    Elf32_Ehdr header;
    Elf32_Phdr segment;

    if (!read_at(file, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_machine != EM_AVR || header.e_phentsize != sizeof segment) {
        return "is no ELF file for AVR";
    }
    *end = 0;
    for (unsigned i = 0; i < header.e_phnum; i++) {
        if (!read_at(file, (long)(header.e_phoff + i * sizeof segment), &segment, sizeof segment) ||
            !load_segment(avr, file, &segment, end)) {
            return "does not fit into the flash, or is cut short";
        }
    }
    return *end == 0 ? "has no code" : NULL;
}

bool load_elf(avr_t *avr, const char *path, uint32_t *end, char *why)
{
    FILE *file = fopen(path, "rb");
    const char *wrong = file == NULL ? "cannot be read" : load(avr, file, end);

    if (file != NULL) {
        (void)fclose(file);
    }
    if (wrong != NULL) {
        (void)snprintf(why, WHY_BYTES, "%s %s", path, wrong);
    }
    return wrong == NULL;
}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_ACCESS_H
#define HOROLOG_SIMAVR_ACCESS_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What byte an instruction is about to load or store. `address` is the ELF file's: data from DATA_BASE (machine.h) on,
 * flash from 0. RET and RETI load from the stack, too; I/O instructions (IN, OUT, SBI, CBI) and calls are not told.
 */
enum access_kind { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE };

struct access {
    enum access_kind kind;
    uint32_t address;
    uint8_t value; /* if it is stored */
};

/* What kind of access an instruction with this opcode makes. */
enum access_kind access_kind_of(uint16_t opcode);

/* The access of the instruction at avr->pc, which has this opcode and makes one, before it is executed. */
struct access access_of(const avr_t *avr, uint16_t opcode);

#endif

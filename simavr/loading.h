/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_LOADING_H
#define HOROLOG_SIMAVR_LOADING_H

#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Loads what the program headers of the ELF file at `path` put into the flash, whatever its sections are called;
 * libsimavr's own loader knows two of them by name. Contents of the EEPROM and of fuses are ignored. `end` is where
 * the last byte's end is. Returns false, and writes into `why` (machine.h) what is wrong, if it cannot.
 */
bool load_elf(avr_t *avr, const char *path, uint32_t *end, char *why);

#endif

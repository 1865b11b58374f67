/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_WATCHER_H
#define HOROLOG_SIMAVR_WATCHER_H

/*
 * Measures a firmware from outside: the front end of watch/, which counts cycles. watch/watch.h describes what it reads
 * and writes.
 *
 *  - Addresses are the ELF file's: data lie from 0x800000 on.
 *  - All cycles of an instruction are charged to the function in which it lies. So are those in which the processor
 *    sleeps, to the code that waits. Those of an interrupt's entry are charged to the code at its vector.
 *  - A word is stored byte by byte. The store or load of its first byte is that of the word; the kernel's words have
 *    their lowest byte first, and avr-gcc stores all four. An access happens at the begin of its instruction.
 *  - Released by masks is what stores clear in the words of `waiting`, each byte as it is stored: `bits`, `parts` and
 *    `part`, which the front end of QEMU needs, are not.
 *  - `fires VECTOR INTERRUPT N` is a releaser that leaves no mark, as its cell's interrupt is the task: whenever the flag of
 *    interrupt VECTOR is raised that is an instant that it serves.
 *  - Requests are of compare channels, by the number of their interrupt, with the lower 16 bits of timer 1.
 */
#include "machine.h"
#include "watch/watch.h"

/*
 * Watches `machine` as the file at `path` says; when all is seen, the machine is over with status 0. Returns false, and
 * writes into `why` what is wrong, if the file cannot be used.
 */
bool watcher_begin(struct machine *machine, const char *path, char *why);

#endif

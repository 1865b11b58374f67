/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_MACHINE_H
#define HOROLOG_SIMAVR_MACHINE_H

/*
 * An AVR of libsimavr, stepped an instruction at a time. Its time does not depend on the host.
 *
 * libsimavr 1.6 departs from the data sheets here and there. What a kernel's timing hangs on is mended:
 *
 *  - It charges no cycles when an interrupt is entered: 4 are added, and 4 more when that ends a sleep. Timers count
 *    on meanwhile.
 *  - Behind SEI, RETI and a store to SREG that sets I it executes two more instructions before an interrupt that is
 *    pending. Silicon executes one; so does this.
 *  - Events of timers are run at their own cycle, not at the end of the instruction in which they lie: otherwise a
 *    compare match just behind an overflow is lost.
 *  - Asleep, time goes on to the next event, exactly; libsimavr goes one cycle further, and waits for the host's clock.
 *  - Registers of timers and interrupts: mends.h.
 *
 * An instruction that is invalid, code and data where there are none, a jump to address 0, and a sleep that nothing
 * ends are faults: the run is over.
 */
#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WHY_BYTES = 512, ENTRY_CYCLES = 4, WAKE_CYCLES = 4, DATA_BASE = 0x800000 };

/* What an observer of the machine is told. Any of them may be NULL; the machine's time is avr->cycle. */
struct machine_observer {
    void *context;
    /* The instruction at avr->pc is about to be executed. */
    void (*begins)(void *context);
    /* It was executed, and the time is that of its end. It took `cycles`. */
    void (*ends)(void *context, uint16_t opcode, unsigned cycles);
    /* The processor slept for so long, up to now. */
    void (*slept)(void *context, uint64_t cycles);
    /* The cycle, later than now, up to which it may sleep at most. */
    uint64_t (*sleeps_until)(void *context);
    /* `vector` was entered at cycle `entered`; `stack` was the stack pointer before. */
    void (*entered)(void *context, unsigned vector, uint64_t entered, uint16_t stack);
};

struct machine {
    avr_t *avr;
    uint32_t hz, code_end; /* where the code ends that was loaded, in bytes */
    uint64_t limit;        /* cycles */
    bool over;
    int status; /* once it is over: the firmware's, or STATUS_... */
    struct machine_observer *observers;
    size_t observer_count;
};

enum { STATUS_LIMIT = 124, STATUS_WRONG = 125, STATUS_FAULT = 126 };

/*
 * Makes an `mcu` that runs the ELF file at `elf`. `ram_end`, if it is not 0, is the last address of its RAM instead of the
 * chip's. Returns false, and writes into `why` what is wrong, if it cannot.
 */
bool machine_make(struct machine *machine, const char *mcu, uint32_t hz, uint16_t ram_end,
                  const char *elf, char *why);
/* Serves a debugger at this port of this machine, and waits for it. */
bool machine_serve_debugger(struct machine *machine, int port);
struct machine_observer *machine_observe(struct machine *machine, void *context);

/* Executes an instruction, what follows it and interrupts it, and the sleep that it begins. */
void machine_step(struct machine *machine);
/* The firmware cannot go on; the first fault counts. */
void machine_fault(struct machine *machine, const char *what);
void machine_end(struct machine *machine, int status);

/* Runs all events of timers up to cycle `until`, each at its own; the time is `until` then. */
void machine_run_events(avr_t *avr, uint64_t until);
/* Interrupts that are disabled or were cleared are pending no more. */
void machine_drop_stale(avr_t *avr);

static inline uint16_t machine_word(const avr_t *avr, uint32_t address)
{
    return (uint16_t)(avr->flash[address] | avr->flash[address + 1] << 8);
}

static inline uint16_t machine_pair(const avr_t *avr, unsigned low)
{
    return (uint16_t)(avr->data[low] | avr->data[low + 1] << 8);
}

static inline uint16_t machine_stack(const avr_t *avr)
{
    return machine_pair(avr, R_SPL);
}

#endif

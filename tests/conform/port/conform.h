/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CONFORM_H
#define CONFORM_H

#include "hrlp_cell.h"
#include "hrlp_cpu.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * The conformance suite of ports/include: a firmware of its own, without the kernel.
 *
 * It takes the kernel's place behind the upcalls: a table of threads, and the one that is asked for next.
 * The tests run in the conductor, thread 1; threads 2 and 3 do what a test gives them. Each check prints a
 * line, PASS or FAIL with what it is about; the firmware ends with status 0 if all passed.
 */
#ifndef CONFORM_LATE
#define CONFORM_LATE 80 /* counts that may pass until a handler has read the clock */
#endif

#ifndef CONFORM_CORE
#define CONFORM_CORE 0 /* which runs the suite */
#endif

enum { CONFORM_IDLE, CONFORM_CONDUCTOR, CONFORM_FIRST, CONFORM_SECOND, CONFORM_THREADS };

/* Counts the check; prints its line. `what` is a literal. Context: a thread. */
#define conform_check(subject, what, holds) conform_note(subject, HRLP_TEXT(what), holds)
void conform_note(const char *subject, const char *what, bool holds);

/* Gives the processor to `thread`, at the next dispatch; from a thread, at once. Context: any. */
void conform_switch_to(unsigned thread);

/* The thread that the next dispatch gives the processor to, however that is asked for. Context: any. */
void conform_want(unsigned thread);

/* Makes `thread` begin in entry(argument) at its next switch. */
void conform_thread(unsigned thread, void (*entry)(void *), void *argument);

/* Makes `thread` call body() at its next switch, and then next(), which does not return. */
void conform_call(unsigned thread, void (*body)(void), void (*next)(void));

/* The first thread gives the processor to the conductor, again and again; how often it had it. */
void conform_take_turns(void);
unsigned conform_turns(void);

/*
 * Two computations whose thread is changed by an interrupt, which calls `*on_interrupt`, wherever they are.
 * `asks`: that function asks for the switch, and does not only name the thread. `arm` is called with
 * interrupts masked.
 */
void conform_check_registers(const char *subject, void (*arm)(hrl_stamp due), bool asks,
                             void (*volatile *on_interrupt)(void));

/* Calls `function` in the handler of a line, of a priority below the cells'. */
void conform_in_line(void (*function)(void));

/* The stack of `thread` is [conform_stack(thread), + CONFORM_STACK_BYTES). */
enum { CONFORM_STACK_BYTES = sizeof(void *) == 2 ? 256 : 2048 };
void *conform_stack(unsigned thread);

/* What the port saved of `thread`, its stack pointer; and what it returned for a new one. */
void *conform_saved(unsigned thread);

/* How often hrli_cpu_switch was called, yields included; how often hrli_cpu_yield and hrli_clock_wrapped were. */
unsigned conform_switches(void);
unsigned conform_yields(void);
unsigned conform_wraps(void);

/* Lets `counts` pass, reading the clock. Context: a thread, masked or not. */
void conform_wait(uint32_t counts);

/* A cell of the board; cells.c, made from board.toml, has the table. */
enum { CONFORM_INSTANTS = 16 };
struct conform_cell {
    const char *name;
    unsigned width;
    bool periodic, one_shot;
    void (*prepare)(void);
    struct hrlp_cell calls;
    void (*stretch)(hrl_stamp due, uint32_t period, bool longer); /* NULL: whole counts only */
    bool stretches_ahead;
    int32_t (*compare_ahead)(void); /* NULL: its comparison cannot be moved */
    void (*compare_move)(uint32_t by);
    volatile unsigned fired;
    volatile hrl_stamp at[CONFORM_INSTANTS]; /* of the first interrupts: the clock in the handler */
    void (*volatile on_interrupt)(void);
};
extern struct conform_cell conform_cells[];
extern const unsigned conform_cell_count;

/* A cell's interrupt, acknowledged. Context: its handler. */
void conform_cell_interrupt(unsigned cell);

/* The period of the one cell with a handler that acknowledges in two parts (hrlp_cell.h); 0: none does. */
struct conform_parts {
    volatile uint32_t period;
    hrl_stamp next; /* the instant of its next interrupt */
};
extern struct conform_parts conform_parts;

/* Its interrupt, behind the first part: whether its next instant has passed. Context: its handler. */
bool conform_parts_passed(void);

/* Forgets what the cell did. Context: the cell disarmed. */
void conform_cell_reset(struct conform_cell *cell);

/* With interrupts masked: arms, disarms. */
void conform_cell_arm(struct conform_cell *cell, hrl_stamp due);
void conform_cell_disarm(struct conform_cell *cell);

/* Two lines that come to hrli_interrupt_taken: how each is raised, and, in its handler, silenced. */
struct conform_line {
    int line;
    void (*raise)(unsigned i);
    void (*quiet)(unsigned i);
};
extern const struct conform_line
    conform_lines[2]; /* lines_<isa>.c, where software cannot raise them */

/* The verbs of time slices (hrlp_cell.h) of one cell, by its name in board.toml: slices_<device>.c. */
struct conform_slices {
    const char *cell;
    void (*start)(uint32_t counts);
    void (*restart)(void);
    bool (*is_over)(void);
    void (*prolong)(uint32_t by, uint32_t counts);
};

/* Puts the clock to `stamp`; how, is the device's affair (clock_*.c). */
void conform_clock_set(hrl_stamp stamp);

/* What has to happen before everything else (the host's machine is set up there). Default: nothing. */
void conform_prepare_machine(void);

/* Whether threads run on the stacks that they are given: not on the host. Default: they do. */
extern const bool conform_stacks_are_used;

void conform_test_bits(void);
void conform_test_clock(void);
void conform_test_switch(void);
void conform_test_lock(void);
void conform_test_lines(void);
void conform_test_cells(void);
void conform_test_wrap(void);
void conform_test_periodic(void); /* last: cells that were periodic are armed no more */
void conform_test_leave(void);
void conform_test_ends(void);   /* where handlers cannot end with a switch: nothing */
void conform_test_slices(void); /* where no cell serves them: nothing */
void conform_test_fpu(void);    /* where the processor has none: nothing */

#endif

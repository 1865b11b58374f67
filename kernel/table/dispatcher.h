/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DISPATCHER_H
#define HRLI_DISPATCHER_H

#include "line_table.h"
#include <hrl/dispatcher.h>

/*
 * The dispatcher of a table with modes, with a start by the application or with a global time: one one-shot
 * cell that is armed from point to point. The rows of a mode are constants (line_table.h). Phase comes from
 * the instant of the row before, never from when a handler came.
 *
 * An interrupt at the end of a round, or at the sync point before it, comes only if there is something to do
 * there: a change of mode or a stop, a correction. A call that asks for one between two rounds turns the
 * dispatcher back to the end of the round that runs.
 *
 * Source: SLOTH ON TIME (Hofer et al., RTSS 2012), sections IV-A, IV-D and IV-F: there the cells of a table
 * run in rounds, and a control cell changes the mode; here one cell has all activations.
 */

/* What the deadlines of a mode are told (kernel/guard/moving_deadlines.h). Context: interrupts masked. */
struct hrli_dispatcher_deadlines {
    void (*begin)(void *of_mode,
                  hrl_stamp begin);  /* a first round begins then; NULL: it has none */
    bool (*are_open)(hrl_stamp end); /* whether an interrupt for one up to `end` is yet to come */
    void (*end)(hrl_stamp end);      /* the last round has ended */
    void (*shift)(hrl_stamp by);     /* all that is to come, by so many counts */
};

/* A table; constant. All distances in counts, below 2^29. */
struct hrl_dispatcher_mode {
    HRLP_CONST char *name;
    HRLP_CONST struct hrli_line_row *rows; /* the last one's gap leads to the end of the round */
    HRLP_CONST struct hrli_line_row *end;  /* behind the last */
    uint32_t lead; /* from the begin of the round to the first row's instant */
    uint32_t round;
    uint32_t rest; /* from the sync point, which is behind all deadlines, to the end of the round */
    void *deadlines; /* its struct hrli_moving_deadlines; NULL: none is monitored */
};

/* What is constant of a dispatcher. */
struct hrli_dispatcher_kind {
    void (*arm)(
        hrl_stamp due); /* the cell, or for a hop towards `due`; context: as hrlp_cell_arm */
    void (*disarm)(void);
    const struct hrli_dispatcher_deadlines *deadlines; /* NULL: none is monitored */
    uint32_t alone;                                    /* as for hrli_line_table_interrupt */
    bool shared;
    bool is_explicit; /* the application gives a global time */
    uint32_t precision;
    uint32_t maximum_retard; /* of a round */
    uint32_t maximum_advance;
    uint32_t
        minimum; /* counts that an advance leaves from the sync point to the end of the round */
    bool is_implicit; /* the clock is the global time: only absolute starts, always synchronous */
};

/* Where a dispatcher goes next. */
enum hrli_dispatcher_place {
    HRLI_DISPATCHER_NOWHERE, /* it is stopped */
    HRLI_DISPATCHER_ROW,
    HRLI_DISPATCHER_SYNC,
    HRLI_DISPATCHER_END
};

struct hrli_dispatcher {
    /* Of the round that the place belongs to. It is first, as what measures reads it there. */
    hrl_stamp begin;
    const struct hrli_dispatcher_kind *kind; /* NULL: the system has none */
    const struct hrl_dispatcher_mode *mode;
    const struct hrl_dispatcher_mode *asked; /* from the next round on */
    enum hrli_dispatcher_place place;
    HRLP_CONST struct hrli_line_row *row; /* the next one; of a ROW */
    hrl_stamp due; /* HRLP_CELL_EARLY_COUNTS before the instant of the place */
    bool is_first; /* no row was served since the start */
    bool stops;
    bool is_corrected; /* a global time was given */
    int32_t deviation; /* how far it is ahead of the global time; what is still to be corrected */
};

/* The dispatcher of the system: generated code defines it, or no_dispatcher.c. */
extern struct hrli_dispatcher hrl_gen_dispatcher;

/* Its round begins at `begin`. Context: interrupts masked, or start-up. */
void hrli_dispatcher_begin(struct hrli_dispatcher *dispatcher, hrl_stamp begin);

/* Serves all that is due, then arms the cell. Context: the cell's handler, acknowledged. */
void hrli_dispatcher_interrupt(struct hrli_dispatcher *dispatcher);

/* Whether the next row is the first of a round that has not begun at `now`. */
static inline bool hrli_dispatcher_is_between(const struct hrli_dispatcher *dispatcher,
                                              hrl_stamp now)
{
    return dispatcher->place == HRLI_DISPATCHER_ROW && dispatcher->row == dispatcher->mode->rows &&
           hrli_stamp_after(dispatcher->begin, now);
}

/* Whether it was started, and its first round has not begun at `now`. */
static inline bool hrli_dispatcher_waits(const struct hrli_dispatcher *dispatcher, hrl_stamp now)
{
    return dispatcher->is_first && hrli_dispatcher_is_between(dispatcher, now);
}

#endif

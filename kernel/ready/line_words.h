/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_WORDS_H
#define HRLI_LINE_WORDS_H

#include <hrl/basic.h>

/*
 * The ready tasks of a line (hrl/basic.h): a task is ready while its bits in `released` and `done`
 * differ. The first of the ready tasks has the highest bit.
 *
 * A release inverts the task's bit in `released`, at most once until the task is done; the code
 * that releases masks interrupts, or is an interrupt that no other releaser of these words can
 * interrupt. Only the line's handler writes `done` and `current`, so that it need not mask
 * anything. Where it does mask interrupts it inverts the bit in `released` instead.
 */

/*
 * The words of a line with tasks that are released a limited number of times: `ended` are those
 * that have begun their last job. Written with interrupts masked, read by releasers (line_table.h).
 */
struct hrli_line_ends {
    struct hrli_line_words words; /* first: a pointer to these words is one to this struct */
    volatile uint32_t ended;
};

/* The ready tasks. Context: any. */
static inline uint32_t hrli_line_ready(const struct hrli_line_words *words)
{
    return words->released ^ words->done;
}

/* Makes the tasks of `bits` ready; none of them is ready yet. Context: interrupts masked, or a releaser that
 * no other releaser of these words interrupts. */
static inline void hrli_line_release(struct hrli_line_words *words, uint32_t bits)
{
    words->released ^= bits;
}

/* The bit of the task of `rank`. */
static inline uint32_t hrli_line_bit(uint32_t rank)
{
    return 0x80000000u >> rank;
}

/*
 * The first two ranks of a line that has catch-up tasks: they go before every task, and an activation that
 * lets a job wait makes one of them ready, so that the end of a job need not ask whether another
 * waits (kernel/basic/line.h). There are two, as a request to one that is about to end would be lost.
 */
#define HRLI_LINE_CATCH_UP 0xc0000000u

/* Context: as hrli_line_release. */
static inline void hrli_line_request_catch_up(struct hrli_line_words *words)
{
    uint32_t silent = HRLI_LINE_CATCH_UP & ~hrli_line_ready(words);

    hrli_line_release(words, silent & ~(silent >> 1));
}

#endif

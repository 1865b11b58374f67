/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_LINE_WORDS_H
#define HRLI_LINE_WORDS_H

#include <hrl/basic.h>

/*
 * The ready tasks of a line (hrl/basic.h): those whose bits in `released` and `done` differ. The
 * first of them has the highest bit.
 *
 * `released` is turned over by whoever releases, at most once until the task is done; who does so
 * masks interrupts, or is an interrupt that no other releaser of these words can interrupt. `done`
 * and `current` are written by the line's handler only, so that it need not mask anything. Where it
 * does mask interrupts it turns the first word back instead.
 */

/*
 * The words of a line some of whose tasks are released so many times and never again: `ended` are
 * those that have been. Written with interrupts masked, read by releasers (line_table.h).
 */
struct hrli_line_ends {
    struct hrli_line_words words; /* the first, so that whose words these are may be told */
    volatile uint32_t ended;
};

/* The ready tasks. Context: any. */
static inline uint32_t hrli_line_ready(const struct hrli_line_words *words)
{
    return words->released ^ words->done;
}

/* Makes those of `bits` ready, none of whom is. Context: above. */
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
 * The first two ranks of a line that has bells: they go before every task, and whoever lets a job
 * wait makes one ready, so that who ends a job need not ask whether another waits
 * (kernel/task/line.h). Two, as one that is about to end would be asked in vain.
 */
#define HRLI_LINE_BELLS 0xc0000000u

/* Context: as hrli_line_release. */
static inline void hrli_line_ring(struct hrli_line_words *words)
{
    uint32_t silent = HRLI_LINE_BELLS & ~hrli_line_ready(words);

    hrli_line_release(words, silent & ~(silent >> 1));
}

#endif

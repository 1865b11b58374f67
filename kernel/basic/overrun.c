/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "overrun.h"
#include "descriptors.h"
#include "hrlp_cell.h"
#include "hrlp_clock.h"
#include "hrlp_trace.h"
#include "line_state.h"
#include "stamp.h"
#include <hrl/hooks.h>
#include <stddef.h>

void hrli_basic_overrun(const struct hrl_basic *task)
{
    HRLP_CONST_AT(task)->counts[HRLI_BASIC_OVERRUNS]++;
    hrl_basic_overrun_hook(task);
}

static HRLP_CONST struct hrl_line *line_of(const struct hrli_line_words *words)
{
    uint32_t i = 0;

    while (hrli_line_at(i)->words != words) {
        i++;
    }
    return hrli_line_at(i);
}

uint32_t hrli_line_overrun(struct hrli_line_words *words, uint32_t bits, uint32_t late)
{
    HRLP_CONST struct hrl_line *line = line_of(words);

    while (late != 0) {
        uint32_t rank = 31u - hrlp_cpu_highest_bit(late);
        const struct hrl_basic *task = hrli_line_task(line, rank);

        bits &= ~hrli_line_bit(rank);
        if (!hrli_line_is_full(task)) {
            hrli_line_wait(task);
        }
        hrli_basic_overrun(task);
        late = hrli_line_ready(words) & bits; /* also tasks that the hook has activated */
    }
    return bits;
}

uint32_t hrli_line_overrun_alone(uint32_t raise, uint32_t late)
{
    while (late != 0) {
        uint32_t alone = 0;

        raise &= ~late;
        for (uint32_t i = 0; i < hrli_line_count(); i++) {
            HRLP_CONST struct hrl_line *line = hrli_line_at(i);

            if (line->words == NULL && !line->is_cell) {
                uint32_t bit = (uint32_t)1 << line->number;

                alone |= bit;
                if ((late & bit) != 0) {
                    hrli_basic_overrun(hrli_line_task(line, 0));
                }
            }
        }
        late = raise & alone & hrlp_line_open(); /* tasks that the hook has activated */
    }
    return raise;
}

/*
 * Counts the release at `direct->due` as served. The cell raises its interrupt up to 4 *
 * HRLP_CELL_EARLY_COUNTS after the key. This waits for so long before it clears the interrupt, so that the
 * interrupt of this release cannot come after that; cells that count with the clock (0) have raised it.
 */
static void pass(const struct hrli_direct *direct)
{
    hrl_stamp sure = *direct->due + 4u * HRLP_CELL_EARLY_COUNTS;

    while (HRLP_CELL_EARLY_COUNTS != 0 &&
           !hrli_stamp_has_passed(sure, hrlp_clock_read(), 4u * HRLP_CELL_EARLY_COUNTS)) {
    }
    direct->forget();
    hrlp_trace_served(direct->due, *direct->due + HRLP_CELL_EARLY_COUNTS);
    *direct->due += direct->period;
}

void hrli_direct_overrun(const struct hrli_direct *direct)
{
    const struct hrl_basic *task = direct->task;

    for (uint32_t waiting = 0;; waiting--) {
        while (hrli_stamp_has_passed(*direct->due, hrlp_clock_read(), direct->period)) {
            waiting += waiting + 1u < HRLP_CONST_AT(task)->limit;
            pass(direct);
            hrli_basic_overrun(task);
        }
        if (waiting == 0) {
            return;
        }
        HRLP_CONST_AT(task)->body();
    }
}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_ONE_SHOT_NARROW_H
#define HRLI_ONE_SHOT_NARROW_H

#include "one_shot.h"

/*
 * What one_shot.h does, for processors on which 32 bits are many instructions (HRLP_CPU_IS_NARROW): the clock is
 * read less often, and what is rare is apart, as the compiler has few registers. Cells do not interrupt early there.
 */

/* Arms the cell for `due`, which has passed or is too far ahead: then for a hop. Context: interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_one_shot_aim_far(const struct hrli_one_shot_aim *aim, hrl_stamp due)
{
    hrl_stamp now = hrlp_clock_read_masked();

    if (hrli_stamp_branch_after(due, now)) {
        const uint16_t stride = (uint16_t)hrli_releaser_stride(due - now, aim->span);

        aim->releaser->next = now + stride;
        aim->arm_near((uint16_t)now, stride);
    } else {
        aim->arm_near((uint16_t)now, 1);
    }
}

/* Arms the cell for `due`, or for a hop towards it. Context: interrupts masked. */
static inline __attribute__((always_inline)) void
hrli_one_shot_aim(const struct hrli_one_shot_aim *aim, hrl_stamp due)
{
    aim->releaser->next = due;
    atomic_signal_fence(
        memory_order_seq_cst); /* and read again below, as there are few registers */
    if (__builtin_expect(due - hrlp_clock_read_masked() > aim->span, 0)) {
        aim->aim_far(aim->releaser->next);
    } else {
        aim->arm_near(0, hrlp_cpu_load_low(&aim->releaser->next));
    }
}

/*
 * The end of hrli_one_shot_enqueue_narrow of a waiter that may be late, or where an interrupt has left its work.
 * Context: as enqueue, in use or not; interrupts masked or not.
 */
static inline __attribute__((always_inline)) bool
hrli_one_shot_settle_slowly(struct hrli_releaser *base, struct hrli_waiter *waiter, hrl_stamp from,
                            uint32_t span, void *queue, const struct hrli_store *store,
                            const struct hrli_one_shot_cell *cell)
{
    bool is_late;

    hrlp_irq_mask();
    is_late = base->busy && !hrli_one_shot_is_to_come(base, waiter, from, span);
    if (is_late) {
        store->remove(queue, &waiter->node);
        hrli_ready_add(cell->ready, hrli_waiter_ready(waiter));
    }
    base->deferred = true; /* so that the cell is armed for the first, which it may be no longer */
    hrli_releaser_end_use(base);
    hrlp_irq_unmask();
    hrli_releaser_catch_up(base);
    return !is_late;
}

/*
 * The end of hrli_one_shot_enqueue_narrow of a waiter that is the first: looks at the clock, and arms the cell.
 * `slowly` is hrli_one_shot_settle_slowly, as a function. Context: as enqueue, in use.
 */
static inline __attribute__((always_inline)) bool
hrli_one_shot_settle(const struct hrli_one_shot_aim *aim, struct hrli_waiter *waiter, uint32_t span,
                     bool (*slowly)(struct hrli_waiter *waiter, hrl_stamp from, uint32_t span))
{
    hrl_stamp left;

    hrlp_irq_mask();
    left = waiter->node.key - hrlp_clock_read_masked();
    if (__builtin_expect(
            left > aim->span || left > span || (uint16_t)left == 0 || aim->releaser->deferred, 0)) {
        return slowly(waiter, waiter->node.key - span, span);
    }
    aim->releaser->next = waiter->node.key;
    hrli_releaser_end_use(aim->releaser);
    aim->arm_near(0, hrlp_cpu_load_low(&aim->releaser->next));
    hrlp_irq_unmask();
    return true;
}

/*
 * hrli_one_shot_enqueue, that asks the clock only if the waiter becomes the first: one that waits behind another has
 * not passed, as the other one's interrupt would have come before this, with interrupts enabled. Stamps further apart
 * than they can tell show in the upper half. `settle` and `slowly` are hrli_one_shot_settle and
 * hrli_one_shot_settle_slowly, as functions.
 */
static inline __attribute__((always_inline)) bool hrli_one_shot_enqueue_narrow(
    struct hrli_releaser *base, struct hrli_waiter *waiter, hrl_stamp from, uint32_t span,
    void *queue, const struct hrli_store *store, const struct hrli_one_shot_cell *cell,
    bool (*settle)(struct hrli_waiter *waiter, uint32_t span),
    bool (*slowly)(struct hrli_waiter *waiter, hrl_stamp from, uint32_t span))
{
    hrli_releaser_begin_use(base);
    hrli_releaser_unready(cell->ready, waiter);
    if (store->put(queue, &waiter->node, from + span)) {
        return settle(waiter, span);
    }
    if (__builtin_expect((uint16_t)(hrlp_clock_upper() - (uint16_t)(from >> 16)) >
                             (uint16_t)((uint16_t)(span >> 16) + 1u),
                         0)) {
        return slowly(waiter, from, span);
    }
    hrli_releaser_end_use(base);
    if (__builtin_expect(base->deferred, 0)) {
        return slowly(waiter, from, span);
    }
    return true;
}

#endif

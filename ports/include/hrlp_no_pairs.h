/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_PAIRS_H
#define HRLP_NO_PAIRS_H

/* hrlp_irq.h of a processor that loads a word at a time, with a controller that calls line 0 number 0. */

#define HRLP_IRQ_FIRST_LINE 0

static inline struct hrlp_irq_attached hrlp_irq_load(const struct hrlp_irq_attached *attached)
{
    return *attached;
}

#endif

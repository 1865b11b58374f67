/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_ARMV7M_CORES_H
#define HRLP_ARMV7M_CORES_H

#include <stdint.h>

/*
 * What a core has of its own lies in a row (the board's link.ld), core 0's first: its variables of HRLP_PER_CORE, which
 * are thread-local to the compiler; two words, of which the second is its number; and its main stack.
 *
 * MSPLIM points behind the number. Armv8-M has this register as the limit of the main stack, which grows down to there:
 * below it a stack pointer is a fault. So the limit costs nothing, and a core finds what is its own in one instruction
 * without memory. The SSE-200 has a register with the core's number, CPU_IDENTITY, which only start-up reads.
 */
extern char hrl_link_core_stride[]; /* its address is the bytes from a core's to the next one's */
extern char hrl_link_core_limit[];  /* MSPLIM of core 0 */

/* Not volatile: it stays as it is, and no thread changes its core. */
static inline char *hrlp_armv7m_core_limit(void)
{
    char *limit;

    __asm__("mrs %0, msplim" : "=r"(limit));
    return limit;
}

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_ARMV6M_CORES_H
#define HRLP_ARMV6M_CORES_H

#include <stdint.h>

/*
 * What a core has of its own lies in a row (the board's link.ld), core 0's first: its table of vectors, in RAM; behind
 * that, at an address of 256 bytes, its variables of HRLP_PER_CORE, which are thread-local to the compiler; and its
 * main stack. VTOR, of which each core has one, points at the row: so a core finds what is its own by two loads.
 */
extern char hrl_link_cores_start[];
extern char
    hrl_link_core_stride[]; /* its address is the bytes from a core's row to the next one's */
extern char hrl_link_core_stack_bytes[]; /* and this the bytes of a row before its main stack */

static inline uint32_t *hrlp_armv6m_vectors(void)
{
    return (uint32_t *)*(volatile uint32_t *)0xE000ED08u;
}

#endif

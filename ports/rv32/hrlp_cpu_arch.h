/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include <stdint.h>

#define HRLP_CPU_GIVEN_STACKS true

/* The interrupt controller's part: hrlp_cpu_request_switch, hrlp_cpu_in_interrupt. */
#include "hrlp_switch_controller.h"
#include "hrlp_wide_product.h"

/* switch.S: a trap that no hardware took. */
void hrlp_rv32_yield(void);

static inline void hrlp_cpu_yield(void)
{
    hrlp_rv32_yield();
}

/* The compiler branches on the sign of the difference. */
static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b)
{
    return ((a - b) & (uint32_t)1 << 31) != 0;
}

static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits)
{
    *bits = a ^ b;
    return *bits != 0;
}

#include "hrlp_search_bits.h"

/* A trap does not end what LR has linked. */
#include "hrlp_no_links.h"

/*
 * hrlp_upcalls.h declares it. It begins at a word, so that a core that fetches words has its first instruction at
 * once.
 */
void *hrli_cpu_switch(void *saved_stack_pointer) __attribute__((aligned(4)));

#endif

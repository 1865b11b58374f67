/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include "hrlp_host_machine.h"
#include "hrlp_wide_product.h"

#define HRLP_CPU_GIVEN_STACKS false /* a C library and sanitizers want larger ones */

static inline void hrlp_cpu_request_switch(void)
{
    hrlp_host_request_switch();
}

static inline void hrlp_cpu_request_switch_at_end(void)
{
    hrlp_host_request_switch();
}

static inline bool hrlp_cpu_is_negative(uint32_t a, uint32_t b)
{
    return ((a - b) & (uint32_t)1 << 31) != 0;
}

static inline bool hrlp_cpu_differ(uint32_t a, uint32_t b, uint32_t *bits)
{
    *bits = a ^ b;
    return *bits != 0;
}

static inline void hrlp_cpu_yield(void)
{
    hrlp_host_yield();
}

static inline bool hrlp_cpu_in_interrupt(void)
{
    return hrlp_host_in_handler();
}

static inline unsigned hrlp_cpu_highest_bit(uint32_t bits)
{
    hrlp_host_port_call();
    return 31u - (unsigned)__builtin_clz(bits);
}

#define HRLP_CPU_LINKS true

#define HRLP_CPU_REDIRECTING_HANDLER(name, function)                                               \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
        hrlp_host_redirect(function());                                                            \
    }

static inline uint32_t hrlp_cpu_load_linked(const volatile uint32_t *word)
{
    hrlp_host_link();
    return *word;
}

static inline bool hrlp_cpu_store_linked(volatile uint32_t *word, uint32_t value)
{
    bool is_linked = hrlp_host_is_linked();

    *word = is_linked ? value : *word;
    return is_linked;
}

static inline void *hrlp_cpu_load_pointer_linked(void *const volatile *word)
{
    hrlp_host_link();
    return *word;
}

static inline bool hrlp_cpu_store_pointer_linked(void *volatile *word, void *value)
{
    bool is_linked = hrlp_host_is_linked();

    *word = is_linked ? value : *word;
    return is_linked;
}

#include "hrlp_no_leave.h"

#endif

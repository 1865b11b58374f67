/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CPU_ARCH_H
#define HRLP_CPU_ARCH_H

#include "hrlp_host_machine.h"

#define HRLP_CPU_GIVEN_STACKS false /* a C library and sanitizers want larger ones */

static inline void hrlp_cpu_request_switch(void)
{
    hrlp_host_request_switch();
}

static inline void hrlp_cpu_yield(void)
{
    hrlp_host_yield();
}

static inline bool hrlp_cpu_in_interrupt(void)
{
    return hrlp_host_in_handler();
}

static inline unsigned hrlp_cpu_highest_bit(unsigned bits)
{
    hrlp_host_port_call();
    return 31u - (unsigned)__builtin_clz(bits);
}

#include "hrlp_no_leave.h"

#endif

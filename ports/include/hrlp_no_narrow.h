/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_NARROW_H
#define HRLP_NO_NARROW_H

/* hrlp_cpu.h of a port on which 32 bits are one register, and a shift by any number one instruction. */
#define HRLP_CPU_IS_NARROW 0

static inline uint16_t hrlp_cpu_bit(uint8_t number)
{
    return (uint16_t)(1u << number);
}

static inline void *hrlp_cpu_base(void *pointer)
{
    return pointer;
}

static inline void hrlp_cpu_request_switch_in_loop(void)
{
    hrlp_cpu_request_switch();
}

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_DIFFERENCE_CONTROLLER_H
#define HRLP_DIFFERENCE_CONTROLLER_H

#include <stdint.h>

static inline uint32_t hrlp_difference_store(volatile uint32_t *to, const volatile uint32_t *from,
                                             uint32_t less)
{
    uint32_t difference;

    __asm__ volatile(".syntax unified\n\t"
                     "ldr %0, [%2]\n\t"
                     "subs %0, %0, %3\n\t"
                     "str %0, [%1]"
                     : "=&l"(difference)
                     : "l"(to), "l"(from), "l"(less)
                     : "memory", "cc");
    return difference;
}

#endif

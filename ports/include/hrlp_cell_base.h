/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_CELL_BASE_H
#define HRLP_CELL_BASE_H

#include <stdint.h>

/*
 * `base` of a device's registers, which the compiler does not know any more: it makes two of them that are used
 * together offsets of it, and not one an offset of the other's address, which takes an instruction more. Context: any.
 */
static inline uintptr_t hrlp_cell_base(uintptr_t base)
{
    __asm__("" : "+r"(base));
    return base;
}

#endif

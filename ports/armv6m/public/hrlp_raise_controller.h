/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RAISE_CONTROLLER_H
#define HRLP_RAISE_CONTROLLER_H

/* The port's part of <hrl/interrupt.h>, which includes it. */

static inline enum hrl_status hrlp_raise(uint32_t line)
{
    *(volatile uint32_t *)0xE000E200u = (uint32_t)1 << line; /* ISPR (Armv6-M ARM, B3.4) */
    return HRL_OK;
}

#endif

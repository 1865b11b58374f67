/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RAISE_CONTROLLER_H
#define HRLP_RAISE_CONTROLLER_H

/* The port's part of <hrl/interrupt.h>, which includes it. */

static inline enum hrl_status hrlp_raise(uint32_t line)
{
    *(volatile uint32_t *)0xFFFFFF0Cu = 1u << line; /* HRLP_RV32_RAISE */
    return HRL_OK;
}

#endif

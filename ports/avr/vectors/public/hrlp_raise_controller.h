/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RAISE_CONTROLLER_H
#define HRLP_RAISE_CONTROLLER_H

/* The port's part of <hrl/interrupt.h>, which includes it. */

/* Only a device can. */
static inline enum hrl_status hrlp_raise(uint32_t line)
{
    (void)line;
    return HRL_UNSUPPORTED;
}

#endif

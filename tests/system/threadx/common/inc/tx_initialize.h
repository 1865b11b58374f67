/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TX_INITIALIZE_H
#define TX_INITIALIZE_H

VOID _tx_initialize_low_level(VOID);

#endif

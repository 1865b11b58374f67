/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_VECTORS_CONTROLLER_H
#define HRLP_RING_VECTORS_CONTROLLER_H

/* SysTick's vector: it is recorded like others, as DWT_CYCCNT counts stamps. */
#define HRLP_RING_SYSTICK hrlp_ring_exception

#endif

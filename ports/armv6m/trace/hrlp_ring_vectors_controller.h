/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RING_VECTORS_CONTROLLER_H
#define HRLP_RING_VECTORS_CONTROLLER_H

/* SysTick's vector, where it counts stamps: not recorded, as no stamp may be taken before it has counted. */
#if HRL_TRACE_CYCLES /* as the tool reads it in board.toml */
void hrlp_ring_wrapped(void);
#define HRLP_RING_SYSTICK hrlp_ring_wrapped
#else
#define HRLP_RING_SYSTICK hrlp_ring_exception
#endif

#endif

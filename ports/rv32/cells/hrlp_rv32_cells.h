/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_RV32_CELLS_H
#define HRLP_RV32_CELLS_H

#include <stdint.h>

/*
 * The interrupt controller of the timer cells (docs/guide/timer-cells.md). What is used at every
 * interrupt lies where one instruction reaches it: 12 bits, sign-extended, from register zero.
 */
#define HRLP_RV32_HOT(offset) (*(volatile uint32_t *)(0xFFFFFF00u + (offset)))
#define HRLP_RV32_COMPLETE HRLP_RV32_HOT(4)
#define HRLP_RV32_THRESHOLD HRLP_RV32_HOT(8)
#define HRLP_RV32_RAISE HRLP_RV32_HOT(12)
#define HRLP_RV32_LOWER HRLP_RV32_HOT(16)
#define HRLP_RV32_RUN HRLP_RV32_HOT(20)
#define HRLP_RV32_RUN_SET HRLP_RV32_HOT(24)
#define HRLP_RV32_RUN_CLEAR HRLP_RV32_HOT(28)
#define HRLP_RV32_TIME_LOW HRLP_RV32_HOT(32)
#define HRLP_RV32_TIME_HIGH HRLP_RV32_HOT(36)
#define HRLP_RV32_ACTIVE_PRIORITY HRLP_RV32_HOT(40)
#define HRLP_RV32_ACTIVE_SOURCE HRLP_RV32_HOT(44)

/* By source; words of bits. */
#define HRLP_RV32_BULK(offset) ((volatile uint32_t *)(0x40010000u + (offset)))
#define HRLP_RV32_PRIORITY HRLP_RV32_BULK(0)
#define HRLP_RV32_HANDLER HRLP_RV32_BULK(0x800)
#define HRLP_RV32_ENABLE HRLP_RV32_BULK(0x1000)
#define HRLP_RV32_PENDING HRLP_RV32_BULK(0x1040)
#define HRLP_RV32_CLEAR HRLP_RV32_BULK(0x1080)
#define HRLP_RV32_OVERRUN HRLP_RV32_BULK(0x10C0)
#define HRLP_RV32_ACTIVE HRLP_RV32_BULK(0x1100)
#define HRLP_RV32_SPURIOUS HRLP_RV32_BULK(0x1140)

/*
 * Sources: 0 to 31 are software's, the last of which is the dispatch, and with several cores the one before it
 * the doorbell; then overruns, then cells.
 */
enum {
    HRLP_RV32_DOORBELL_SOURCE = 30,
    HRLP_RV32_DISPATCH_SOURCE = 31,
    HRLP_RV32_OVERRUN_SOURCE = 32,
    HRLP_RV32_CELL_SOURCE = 64,
    HRLP_RV32_PRIORITIES = 31 /* 1 to 31, larger is more urgent; 1 is the dispatch's */
};

#endif

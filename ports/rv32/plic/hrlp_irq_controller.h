/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_IRQ_CONTROLLER_H
#define HRLP_IRQ_CONTROLLER_H

/*
 * The PLIC, as a hart in machine mode sees it (RISC-V PLIC specification 1.0): a word of priority a
 * line, a bit to enable it. A line of priority 0 never interrupts, but can be completed; a line
 * that is not enabled cannot. As a handler may disable its own line, disabling sets the priority to
 * 0. Handlers do not interrupt each other.
 */
#define HRLP_IRQ_LINES 96 /* of QEMU's virt machine; 0 does not exist */
#define HRLP_IRQ_NESTS false
#define HRLP_IRQ_ORDERS true
#define HRLP_IRQ_CAN_RAISE false
/* Of a hart's two contexts, the machine's. */
#define HRLP_RV32_PLIC_CONTEXT (2u * hrlp_rv32_hart())
#define HRLP_RV32_PLIC_PRIORITY ((volatile uint32_t *)0x0C000000u)
#define HRLP_RV32_PLIC_ENABLE ((volatile uint32_t *)(0x0C002000u + 0x80u * HRLP_RV32_PLIC_CONTEXT))
#define HRLP_RV32_PLIC_OF_CONTEXT                                                                  \
    ((volatile uint32_t *)(0x0C200000u + 0x1000u * HRLP_RV32_PLIC_CONTEXT))
#define HRLP_RV32_PLIC_THRESHOLD (HRLP_RV32_PLIC_OF_CONTEXT[0])
#define HRLP_RV32_PLIC_CLAIM (HRLP_RV32_PLIC_OF_CONTEXT[1]) /* write: complete */

static inline void hrlp_irq_enable_at(int line, unsigned priority)
{
    if (line >= 0) {
        hrlp_irq_state state = hrlp_irq_lock();

        HRLP_RV32_PLIC_PRIORITY[line] = priority == 0 ? 1 : priority;
        HRLP_RV32_PLIC_ENABLE[line / 32] |= 1u << (line % 32);
        HRLP_RV32_PLIC_THRESHOLD = 0;
        hrlp_irq_unlock(state);
        line = HRLP_RV32_EXTERNAL_LINE;
    }
    hrlp_rv32_enable_cause(line);
}

/* Reading it back lasts until the PLIC has it. */
static inline void hrlp_irq_disable(int line)
{
    HRLP_RV32_PLIC_PRIORITY[line] = 0;
    (void)HRLP_RV32_PLIC_PRIORITY[line];
}

/*
 * Lines are levels, which fall with their cause; only a claim clears a request that the PLIC has
 * latched.
 */
static inline void hrlp_irq_clear(int line)
{
    (void)line;
}

/* Software can raise the software interrupt of its hart only. */
static inline void hrlp_irq_raise(int line)
{
    if (line != HRLP_RV32_SOFTWARE_LINE) {
        __builtin_trap();
    }
    ((volatile uint32_t *)0x02000000u)[hrlp_rv32_hart()] = 1;
}

static inline bool hrlp_irq_is_free(int line)
{
    return line != 0;
}

#endif

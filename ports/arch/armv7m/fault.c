/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"
#include <stdint.h>

/*
 * A fault ends the program with everything a person needs to find it: which, where, whose thread.
 */
static void print_hex(const char *label, uint32_t value)
{
    char text[12];
    char *digit = text;

    for (int shift = 28; shift >= 0; shift -= 4) {
        *digit++ = "0123456789abcdef"[(value >> shift) & 15u];
    }
    *digit = '\0';
    hrlp_cpu_print(label);
    hrlp_cpu_print(text);
}

/* In decimal, as lines are numbered; there are less than 100. */
static void print_line(uint32_t line)
{
    const char text[] = {(char)('0' + line / 10u), (char)('0' + line % 10u), '\0'};

    hrlp_cpu_print(", interrupt line ");
    hrlp_cpu_print(text);
}

/* `frame` is what the hardware pushed: r0-r3, r12, lr, pc, xPSR. NULL: it is not known where. */
__attribute__((used)) static void report_fault(const uint32_t *frame)
{
    static const char *const labels[] = {
        "  r0=", " r1=", " r2=", " r3=", " r12=", " lr=", "\n  pc=", " xpsr="};
    uint32_t exception;

    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    print_hex("fault: exception ", exception);
    if (exception >= 16u) {
        print_line(exception - 16u);
    }
    hrlp_cpu_print(" in thread '");
    hrlp_cpu_print(hrli_cpu_current_name());
    hrlp_cpu_print("'\n");
    for (unsigned i = 0; frame != NULL && i < sizeof labels / sizeof labels[0]; i++) {
        print_hex(labels[i], frame[i]);
    }
    print_hex(" cfsr=", *(volatile uint32_t *)0xE000ED28u);
    print_hex(" hfsr=", *(volatile uint32_t *)0xE000ED2Cu);
    print_hex(" mmfar=", *(volatile uint32_t *)0xE000ED34u);
    print_hex(" bfar=", *(volatile uint32_t *)0xE000ED38u);
    hrlp_cpu_print("\n");
    hrlp_cpu_halt(4);
}

/* Every exception and interrupt that nobody handles ends here. */
__attribute__((naked)) void hrlp_fault_handler(void)
{
    __asm__ volatile("tst lr, #4\n\t"
                     "ite eq\n\t"
                     "mrseq r0, msp\n\t"
                     "mrsne r0, psp\n\t"
                     "b report_fault");
}

/*
 * From the middle of a handler: what it interrupted lies on the process stack if no other handler is active
 * (ICSR.RETTOBASE).
 */
_Noreturn void hrlp_irq_unhandled(int line)
{
    const uint32_t *frame = NULL;

    (void)line; /* IPSR says it, too */
    if ((*(volatile uint32_t *)0xE000ED04u & 1u << 11) != 0) {
        __asm__ volatile("mrs %0, psp" : "=r"(frame));
    }
    report_fault(frame);
    __builtin_unreachable();
}

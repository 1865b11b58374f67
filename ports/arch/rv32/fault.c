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

/* `frame` is a trap frame (switch.S). */
__attribute__((used)) _Noreturn void hrlp_fault_report(const uint32_t *frame);

_Noreturn void hrlp_fault_report(const uint32_t *frame)
{
    static const char *const labels[] = {
        "  pc=", " ra=", " a0=", " a1=", " a2=", " a3=", " a4=", " a5=", "\n  a6=",
        " a7=",  " t0=", " t1=", " t2=", " t3=", " t4=", " t5=", " t6="};
    uint32_t cause, value, stack_pointer;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    __asm__ volatile("csrr %0, mtval" : "=r"(value));
    __asm__ volatile("csrr %0, mscratch" : "=r"(stack_pointer));
    print_hex("fault: cause ", cause);
    hrlp_cpu_print(" in thread '");
    hrlp_cpu_print(hrli_cpu_current_name());
    hrlp_cpu_print("'\n");
    for (unsigned i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        print_hex(labels[i], frame[i]);
    }
    print_hex(" sp=", stack_pointer);
    print_hex(" mtval=", value);
    hrlp_cpu_print("\n");
    hrlp_cpu_halt(4);
}

/* mscratch holds the trap frame of what it interrupted. */
_Noreturn void hrlp_irq_unhandled(int line)
{
    const char text[] = {(char)('0' + line / 10), (char)('0' + line % 10), '\n', '\0'};
    const uint32_t *frame;

    hrlp_cpu_print("unhandled interrupt line ");
    hrlp_cpu_print(text);
    __asm__ volatile("csrr %0, mscratch" : "=r"(frame));
    hrlp_fault_report(frame);
}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cores.h"
#include "hrlp_cpu.h"
#include "hrlp_fault.h"
#include "hrlp_irq.h"
#include "hrlp_upcalls.h"

/*
 * The report that is the same on every processor when the program stops: why, where, in which
 * thread, and the registers.
 */
enum { A_LINE = 7, PROMISE_BROKEN = 1, FAULT = 4 };

static __attribute__((cold)) void print_hex(uint32_t value)
{
    HRLP_CONST char *digits = HRLP_TEXT("0123456789abcdef");
    char text[9];

    for (int i = 0; i < 8; i++) {
        text[i] = digits[(value >> (28 - 4 * i)) & 15u];
    }
    text[8] = '\0';
    hrlp_cpu_print(text);
}

/*
 * Tens are taken off one by one, as division is a function of the compiler's library on small processors: it is for
 * lines, and numbers of cores.
 */
static __attribute__((cold)) void print_number(HRLP_CONST char *label, int32_t value)
{
    char text[12];
    char *digit = &text[sizeof text - 1];
    uint32_t left = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;

    *digit = '\0';
    do {
        uint32_t tens = 0;

        for (; left >= 10; left -= 10) {
            tens++;
        }
        *--digit = (char)('0' + left);
        left = tens;
    } while (left != 0);
    if (value < 0) {
        *--digit = '-';
    }
    hrlp_cpu_print_text(label);
    hrlp_cpu_print(digit);
}

/* Prints the first of `names`, returns the others. */
static __attribute__((cold)) const char *print_name(const char *names)
{
    while (*names != ' ' && *names != '\0') {
        const char letter[] = {*names++, '\0'};
        hrlp_cpu_print(letter);
    }
    hrlp_cpu_print_text(HRLP_TEXT("="));
    return *names == ' ' ? names + 1 : names;
}

static __attribute__((cold)) void print_registers(const struct hrl_fault *fault)
{
    const char *names = fault->register_names;
    uint32_t left = 0; /* on this line */

    for (uint32_t i = 0; i < fault->register_count; i++) {
        hrlp_cpu_print_text(left == 0 ? HRLP_TEXT("\n  ") : HRLP_TEXT(" "));
        left = left == 0 ? A_LINE - 1u : left - 1u;
        names = print_name(names);
        print_hex(fault->registers[i]);
    }
}

__attribute__((weak, cold)) _Noreturn void hrl_fault_hook(const struct hrl_fault *fault)
{
    hrlp_cpu_print_text(HRLP_TEXT("\nfault: "));
    hrlp_cpu_print(fault->reason);
    if (fault->interrupt != HRL_FAULT_NO_INTERRUPT) {
        print_number(HRLP_TEXT(", line "), fault->interrupt);
    }
    if (fault->file != NULL) {
        hrlp_cpu_print_text(HRLP_TEXT("\n  at "));
        hrlp_cpu_print(fault->file);
        print_number(HRLP_TEXT(":"), fault->line);
    }
    hrlp_cpu_print_text(fault->in_interrupt ? HRLP_TEXT("\n  in an interrupt of thread '")
                                            : HRLP_TEXT("\n  in thread '"));
    hrlp_cpu_print(fault->thread);
    hrlp_cpu_print_text(HRLP_TEXT("'"));
    if (HRL_CORES > 1) {
        print_number(HRLP_TEXT(" on core "), (int32_t)hrlp_core_number());
    }
    print_registers(fault);
    hrlp_cpu_print_text(HRLP_TEXT("\n"));
    hrlp_cpu_halt(fault->file != NULL ? PROMISE_BROKEN : FAULT);
}

/* Each field is set: what an initializer leaves out would be cleared by memset, which nothing else here may need. */
static __attribute__((cold)) _Noreturn void stop(const char *reason, const char *file, int line,
                                                 int32_t interrupt, bool in_interrupt)
{
    const char *names = HRLP_READABLE(hrlp_fault_names, 16);
    struct hrl_fault fault;

    (void)hrlp_irq_lock();
    fault.reason = reason;
    fault.file = file;
    fault.line = line;
    fault.interrupt = interrupt;
    fault.in_interrupt = in_interrupt;
    fault.thread = HRLP_READABLE(hrli_cpu_current_name(), 24);
    fault.register_names = names;
    fault.registers = hrlp_fault_registers;
    fault.register_count = *names != '\0';
    for (; *names != '\0'; names++) {
        fault.register_count += *names == ' ';
    }
    hrl_fault_hook(&fault);
}

_Noreturn void hrlp_fault_stop(const char *reason, const char *file, int line, bool in_interrupt)
{
    stop(reason, file, line, HRL_FAULT_NO_INTERRUPT, in_interrupt);
}

_Noreturn void hrlp_fault_unhandled(int line, bool in_interrupt)
{
    stop(HRLP_READABLE(HRLP_TEXT("an interrupt without a handler"), 32), NULL, 0, line,
         in_interrupt);
}

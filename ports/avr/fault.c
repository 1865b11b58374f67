/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "hrlp_cpu.h"
#include "hrlp_fault.h"
#include "hrlp_irq.h"
#include <avr/pgmspace.h>
#include <stddef.h>

/* fault_entry.S has kept the first two. An AVR finds no faults: what is reported is found by software. */
enum { PC, STACK, RESET_CAUSE, REGISTERS };

HRLP_CONST char hrlp_fault_names[] = "pc sp reset";
uint32_t hrlp_fault_registers[REGISTERS];

/* startup.S: the flags of the reset, by their bits: power-on, external, brown-out, watchdog. */
extern uint8_t hrlp_avr_reset_cause;

/* The first two registers are kept. fault_entry.S reads it. */
uint8_t hrlp_avr_is_kept;

extern uint8_t hrl_link_main_stack_top[];

static bool was_in_interrupt(void)
{
    return hrlp_avr_started &&
           (uint16_t)hrlp_fault_registers[STACK] >= (uint16_t)(uintptr_t)hrl_link_main_stack_low;
}

enum { REASON_BYTES = 96, FILE_BYTES = 64 };

/* The end of a text in flash, or all of it if it fits. */
const char *hrlp_avr_copy(char *to, size_t bytes, HRLP_CONST char *from)
{
    size_t length = strlen_P(from);

    if (length >= bytes) {
        from += length - (bytes - 1u);
    }
    (void)strcpy_P(to, from);
    return to;
}

_Noreturn void hrlp_avr_report_return(void);
_Noreturn void hrlp_avr_report_text(const char *reason, const char *file, int line);
_Noreturn void hrlp_avr_report_promise(const char *reason, const char *file, int line);

_Noreturn void hrlp_avr_report_return(void)
{
    hrlp_fault_registers[RESET_CAUSE] = hrlp_avr_reset_cause;
    hrlp_fault_stop(
        hrlp_avr_copy((char[REASON_BYTES]){0}, REASON_BYTES, PSTR("a thread or main returned")),
        NULL, 0, was_in_interrupt());
}

_Noreturn void hrlp_avr_report_promise(const char *reason, const char *file, int line)
{
    hrlp_fault_registers[RESET_CAUSE] = hrlp_avr_reset_cause;
    hrlp_fault_stop(reason, file, line, was_in_interrupt());
}

/* The main stack has room: nothing that is on it is needed any more. */
_Noreturn void hrlp_avr_report_text(const char *reason, const char *file, int line)
{
    char reason_text[REASON_BYTES], file_text[FILE_BYTES];

    hrlp_avr_is_kept = 1;
    hrl_assert_hook(hrlp_avr_copy(reason_text, sizeof reason_text, reason),
                    hrlp_avr_copy(file_text, sizeof file_text, file), line);
}

/* The entry has put the interrupted stack pointer where the main stack begins, and saved fifteen registers there. */
_Noreturn void hrlp_irq_unhandled(int line)
{
    const uint8_t *kept = &hrl_link_main_stack_top[-2];
    const uint8_t *stack = (const uint8_t *)(uintptr_t)(kept[0] | (unsigned)kept[1] << 8);

    hrlp_fault_registers[PC] = 2u * (uint16_t)((unsigned)stack[16] << 8 | stack[17]);
    hrlp_fault_registers[STACK] = (uint16_t)(uintptr_t)stack + 17u;
    hrlp_fault_registers[RESET_CAUSE] = hrlp_avr_reset_cause;
    hrlp_fault_unhandled(line, false);
}

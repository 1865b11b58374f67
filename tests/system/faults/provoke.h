/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PROVOKE_H
#define PROVOKE_H

#include <stdint.h>

/* The number of the fault. The emulator writes it before the start. */
extern volatile uint32_t provoked;

/* What depends on the processor. */

enum { NOWHERE = 0x90000000 }; /* no memory and no device is there */

/* A line that is not in use, and how its device raises it. */
extern const uint32_t free_line;
void raise_free_line(void);

void execute_nothing_defined(
    void); /* with 0x11110004, 0x11110005, ... in the registers that calls preserve */
void break_a_promise(void); /* the same, in a call of hrl_assert_hook("a promise", "file", 77) */

/* Goes on with another stack pointer. */
void with_stack_at(uintptr_t stack_pointer, void (*go_on)(void));

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_AVR_OWES_H
#define HRLP_AVR_OWES_H

/*
 * hrlp_avr_owes, the byte that the ends of handlers and of the lock look at, and where hrlp_avr_lines
 * (vectors/hrlp_line_arch.h) has what it has; also for assembly.
 */
#define HRLP_AVR_OWES_SWITCH 1
#define HRLP_AVR_OWES_LINES_BIT 1
#define HRLP_AVR_OWES_LINES (1 << HRLP_AVR_OWES_LINES_BIT)
#define HRLP_AVR_LINES_ACTIVE 2
#define HRLP_AVR_LINES_FLOOR 4
#define HRLP_AVR_LINES_ABOVE 5

#endif

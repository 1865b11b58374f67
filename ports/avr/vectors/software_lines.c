/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#if HRL_BASIC_TASKS /* others have no lines */

#include "hrlp_line.h"
#include <avr/pgmspace.h>
#include <stddef.h>

struct hrlp_avr_lines hrlp_avr_lines;

#define IS_AT(field, offset)                                                                       \
    _Static_assert(offsetof(struct hrlp_avr_lines, field) == (offset), #field)
IS_AT(pending, 0);
IS_AT(active, HRLP_AVR_LINES_ACTIVE);
IS_AT(floor, HRLP_AVR_LINES_FLOOR);
IS_AT(above, HRLP_AVR_LINES_ABOVE);

/* The lines' handlers: in generated code, or in systems/plain. */
#define EIGHT(EACH, a, b, c, d, e, f, g, h)                                                        \
    EACH(a) EACH(b) EACH(c) EACH(d) EACH(e) EACH(f) EACH(g) EACH(h)
#define HANDLERS(EACH) EIGHT(EACH, 0, 1, 2, 3, 4, 5, 6, 7) EIGHT(EACH, 8, 9, 10, 11, 12, 13, 14, 15)
#define DECLARE(n) __attribute__((weak)) void Line##n##_Handler(void);
#define NAME(n) Line##n##_Handler,

HANDLERS(DECLARE)

void (*const hrlp_avr_line_handlers[HRLP_AVR_SOFTWARE_LINES])(void) PROGMEM = {HANDLERS(NAME)};

void hrlp_avr_line_enable_at(unsigned line, unsigned level)
{
    struct hrlp_avr_lines *lines = &hrlp_avr_lines;
    uint8_t above = 0;

    lines->levels[line] = (uint8_t)level;
    for (uint8_t other = 0; other < HRLP_AVR_SOFTWARE_LINES; other++) {
        above = lines->levels[other] == level ? other + 1u : above;
    }
    for (uint8_t other = 0; other < HRLP_AVR_SOFTWARE_LINES; other++) {
        if (lines->levels[other] == level) {
            lines->above[other] = above;
        }
    }
}

uint8_t hrlp_avr_lines_up_to(unsigned level)
{
    uint8_t above = 1;

    for (uint8_t line = 0; line < HRLP_AVR_SOFTWARE_LINES; line++) {
        if (hrlp_avr_lines.levels[line] != 0 && hrlp_avr_lines.levels[line] <= level) {
            above = line + 1u;
        }
    }
    return above;
}

#endif

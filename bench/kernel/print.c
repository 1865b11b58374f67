/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_print.h"
#include "hrlp_cpu.h"
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE = 96 };

struct line {
    char text[LINE];
    size_t length;
};

/* How one value is to stand in the line. */
struct layout {
    unsigned width;
    char before;
};

static void put(struct line *line, char character)
{
    if (line->length < LINE - 1) {
        line->text[line->length++] = character;
    }
}

static void put_text(struct line *line, const char *text, struct layout layout)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
    }
    for (size_t i = length; i < layout.width; i++) {
        put(line, layout.before);
    }
    for (size_t i = 0; i < length; i++) {
        put(line, text[i]);
    }
}

static void put_number(struct line *line, uint32_t number, uint32_t base, bool negative,
                       struct layout layout)
{
    char digits[12];
    char *first = &digits[sizeof digits - 1];

    *first = '\0';
    do {
        *--first = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    if (negative) {
        *--first = '-';
    }
    put_text(line, first, layout);
}

/* The width that begins at *format, which then stands behind it. */
static struct layout layout_at(const char **format)
{
    struct layout layout = {0, ' '};

    if (**format == '0') {
        layout.before = '0';
        ++*format;
    }
    while (**format >= '0' && **format <= '9') {
        layout.width = layout.width * 10 + (unsigned)(*(*format)++ - '0');
    }
    if (**format == 'l') {
        ++*format; /* as long as an int */
    }
    return layout;
}

void bench_print(const char *format, ...)
{
    struct line line = {.length = 0};
    va_list values;

    va_start(values, format);
    for (; *format != '\0'; format++) {
        struct layout layout;

        if (*format != '%') {
            put(&line, *format);
            continue;
        }
        format++;
        layout = layout_at(&format);
        if (*format == 's') {
            put_text(&line, va_arg(values, const char *), layout);
        } else if (*format == 'c') {
            put(&line, (char)va_arg(values, int));
        } else if (*format == 'd') {
            int number = va_arg(values, int);

            put_number(&line, number < 0 ? 0u - (uint32_t)number : (uint32_t)number, 10, number < 0,
                       layout);
        } else {
            put_number(&line, va_arg(values, uint32_t), *format == 'x' ? 16 : 10, false, layout);
        }
    }
    va_end(values);
    line.text[line.length] = '\0';
    hrlp_cpu_print(line.text);
}

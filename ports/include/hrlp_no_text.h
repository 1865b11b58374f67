/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_TEXT_H
#define HRLP_NO_TEXT_H

/* hrlp_cpu.h of a processor that reads constants where they are. */

#define HRLP_TEXT(literal) (literal)

#define HRLP_CPU_STOP(reason, file, line) hrl_assert_hook(reason, file, line)

static inline void hrlp_cpu_print_text(HRLP_CONST char *text)
{
    hrlp_cpu_print(text);
}

#endif

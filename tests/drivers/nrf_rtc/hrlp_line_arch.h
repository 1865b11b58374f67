/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_LINE_ARCH_H
#define HRLP_LINE_ARCH_H

static inline void hrlp_line_enable(int line, unsigned level)
{
    (void)line;
    (void)level;
}

#endif

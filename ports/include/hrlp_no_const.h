/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_NO_CONST_H
#define HRLP_NO_CONST_H

/* hrlp_cpu.h of a processor that reads constants as it reads data. */

#define HRLP_CONST const
#define HRLP_CONST_AT(pointer) (pointer)
#define HRLP_READABLE(text, bytes) (text)

#endif

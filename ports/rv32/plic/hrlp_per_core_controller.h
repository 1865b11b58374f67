/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_CONTROLLER_H
#define HRLP_PER_CORE_CONTROLLER_H

/* A hart's thread pointer stays where its variables begin (cores.S), whatever thread runs there. */
#define HRLP_PER_CORE _Thread_local

#endif

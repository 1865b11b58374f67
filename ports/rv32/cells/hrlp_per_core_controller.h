/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_CONTROLLER_H
#define HRLP_PER_CORE_CONTROLLER_H

/* The linker scripts of boards with several cores put what exists once a core into private memory. */
#define HRLP_PER_CORE

/* A core makes an access when the one before it has ended. */
#define HRLP_PLAIN_WORDS

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_CONTROLLER_H
#define HRLP_PER_CORE_CONTROLLER_H

/* A core is a thread of the process (cores.c). */
#define HRLP_PER_CORE _Thread_local
#define HRLP_HOST_CORES HRL_CORES

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_CONTROLLER_H
#define HRLP_PER_CORE_CONTROLLER_H

/* A core finds its own by VTOR (hrlp_armv6m_cores.h), whatever thread runs there. */
#define HRLP_PER_CORE _Thread_local __attribute__((tls_model("local-exec")))

#endif

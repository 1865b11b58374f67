/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_CONTROLLER_H
#define HRLP_PER_CORE_CONTROLLER_H

/* two_cores.c copies hrli_core, and all else exists once, as one core at a time is tested. */
#define HRLP_PER_CORE

#endif

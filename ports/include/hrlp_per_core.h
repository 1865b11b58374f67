/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLP_PER_CORE_H
#define HRLP_PER_CORE_H

#include <hrl/types.h>

/*
 * Porting contract: HRLP_PER_CORE, the storage class of a variable that the kernel or a port defines once a core
 * (hrlp_cores.h). It is empty with one core, and where each core has private memory at the same address. A port that
 * has no such memory says by which class the compiler finds a core's own; the address of such a variable is no
 * constant. The port defines it in hrlp_per_core_controller.h, for HRL_CORES > 1.
 */
#if HRL_CORES > 1 /* as ports for one core have no such header */
#include "hrlp_per_core_controller.h"
#else
#define HRLP_PER_CORE
#endif

/*
 * Words that another core may look at while this one changes them, without a lock that both hold: HRLP_SHOW(object,
 * value) stores, HRLP_SEE(object) loads. Each is one access, and no more is said of its order. HRLP_PUBLISH stores, and
 * a core that sees that by HRLP_SEE_PUBLISHED sees all stores before it, too. With one core these are plain accesses. So
 * they are on a port that defines HRLP_PLAIN_WORDS in hrlp_per_core_controller.h: there a core makes one access after
 * the other, and an atomic access, which compilers keep apart, would cost a switch an instruction. Context: any.
 */
#if HRL_CORES > 1 && !defined HRLP_PLAIN_WORDS /* as one core needs no such care */
#define HRLP_SHOW(object, value) __atomic_store_n(&(object), value, __ATOMIC_RELAXED)
#define HRLP_SEE(object) __atomic_load_n(&(object), __ATOMIC_RELAXED)
#define HRLP_PUBLISH(object, value) __atomic_store_n(&(object), value, __ATOMIC_RELEASE)
#define HRLP_SEE_PUBLISHED(object) __atomic_load_n(&(object), __ATOMIC_ACQUIRE)
#else
#define HRLP_SHOW(object, value) ((object) = (value))
#define HRLP_SEE(object) (object)
#define HRLP_PUBLISH(object, value) ((object) = (value))
#define HRLP_SEE_PUBLISHED(object) (object)
#endif

#endif

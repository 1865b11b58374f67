/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CORES_H
#define HRLI_CORES_H

#include "system.h"

/*
 * The systems of several cores, put together. At file scope, without a semicolon, in the order of the cores:
 *
 *     HRLI_SYSTEM_ON(0) HRLI_SYSTEM_ON(1)
 *     HRLI_SYSTEMS(HRLI_OF_CORE(0) HRLI_OF_CORE(1))
 *
 * Each is defined by the generated file of its core (core_names.h).
 */
#define HRLI_SYSTEM_ON(core) extern HRLP_CONST struct hrli_system hrl_gen_system_on_##core;
#define HRLI_OF_CORE(core) &hrl_gen_system_on_##core,
#define HRLI_SYSTEMS(...)                                                                          \
    HRLP_CONST struct hrli_system *HRLP_CONST hrl_gen_systems[HRL_CORES] = {__VA_ARGS__};

/*
 * The lines of basic tasks of each core, likewise, if any has some:
 *
 *     HRLI_LINES_ON(0) HRLI_NO_LINES_ON(1)
 *     HRLI_LINES_OF_CORES(HRLI_LINES_OF(0) HRLI_LINES_OF(1))
 */
#define HRLI_LINES_ON(core) extern const struct hrli_lines hrl_gen_lines_on_##core;
#define HRLI_NO_LINES_ON(core) static const struct hrli_lines hrl_gen_lines_on_##core = {NULL, 0u};
#define HRLI_LINES_OF(core) &hrl_gen_lines_on_##core,
#define HRLI_LINES_OF_CORES(...)                                                                   \
    const struct hrli_lines hrl_gen_lines = {NULL, 0u};                                            \
    const struct hrli_lines *const hrl_gen_lines_of_cores[HRL_CORES] = {__VA_ARGS__};

/* Behind the fields of a thread in the generated file of one of several cores: it runs there. */
#ifdef HRLI_CORE_NUMBER /* as only then a file is one core's */
#define HRLI_ON_ITS_CORE HRLI_CORE_FIELD(HRLI_CORE_NUMBER)
#else
#define HRLI_ON_ITS_CORE
#endif

/* Or they are alike: one system, of which each core has its own in memory of its own (systems/plain). */
#if HRL_CORES == 1 /* as there is no such array on one core */
#define HRLI_SYSTEM_OF_ALL(system)
#elif defined HRLI_CORE_NUMBER /* as it is the system of that core, and not of all */
#define HRLI_SYSTEM_OF_ALL(system)
#elif HRL_CORES == 2 /* as C has no way to repeat an initialiser */
#define HRLI_SYSTEM_OF_ALL(system) HRLI_SYSTEMS(HRLI_TWICE(&(system)))
#elif HRL_CORES == 4 /* likewise */
#define HRLI_SYSTEM_OF_ALL(system) HRLI_SYSTEMS(HRLI_FOUR_TIMES(&(system)))
#elif HRL_CORES == 8 /* likewise */
#define HRLI_SYSTEM_OF_ALL(system)                                                                 \
    HRLI_SYSTEMS(HRLI_FOUR_TIMES(&(system)), HRLI_FOUR_TIMES(&(system)))
#endif
#define HRLI_TWICE(what) what, what
#define HRLI_FOUR_TIMES(what) what, what, what, what

/* What such a system begins with (HRLI_SYSTEM). */
#if HRL_CORES > 1 /* as the system has one field more */
#define HRLI_AND_PREPARE , hrl_gen_prepare
#else
#define HRLI_AND_PREPARE
#endif

#endif

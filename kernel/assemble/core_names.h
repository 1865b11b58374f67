/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CORE_NAMES_H
#define HRLI_CORE_NAMES_H

/*
 * With several cores, each has a generated file, which says HRLI_CORE_NUMBER. What the file defines for
 * others has that number at its end: hrl_gen_system_on_1. Names with a number of their own
 * (hrl_gen_releaser_0, hrl_gen_body_7) need none, as these are numbered through the whole system.
 */
#define HRLI_ON_CORE(name) HRLI_ON_CORE_NUMBER(name, HRLI_CORE_NUMBER)
#define HRLI_ON_CORE_NUMBER(name, core) HRLI_PASTE_CORE(name, core)
#define HRLI_PASTE_CORE(name, core) name##_on_##core

#define hrl_gen_system HRLI_ON_CORE(hrl_gen_system)
#define hrl_gen_prepare HRLI_ON_CORE(hrl_gen_prepare)
#define hrl_gen_threads HRLI_ON_CORE(hrl_gen_threads)
#define hrl_gen_insert_timeout HRLI_ON_CORE(hrl_gen_insert_timeout)
#define hrl_gen_put_timeout HRLI_ON_CORE(hrl_gen_put_timeout)
#define hrl_gen_basic HRLI_ON_CORE(hrl_gen_basic)
#define hrl_gen_lines HRLI_ON_CORE(hrl_gen_lines)

/* Each core's controller has interrupts of these names: their handlers have a core's number at their end. */
#define Overrun_Handler_entry HRLI_ENTRY_ON(Overrun_Handler, HRLI_CORE_NUMBER)
#define HRLI_ENTRY_ON(name, core) HRLI_PASTE_ENTRY(name, core)
#define HRLI_PASTE_ENTRY(name, core) name##_on_##core##_entry

#endif

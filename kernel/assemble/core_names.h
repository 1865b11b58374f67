/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CORE_NAMES_H
#define HRLI_CORE_NAMES_H

/*
 * With several cores, each has a generated file, HRLI_CORE_NUMBER of which is the core's. What the file
 * defines for others has that number at its end: hrl_gen_system_on_1. Names that macros paste
 * (hrl_gen_releaser_0) the file itself renames so. Bodies are no core's, and keep their names.
 */
#define HRLI_ON_CORE(name) HRLI_ON_CORE_NUMBER(name, HRLI_CORE_NUMBER)
#define HRLI_ON_CORE_NUMBER(name, core) HRLI_PASTE_CORE(name, core)
#define HRLI_PASTE_CORE(name, core) name##_on_##core

#define hrl_gen_system HRLI_ON_CORE(hrl_gen_system)
#define hrl_gen_prepare HRLI_ON_CORE(hrl_gen_prepare)
#define hrl_gen_threads HRLI_ON_CORE(hrl_gen_threads)
#define hrl_gen_insert_timeout HRLI_ON_CORE(hrl_gen_insert_timeout)
#define hrl_gen_put_timeout HRLI_ON_CORE(hrl_gen_put_timeout)

#endif

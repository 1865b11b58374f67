/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOROLOG_SIMAVR_VISITS_H
#define HOROLOG_SIMAVR_VISITS_H

/*
 * Logs which code has the processor and when (watch/visit_log.h), in cycles since reset. A visit lasts from the first
 * cycle of its first instruction to the last of its last one. Sleep and the entry of an interrupt are no instructions, and
 * end none.
 *
 * Beside them: `T flag VECTOR` when the flag of that interrupt is raised, in cycle T.
 */
#include "machine.h"

/* Returns false, and writes into `why` what is wrong, if the file at `path` cannot be used. */
bool visits_watch(struct machine *machine, const char *path, char *why);

#endif

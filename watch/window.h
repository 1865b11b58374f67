/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#ifndef HOROLOG_WATCH_WINDOW_H
#define HOROLOG_WATCH_WINDOW_H

/* Of the core only: which interrupts and served instants are inside the window, as watch.h says. */
#include "watch/watch.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WATCH_NO_ROW = 1 << 30 }; /* far from every other */

/* Interrupt `index` has entered. Returns whether that is inside. */
bool watch_window_enter(struct watch *watch, size_t index);
/* The kernel stores to `address`. */
void watch_window_store(struct watch *watch, uint64_t address);

#ifdef __cplusplus
}
#endif

#endif

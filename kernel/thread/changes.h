/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CHANGES_H
#define HRLI_CHANGES_H

/*
 * With several cores: looks at all threads that others have changed (change_elsewhere.h), and empties the list; then does
 * what others have asked of alarms. Context: the dispatch.
 */
void hrli_changes_apply(void);

/* kernel/sync/alarm_elsewhere.c: does that, and empties its list. An image without alarms has none. Context: the dispatch. */
__attribute__((weak)) void hrli_alarms_apply(void);

#endif

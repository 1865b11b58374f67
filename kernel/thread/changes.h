/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_CHANGES_H
#define HRLI_CHANGES_H

/* With several cores: looks at all threads that others have changed (change_elsewhere.h), and empties the list. Context: the dispatch. */
void hrli_changes_apply(void);

#endif

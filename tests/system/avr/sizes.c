/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "one_shot.h"
#include "releaser.h"
#include "sorted_list.h"
#include <hrl/alarm.h>
#include <hrl/basic.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>

/* An object as large as each thing of the table in docs/guide/avr.md, in the order of the table. */
char thing_0[sizeof(struct hrl_thread)];
char thing_1[sizeof(struct hrli_periodic_thread)];
char thing_2[sizeof *((struct hrl_basic *)0)->counts];
char thing_3[sizeof(struct hrli_line_words)];
char thing_4[sizeof(struct hrli_one_shot)];
char thing_5[sizeof(struct hrli_sorted_list)];
char thing_6[sizeof(struct hrl_alarm)];
char thing_7[sizeof(struct hrl_semaphore)];
char thing_8[sizeof(struct hrli_core)];

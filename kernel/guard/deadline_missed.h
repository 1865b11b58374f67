/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRLI_DEADLINE_MISSED_H
#define HRLI_DEADLINE_MISSED_H

#include <hrl/basic.h>

/*
 * The tasks with monitored deadlines, and how many of these each has missed, modulo 2^32. Generated code
 * defines them.
 */
extern const struct hrl_basic *const hrl_gen_deadline_tasks[];
extern const uint32_t hrl_gen_deadline_task_count;
extern uint32_t hrl_gen_deadline_misses[];

/*
 * A deadline of task `number` of hrl_gen_deadline_tasks has passed, and its job has not ended: calls
 * hrl_basic_deadline_hook. It is counted where the application asks for the counts (deadline_misses.c);
 * in other systems these take no memory. Context: an interrupt above all tasks of the table.
 */
void hrli_deadline_missed(uint32_t number);

#endif

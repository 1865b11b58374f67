/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_TABLES_H
#define BENCH_TABLES_H

/*
 * What tasks of `horolog bench tables` do, beside those of bench/dispatch. Nothing here measures: the simulator
 * and the emulator watch where these functions begin and end.
 */

/*
 * The task of the table that is interrupted: mixed code without calls, for more than half of a round of 6,002
 * counts and less than the whole, on each board. The second one divides in every turn. Each job goes on with the
 * numbers of the last, so that points meet it everywhere.
 */
void bench_table_low(void);
void bench_table_dividing(void);

/* Counts, and changes all registers that calls keep: ending such a job puts them back. */
void bench_keeping(void);

/* Figure 6: two short tasks, and one during which their deadlines come. */
void bench_held_first(void);
void bench_held_second(void);
void bench_held_third(void);

#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/* The handler that the source of a clock wants, beside a periodic cell: nothing starts that clock. */
void Clock_Handler(void);
void Clock_Handler(void) {}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of an application, with nothing in it: a described system that has one locks wherever the
 * interrupts of that application might come in between.
 */
typedef int nothing;

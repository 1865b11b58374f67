/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HRL_HOOKS_H
#define HRL_HOOKS_H

#include <hrl/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Functions that the application may define; the kernel brings weak defaults.
 */

/*
 * A release of `thread` fell at `due` while its previous job was unfinished. With policy "skip" that
 * release is dropped, with "queue" its job starts late. Called once for each such release, when the
 * late job ends. Context: that thread, interrupts enabled. Default: nothing (the kernel counts anyhow).
 */
void hrl_overrun_hook(struct hrl_thread *thread, hrl_stamp due);

/*
 * Nothing is to be done: called again and again while no thread is ready, if the application defines it; it may wait
 * for an interrupt by the processor's instruction. Not under QEMU with a periodic timer, which then loses
 * time. Context: the idle thread, interrupts enabled; nothing in it may wait for anything else, and its stack
 * has some 100 bytes. Default: none, the processor spins; costs nothing.
 */
void hrl_idle_hook(void);

/*
 * A promise of the programmer was broken. Must not return. Context: any. Default: prints the reason
 * through the port and halts.
 */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void hrl_assert_hook(const char *reason, const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif

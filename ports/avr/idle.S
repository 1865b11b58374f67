/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The idle loop, the same object in every kernel that is compared. The core sleeps until the next interrupt;
 * startup.S has chosen the mode in which all timers count on.
 */
    .section .text.hrlp_idle, "ax", @progbits
    .global hrlp_idle_loop, hrlp_idle_slept
    .type hrlp_idle_loop, @function
hrlp_idle_loop:
    sleep
hrlp_idle_slept:
    rjmp hrlp_idle_loop
    .size hrlp_idle_loop, . - hrlp_idle_loop

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the RP2350's boot ROM looks for in the first 4 KB of flash (RP2350 Datasheet, 5.9.1 and 5.9.5): a block that says
 * that this is an image for its Arm cores, which they execute as Secure. Its vector table lies at the begin of flash. The
 * RP2040 has rp_boot2.S.
 */
#if !defined(__ARM_ARCH_6M__)
    .section .image_definition, "a", %progbits
    .balign 4
    .word 0xFFFFDED3 /* a block begins */
    .word 0x10210142 /* an item of one word, the type of the image: executable, Secure, Arm, RP2350 */
    .word 0x000001FF /* the last item: there has been one word of them */
    .word 0          /* the next block is this one */
    .word 0xAB123579 /* it ends */
#endif

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "access.h"

#include "machine.h"

enum {
    STORES = 0x0200, /* the bit of a store in all opcodes of loads and stores */
    RET = 0x9508,
    RETI = 0x9518,
    LPM_R0 = 0x95c8,
    ELPM_R0 = 0x95d8,
    /* The low four bits of opcodes 1001 00sd dddd xxxx. */
    DIRECT = 0x0,
    Z_INCREMENT = 0x1,
    Z_DECREMENT = 0x2,
    LPM = 0x4,
    LPM_INCREMENT = 0x5,
    ELPM = 0x6,
    ELPM_INCREMENT = 0x7,
    Y_INCREMENT = 0x9,
    Y_DECREMENT = 0xa,
    X = 0xc,
    X_INCREMENT = 0xd,
    X_DECREMENT = 0xe,
    STACK = 0xf,
};

/* LDD and STD, 10q0 qqsd dddd yqqq, LD and ST of Y and Z among them. */
static bool is_displaced(uint16_t opcode)
{
    return (opcode & 0xd000) == 0x8000;
}

static bool is_plain(uint16_t opcode)
{
    return (opcode & 0xfc00) == 0x9000;
}

static bool is_from_flash(uint16_t opcode)
{
    unsigned low = opcode & 0xfu;

    return opcode == LPM_R0 || opcode == ELPM_R0 ||
           (is_plain(opcode) && (opcode & STORES) == 0 && low >= LPM && low <= ELPM_INCREMENT);
}

static bool is_of_data(unsigned low)
{
    return low <= Z_DECREMENT || low == Y_INCREMENT || low == Y_DECREMENT || low >= X;
}

enum access_kind access_kind_of(uint16_t opcode)
{
    if (opcode == RET || opcode == RETI || is_from_flash(opcode)) {
        return ACCESS_LOAD;
    }
    if (is_displaced(opcode) || (is_plain(opcode) && is_of_data(opcode & 0xfu))) {
        return (opcode & STORES) != 0 ? ACCESS_STORE : ACCESS_LOAD;
    }
    return ACCESS_NONE;
}

static uint32_t flash_address(const avr_t *avr, uint16_t opcode)
{
    const bool is_extended = opcode == ELPM_R0 || (opcode != LPM_R0 && (opcode & 0xfu) >= ELPM);
    const uint32_t high = is_extended && avr->rampz != 0 ? avr->data[avr->rampz] : 0;

    return high << 16 | machine_pair(avr, R_ZL);
}

static uint16_t displaced_address(const avr_t *avr, uint16_t opcode)
{
    const unsigned q = (opcode & 0x2000u) >> 8 | (opcode & 0x0c00u) >> 7 | (opcode & 0x7u);

    return (uint16_t)(machine_pair(avr, (opcode & 0x8u) != 0 ? R_YL : R_ZL) + q);
}

static uint16_t data_address(const avr_t *avr, uint16_t opcode)
{
    switch (opcode & 0xfu) {
    case DIRECT:
        return machine_word(avr, avr->pc + 2);
    case Z_INCREMENT:
        return machine_pair(avr, R_ZL);
    case Z_DECREMENT:
        return (uint16_t)(machine_pair(avr, R_ZL) - 1);
    case Y_INCREMENT:
        return machine_pair(avr, R_YL);
    case Y_DECREMENT:
        return (uint16_t)(machine_pair(avr, R_YL) - 1);
    case X:
    case X_INCREMENT:
        return machine_pair(avr, R_XL);
    case X_DECREMENT:
        return (uint16_t)(machine_pair(avr, R_XL) - 1);
    default: /* PUSH, POP */
        return (uint16_t)(machine_stack(avr) + ((opcode & STORES) != 0 ? 0 : 1));
    }
}

struct access access_of(const avr_t *avr, uint16_t opcode)
{
    struct access access = {access_kind_of(opcode), 0, 0};

    if (is_from_flash(opcode)) {
        access.address = flash_address(avr, opcode);
    } else if (opcode == RET || opcode == RETI) {
        access.address = DATA_BASE + (uint16_t)(machine_stack(avr) + 1);
    } else {
        access.address = DATA_BASE + (is_displaced(opcode) ? displaced_address(avr, opcode)
                                                           : data_address(avr, opcode));
    }
    if (access.kind == ACCESS_STORE) {
        access.value = avr->data[opcode >> 4 & 0x1f];
    }
    return access;
}

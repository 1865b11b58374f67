/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 */
#include "cortex_m_memory.h"
#include "hrlp_cores.h"
#include "hrlp_start_controller.h"
#include "hrlp_upcalls.h"

#if HRL_CORES != 2 /* as what follows is of two */
#error "ports/armv6m/sio is for boards with cores = 2"
#endif

enum { VECTORS = 16 + HRLP_IRQ_LINES };

/* RP2040 Datasheet: 2.13 power-on state machine, 2.8.2 launching code on core 1. */
#define FORCE_OFF (*(volatile uint32_t *)0x40010004u)
#define FORCE_OFF_SET (*(volatile uint32_t *)0x40012004u)
#define FORCE_OFF_CLEAR (*(volatile uint32_t *)0x40013004u)
#define CORE_1 (1u << 16)

/*
 * It has a first value that is not 0, so that the section of such values is never empty: it gives all that is
 * thread-local its alignment (link.ld).
 */
HRLP_PER_CORE uint32_t hrlp_sio_meetings = 1;

int main(void);
_Noreturn void hrl_start(void);
void Reset_Handler(void);
void IRQ15_Handler(void);
void IRQ16_Handler(void);

static uint32_t row_of(unsigned core)
{
    return (uint32_t)(uintptr_t)hrl_link_cores_start +
           core * (uint32_t)(uintptr_t)hrl_link_core_stride;
}

/* The vectors of all cores, by those in flash; the first values of their variables; and free locks. */
static void prepare_cores(void)
{
    extern const uint32_t hrl_link_vectors[];
    extern const uint32_t hrl_link_core_data_start[], hrl_link_core_data_end[];
    extern char hrl_link_core_variables[];

    for (unsigned core = 0; core < HRL_CORES; core++) {
        uint32_t *row = (uint32_t *)(uintptr_t)row_of(core);
        uint32_t *to = row + (uintptr_t)hrl_link_core_variables / sizeof *row;

        for (unsigned i = 0; i < VECTORS; i++) {
            row[i] = hrl_link_vectors[i];
        }
        for (const uint32_t *from = hrl_link_core_data_start; from < hrl_link_core_data_end;) {
            *to++ = *from++;
        }
    }
    for (unsigned lock = 0; lock < HRLP_LOCKS;
         lock++) { /* a core may have had some when it was reset */
        HRLP_SIO_LOCKS[lock] = 0;
    }
}

/*
 * Core 0's, from the second stage of the boot. If a debugger has begun anew, core 1 still goes on with what it did: it
 * is stopped before memory is prepared.
 */
_Noreturn void Reset_Handler(void)
{
    FORCE_OFF_SET = CORE_1;
    while ((FORCE_OFF & CORE_1) == 0) {
    }
    hrlp_cortex_m_prepare_memory();
    prepare_cores();
    *(volatile uint32_t *)0xE000ED08u = row_of(0); /* VTOR */
    __asm__ volatile("dsb" : : : "memory");
    hrlp_cortex_m_prepare();
    (void)main();
    for (;;) {
    }
}

/* Until they are forgotten, errors with the mailbox of a core raise its line. */
static void forget_errors(void)
{
    HRLP_SIO_MAILBOX->state = HRLP_SIO_WRITTEN_OVER | HRLP_SIO_READ_EMPTY;
}

/*
 * Core 1's, from its boot ROM, which has set VTOR and the stack pointer as it was told, and has read the mailbox while
 * it was empty.
 */
static _Noreturn void begin(void)
{
    forget_errors();
    hrlp_cortex_m_prepare();
    hrl_start();
}

static void empty_mailbox(void)
{
    while ((HRLP_SIO_MAILBOX->state & HRLP_SIO_MAIL) != 0) {
        (void)HRLP_SIO_MAILBOX->read;
    }
    __asm__ volatile("sev"); /* the boot ROM sleeps while it has no mail */
}

static uint32_t answer_to(uint32_t word)
{
    if (word == 0) {
        empty_mailbox();
    }
    while ((HRLP_SIO_MAILBOX->state & HRLP_SIO_ROOM) == 0) {
    }
    HRLP_SIO_MAILBOX->write = word;
    __asm__ volatile("sev");
    while ((HRLP_SIO_MAILBOX->state & HRLP_SIO_MAIL) == 0) {
    }
    return HRLP_SIO_MAILBOX->read;
}

/* Core 1 begins with its boot ROM, which repeats what it is told; if it does not, all begins anew. */
void hrlp_cores_start_by_mail(void)
{
    const uint32_t row = row_of(1);
    const uint32_t stack = row + (uint32_t)(uintptr_t)hrl_link_core_stride;
    const uint32_t words[] = {0, 0, 1, row, stack, (uint32_t)(uintptr_t)begin};
    unsigned said = 0;

    FORCE_OFF_CLEAR = CORE_1;
    while (said < sizeof words / sizeof *words) {
        said = answer_to(words[said]) == words[said] ? said + 1u : 0;
    }
    forget_errors();
    hrlp_core_ring(1); /* as it may have been rung before, when the boot ROM took the mail */
}

/*
 * What compilers call for the thread pointer: it may change r0, ip, lr and the flags. Thread-local variables begin as
 * far behind it as their alignment says, 256 bytes (Addenda to the ABI for the Arm Architecture; link.ld asks for it).
 */
__attribute__((naked)) void __aeabi_read_tp(void);
__attribute__((naked)) void __aeabi_read_tp(void)
{
    __asm__ volatile(".syntax unified\n\t"
                     "ldr r0, 1f\n\t"
                     "ldr r0, [r0]\n\t"
                     "bx lr\n\t"
                     ".balign 4\n"
                     "1: .word 0xE000ED08"); /* VTOR */
}

/* Emptied first: what is rung for from then on rings again. */
void IRQ15_Handler(void)
{
    while ((HRLP_SIO_MAILBOX->state & HRLP_SIO_MAIL) != 0) {
        (void)HRLP_SIO_MAILBOX->read;
    }
    forget_errors(); /* a ring that found no room any more */
    __asm__ volatile("dmb" : : : "memory");
    hrli_core_rung();
}

__attribute__((alias("IRQ15_Handler"))) void IRQ16_Handler(void);

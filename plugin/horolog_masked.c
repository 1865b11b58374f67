/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin for Armv7-M that measures, from outside the firmware, for how many instructions the
 * interrupts of the kernel's priority are off: the longest window of each call.
 *
 * It needs no label: it knows the instructions that mask (a write to BASEPRI_MAX, CPSID) and those that end that
 * (a write to BASEPRI or PRIMASK, CPSIE), which nest; and a handler at the kernel's priority masks from its first
 * instruction to its return, found by following calls and returns. A window goes from the instruction
 * after the one that masks to the one that unmasks, included; of a handler it is all of it. Handlers that
 * follow one another without a thread between are windows of their own, as one more urgent than both may come between.
 *
 * The tool reads addresses from the ELF file and hands them over in a text file (the plugin's only argument,
 * config=PATH), one item a line:
 *
 *   out PATH                results
 *   handler ADDRESS         an interrupt handler at the kernel's priority
 *   call ADDRESS            from the instruction there on, windows belong to this call; numbered from 0
 *   idle FROM TO            the idle loop, which masks nothing and is not followed
 *   done ADDRESS            all is done: the results are written: call NUMBER WINDOWS LONGEST AT
 *   end ADDRESS TIMES       the same when the instruction there is executed for so many times, and the emulator ends
 *
 * AT is the address of the instruction that masked, or of the handler. Windows before the first call do not
 * count. It expects one processor, and no thread that masks while it is switched.
 */
#include "horolog_plugin.h"

#include <unistd.h>

enum { CODE_BYTES = 1 << 20, MOST = 64 };

enum kind { OTHER, MASKS, UNMASKS, CALLS, RETURNS };

/* Of the instruction at twice the index. */
static struct {
    uint8_t kind, size, handler;
    uint8_t call; /* 0: none begins here */
} code[CODE_BYTES / 2];

static struct {
    uint64_t windows, longest, at;
} calls[MOST];
static size_t call_count, current; /* 0: before the first */
static uint64_t idle_from, idle_to, done_address, end_address, end_times;
static FILE *out;

static uint32_t previous = 1; /* the address of the instruction before; odd: none */
static unsigned depth;        /* of masking instructions */
static uint64_t masked_for;   /* instructions, of the thread's or handler's window by masking */
static uint32_t masked_at;
static bool in_handler;
static unsigned nested_calls;
static uint64_t handler_for;
static uint32_t handler_at;

static void close_window(uint64_t instructions, uint32_t at)
{
    if (current != 0) {
        calls[current].windows++;
        if (instructions > calls[current].longest) {
            calls[current].longest = instructions;
            calls[current].at = at;
        }
    }
}

static void leave_handler(void)
{
    close_window(handler_for, handler_at);
    in_handler = false;
}

/*
 * What the instruction before has done, now that it is known whether its condition held: a call or return with a false
 * condition goes on behind itself.
 */
static void finish_previous(uint32_t address)
{
    uint32_t before = previous / 2;

    if ((previous & 1u) != 0 || !in_handler || address == previous + code[before].size) {
        return;
    }
    if (code[before].kind == CALLS) {
        nested_calls++;
    } else if (code[before].kind == RETURNS) {
        if (nested_calls == 0) {
            leave_handler();
        } else {
            nested_calls--;
        }
    }
}

static void on_instruction(unsigned vcpu, void *data)
{
    uint32_t address = (uint32_t)(uintptr_t)data;
    uint32_t index = address / 2;

    (void)vcpu;
    finish_previous(address);
    previous = address;
    if (code[index].call != 0) {
        current = code[index].call;
    }
    if (code[index].handler) {
        in_handler = true;
        nested_calls = 0;
        handler_for = 0;
        handler_at = address;
    }
    if (in_handler) {
        handler_for++;
    } else if (depth != 0) {
        masked_for++;
    }
    if (in_handler) {
        return; /* what it masks is masked already */
    }
    if (code[index].kind == MASKS && depth++ == 0) {
        masked_for = 0;
        masked_at = address;
    } else if (code[index].kind == UNMASKS && depth != 0 && --depth == 0) {
        close_window(masked_for, masked_at);
    }
}

static void on_done(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    for (size_t i = 1; i <= call_count; i++) {
        fprintf(out, "call %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i - 1, calls[i].windows,
                calls[i].longest, calls[i].at);
    }
    fprintf(out, "done\n");
    fflush(out);
}

static void on_end(unsigned vcpu, void *data)
{
    if (--end_times == 0) {
        on_done(vcpu, data);
        _exit(0);
    }
}

/* Armv7-M Architecture Reference Manual, A5.2 and A5.3; 32-bit ones as two halfwords. */
static enum kind kind_of(const uint16_t *words, size_t size)
{
    uint16_t first = words[0], second = size == 4 ? words[1] : 0;

    if (size == 2) {
        if (first == 0x4770u || (first & 0xFF00u) == 0xBD00u) { /* bx lr; pop {..., pc} */
            return RETURNS;
        }
        if ((first & 0xFF80u) == 0x4780u) { /* blx register */
            return CALLS;
        }
        return first == 0xB672u ? MASKS : first == 0xB662u ? UNMASKS : OTHER; /* cpsid i, cpsie i */
    }
    if ((first & 0xFFF0u) == 0xF380u && (second & 0xFF00u) == 0x8800u) { /* msr */
        switch (second & 0xFFu) {
        case 0x12u: /* BASEPRI_MAX */
            return MASKS;
        case 0x11u: /* BASEPRI */
        case 0x10u: /* PRIMASK */
            return UNMASKS;
        default:
            return OTHER;
        }
    }
    if ((first & 0xF800u) == 0xF000u && (second & 0xD000u) == 0xD000u) { /* bl */
        return CALLS;
    }
    if ((first == 0xE8BDu && (second & 0x8000u) != 0) ||       /* ldmia sp!, {..., pc} */
        (first == 0xF85Du && (second & 0xFF00u) == 0xFB00u)) { /* ldr pc, [sp], #n */
        return RETURNS;
    }
    return OTHER;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        size_t size = qemu_plugin_insn_size(insn);
        uint16_t words[2] = {0, 0};

        if (address >= CODE_BYTES) {
            continue;
        }
        if (address == done_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_done, CB_NO_REGS, NULL);
        }
        if (address == end_address && end_times != 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_end, CB_NO_REGS, NULL);
        }
        if (address > idle_from && address < idle_to) {
            continue; /* its first instruction says that a handler has returned */
        }
        memcpy(words, qemu_plugin_insn_data(insn), size < sizeof words ? size : sizeof words);
        code[address / 2].kind = (uint8_t)kind_of(words, size);
        code[address / 2].size = (uint8_t)size;
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, CB_NO_REGS,
                                               (void *)(uintptr_t)address);
    }
}

static bool read_line(const char *line)
{
    uint64_t address;

    if (sscanf(line, "handler %" SCNi64, &address) == 1 && address < CODE_BYTES) {
        code[address / 2].handler = 1;
        return true;
    }
    if (call_count + 1 < MOST && sscanf(line, "call %" SCNi64, &address) == 1 &&
        address < CODE_BYTES) {
        code[address / 2].call = (uint8_t)++call_count;
        return true;
    }
    return sscanf(line, "idle %" SCNi64 " %" SCNi64, &idle_from, &idle_to) == 2 ||
           sscanf(line, "end %" SCNi64 " %" SCNi64, &end_address, &end_times) == 2 ||
           sscanf(line, "done %" SCNi64, &done_address) == 1;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_masked", argc, argv, &out, read_line)) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin for Armv7-M that measures, from outside the firmware, how long interrupt handlers are: how
 * often each ran, and the least and the most instructions of one run, from its first instruction to its return.
 *
 * The return is found by following calls and returns. What a handler of higher priority executes while it
 * preempts another counts for the first alone. The tool reads addresses from the ELF file and hands them over in
 * a text file (the plugin's only argument, config=PATH), one item a line:
 *
 *   out PATH                results
 *   handler ADDRESS         an interrupt handler; numbered from 0
 *   idle FROM TO            the idle loop, which is not followed
 *   end ADDRESS TIMES       when the instruction there is executed for so many times, the results are written:
 *                           handler NUMBER RUNS LEAST MOST, and the emulator ends
 *
 * It expects one processor, and that all handlers that preempt one another are named.
 */
#include "horolog_plugin.h"

#include <unistd.h>

enum { CODE_BYTES = 1 << 20, MOST = 64, NESTED = 16 };

enum kind { OTHER, CALLS, RETURNS };

/* Of the instruction at twice the index. */
static struct {
    uint8_t kind, size;
    uint8_t handler; /* number + 1; 0: none begins here */
} code[CODE_BYTES / 2];

static struct {
    uint64_t runs, least, most;
} handlers[MOST];
static size_t handler_count;

static struct {
    size_t handler;
    unsigned calls;
    uint64_t instructions;
} stack[NESTED];
static size_t depth;

static uint64_t idle_from, idle_to, end_address, end_times;
static FILE *out;
static uint32_t previous = 1; /* the address of the instruction before; odd: none */

static void leave(void)
{
    size_t handler = stack[--depth].handler;
    uint64_t length = stack[depth].instructions;

    if (handlers[handler].runs++ == 0 || length < handlers[handler].least) {
        handlers[handler].least = length;
    }
    if (length > handlers[handler].most) {
        handlers[handler].most = length;
    }
}

/* What the instruction before has done: one that went on behind itself has neither called nor returned. */
static void finish_previous(uint32_t address)
{
    uint32_t before = previous / 2;

    if ((previous & 1u) != 0 || depth == 0 || address == previous + code[before].size) {
        return;
    }
    if (code[before].kind == CALLS) {
        stack[depth - 1].calls++;
    } else if (code[before].kind == RETURNS) {
        if (stack[depth - 1].calls == 0) {
            leave();
        } else {
            stack[depth - 1].calls--;
        }
    }
}

static void on_instruction(unsigned vcpu, void *data)
{
    uint32_t address = (uint32_t)(uintptr_t)data;
    uint8_t handler = code[address / 2].handler;

    (void)vcpu;
    finish_previous(address);
    previous = address;
    if (handler != 0 && depth < NESTED) {
        stack[depth].handler = handler - 1u;
        stack[depth].calls = 0;
        stack[depth].instructions = 0;
        depth++;
    }
    if (depth != 0) {
        stack[depth - 1].instructions++;
    }
}

static void on_end(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (--end_times != 0) {
        return;
    }
    for (size_t i = 0; i < handler_count; i++) {
        fprintf(out, "handler %zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i, handlers[i].runs,
                handlers[i].least, handlers[i].most);
    }
    fprintf(out, "done\n");
    fflush(out);
    _exit(0);
}

/* Armv7-M Architecture Reference Manual, A5.2 and A5.3; 32-bit ones as two halfwords. */
static enum kind kind_of(const uint16_t *words, size_t size)
{
    uint16_t first = words[0], second = size == 4 ? words[1] : 0;

    if (size == 2) {
        if (first == 0x4770u || (first & 0xFF00u) == 0xBD00u) { /* bx lr; pop {..., pc} */
            return RETURNS;
        }
        return (first & 0xFF80u) == 0x4780u ? CALLS : OTHER; /* blx register */
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

    if (handler_count < MOST && sscanf(line, "handler %" SCNi64, &address) == 1 &&
        address < CODE_BYTES) {
        code[address / 2].handler = (uint8_t)++handler_count;
        return true;
    }
    return sscanf(line, "idle %" SCNi64 " %" SCNi64, &idle_from, &idle_to) == 2 ||
           sscanf(line, "end %" SCNi64 " %" SCNi64, &end_address, &end_times) == 2;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_handlers", argc, argv, &out, read_line)) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

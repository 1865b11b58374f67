/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that counts the instructions of calls, from outside the firmware: for each case and
 * each kind of call how many there were, the least, the most, and the sum.
 *
 * The tool reads addresses from the ELF file and hands them over in a text file (the plugin's only
 * argument, config=PATH), one item a line:
 *
 *   out PATH         results
 *   call FROM TO     a kind of call, numbered from 0: the instruction at FROM and all until TO are counted
 *   begin ADDRESS    a case begins; cases are numbered from 0 as they come
 *   end ADDRESS      it ends; calls outside of cases do not count
 *   done ADDRESS     all is done: the results are written
 *
 * It expects one processor and calls that do not nest. An instruction that its condition skips counts, as
 * everywhere in Horolog's measurements.
 */
#include "horolog_plugin.h"

enum { KINDS = 8 };

static struct kind {
    uint64_t from, to;
    uint64_t started_at;
    uint64_t calls, least, most, sum; /* of the case that is open */
} kinds[KINDS];
static size_t kind_count;
static uint64_t begin_address, end_address, done_address;
static uint64_t total; /* instructions, counted inline */
static size_t cases;
static bool open;
static FILE *out;

static void on_from(unsigned vcpu, void *data)
{
    struct kind *kind = data;

    (void)vcpu;
    kind->started_at = total;
}

static void on_to(unsigned vcpu, void *data)
{
    struct kind *kind = data;
    uint64_t cost = total - kind->started_at;

    (void)vcpu;
    if (!open) {
        return;
    }
    if (kind->calls == 0 || cost < kind->least) {
        kind->least = cost;
    }
    if (cost > kind->most) {
        kind->most = cost;
    }
    kind->calls++;
    kind->sum += cost;
}

static void on_begin(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    for (size_t i = 0; i < kind_count; i++) {
        kinds[i].calls = kinds[i].least = kinds[i].most = kinds[i].sum = 0;
    }
    open = true;
}

static void on_end(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    for (size_t i = 0; i < kind_count; i++) {
        fprintf(out, "case %zu %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", cases, i,
                kinds[i].calls, kinds[i].least, kinds[i].most, kinds[i].sum);
    }
    cases++;
    open = false;
}

static void on_done(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    fprintf(out, "done\n");
    fflush(out);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);

        for (size_t k = 0; k < kind_count; k++) {
            if (address == kinds[k].from) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_from, CB_NO_REGS, &kinds[k]);
            }
            if (address == kinds[k].to) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, on_to, CB_NO_REGS, &kinds[k]);
            }
        }
        if (address == begin_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_begin, CB_NO_REGS, NULL);
        }
        if (address == end_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_end, CB_NO_REGS, NULL);
        }
        if (address == done_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_done, CB_NO_REGS, NULL);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
    }
}

static bool read_line(const char *line)
{
    if (kind_count < KINDS && sscanf(line, "call %" SCNi64 " %" SCNi64, &kinds[kind_count].from,
                                     &kinds[kind_count].to) == 2) {
        kind_count++;
        return true;
    }
    return sscanf(line, "begin %" SCNi64, &begin_address) == 1 ||
           sscanf(line, "end %" SCNi64, &end_address) == 1 ||
           sscanf(line, "done %" SCNi64, &done_address) == 1;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_calls", argc, argv, &out, read_line)) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

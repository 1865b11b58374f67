/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that counts the instructions of spans between marks, from outside the firmware: how many
 * spans there were, the least, the most, the sum, and the sum of first parts.
 *
 * The tool reads addresses from the ELF file and hands them over in a text file (the plugin's only
 * argument, config=PATH), one item a line:
 *
 *   out PATH         results
 *   start ADDRESS    a span begins before the instruction there; one that was open is forgotten
 *   pause FROM TO    executing any instruction from FROM up to TO, not included, ends the span's first part
 *   resume ADDRESS   its last part begins before the instruction there; an earlier last part is forgotten
 *   stop ADDRESS     it ends before the instruction there; nothing happens if none is open
 *   turn ADDRESS     it ends before the instruction there, and the next one begins: the turns of a loop
 *   done ADDRESS     all is done: the results are written
 *   limit SPANS      after so many spans, too, and the emulator ends: for loops that have no end
 *
 * So what lies between a pause and the last resume before the stop does not count. It expects one processor.
 * An instruction that its condition skips counts, as everywhere in Horolog's measurements.
 */
#include "horolog_plugin.h"
#include <unistd.h>

static uint64_t total; /* instructions, counted inline */
static bool open, counting, divided;
static uint64_t since, first_part;
static uint64_t spans, least, most, sum, sum_of_first_parts;
static uint64_t limit; /* 0: none */
static FILE *out;

static void on_start(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    open = counting = true;
    divided = false;
    first_part = 0;
    since = total;
}

static void on_pause(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (open && counting && !divided) {
        first_part = total - since;
        divided = true;
    }
    counting = false;
}

static void on_resume(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    if (open && divided) {
        counting = true;
        since = total;
    }
}

static void write_results(void)
{
    fprintf(out, "spans %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\ndone\n", spans,
            least, most, sum, sum_of_first_parts);
    fflush(out);
}

static void on_stop(unsigned vcpu, void *data)
{
    uint64_t cost = first_part + total - since;

    (void)vcpu;
    (void)data;
    if (!open || !counting) {
        return;
    }
    open = false;
    if (spans == 0 || cost < least) {
        least = cost;
    }
    if (cost > most) {
        most = cost;
    }
    spans++;
    sum += cost;
    sum_of_first_parts += first_part;
    if (spans == limit) {
        write_results();
        _exit(0);
    }
}

static void on_turn(unsigned vcpu, void *data)
{
    on_stop(vcpu, data);
    on_start(vcpu, data);
}

static void on_done(unsigned vcpu, void *data)
{
    (void)vcpu;
    (void)data;
    write_results();
}

enum { MARKS = 16 };

static const struct event {
    const char *name;
    udata_cb call;
} events[] = {
    {"start", on_start}, {"pause", on_pause}, {"resume", on_resume},
    {"stop", on_stop},   {"turn", on_turn},   {"done", on_done},
};

static struct mark {
    uint64_t from, to;
    udata_cb call;
} marks[MARKS];
static size_t mark_count;

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);

        for (size_t k = 0; k < mark_count; k++) {
            if (address >= marks[k].from && address < marks[k].to) {
                qemu_plugin_register_vcpu_insn_exec_cb(insn, marks[k].call, CB_NO_REGS, NULL);
            }
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
    }
}

static bool read_line(const char *line)
{
    char name[16];
    uint64_t from, to;
    int found;

    if (sscanf(line, "limit %" SCNu64, &limit) == 1) {
        return true;
    }
    found = sscanf(line, "%15s %" SCNi64 " %" SCNi64, name, &from, &to);
    for (size_t i = 0; found >= 2 && i < sizeof events / sizeof events[0]; i++) {
        if (strcmp(name, events[i].name) == 0 && mark_count < MARKS) {
            marks[mark_count++] = (struct mark){from, found == 3 ? to : from + 1, events[i].call};
            return true;
        }
    }
    return false;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_spans", argc, argv, &out, read_line)) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

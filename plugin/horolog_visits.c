/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that logs which code has the processor: when execution comes into watched code, and
 * when it leaves it, in instructions since reset, from outside the firmware.
 *
 * The tool reads addresses from the ELF file and hands them over in a text file (the plugin's only
 * argument, config=PATH), one item a line:
 *
 *   out PATH              the log
 *   watch LOW HIGH OWNER  code from LOW up to HIGH, not included, is OWNER's, a number; several may be one's
 *   limit N               the run ends after so many instructions
 *
 * The log, a line an event, ascending:
 *
 *   T + OWNER PLACE  instruction number T, at address PLACE, is OWNER's, and the one before it was not
 *   T - OWNER PLACE  instruction number T is the last of that visit
 *
 * It expects one processor. An instruction that its condition skips counts, as everywhere in Horolog's
 * measurements.
 */
#include "horolog_plugin.h"

enum { MOST = 256, NO_OWNER = -1 };

static struct watched {
    uint64_t low, high;
    long owner;
} watched[MOST];
static size_t watched_count;

static uint64_t total, limit = UINT64_MAX; /* instructions, counted inline */
static uint64_t last, last_place;          /* the latest instruction of watched code */
static long owner = NO_OWNER;
static FILE *out;

static void leave(void)
{
    if (owner != NO_OWNER) {
        fprintf(out, "%" PRIu64 " - %ld %#" PRIx64 "\n", last, owner, last_place);
    }
}

/* `data` is an instruction's place in `sites`. */
struct site {
    uint64_t address;
    long owner;
};

static void on_watched(unsigned vcpu, void *data)
{
    const struct site *site = data;

    (void)vcpu;
    if (site->owner != owner || total != last + 1) {
        leave();
        owner = site->owner;
        fprintf(out, "%" PRIu64 " + %ld %#" PRIx64 "\n", total, owner, site->address);
    }
    last = total;
    last_place = site->address;
    if (total >= limit) {
        leave();
        fprintf(out, "%" PRIu64 " end\n", total);
        fclose(out);
        fflush(NULL);
        _Exit(0);
    }
}

static struct site *site_of(uint64_t address)
{
    for (size_t i = 0; i < watched_count; i++) {
        if (address >= watched[i].low && address < watched[i].high) {
            struct site *site = malloc(sizeof *site);

            if (site == NULL) {
                abort();
            }
            *site = (struct site){address, watched[i].owner};
            return site;
        }
    }
    return NULL;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct site *site = site_of(qemu_plugin_insn_vaddr(insn));

        if (site != NULL) {
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_watched, CB_NO_REGS, site);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
    }
}

static bool read_line(const char *line)
{
    struct watched one;

    if (sscanf(line, "limit %" SCNu64, &limit) == 1) {
        return true;
    }
    if (sscanf(line, "watch %" SCNi64 " %" SCNi64 " %ld", &one.low, &one.high, &one.owner) == 3 &&
        watched_count < MOST) {
        watched[watched_count++] = one;
        return true;
    }
    return false;
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    if (!read_config("horolog_visits", argc, argv, &out, read_line)) {
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

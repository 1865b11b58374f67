/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A QEMU TCG plugin that logs which code has the processor (watch/visit_log.h), in instructions since
 * reset, from outside the firmware. Its only argument is config=PATH.
 *
 * It expects one processor. An instruction that its condition skips counts, as everywhere in Horolog's
 * measurements.
 */
#include "horolog_plugin.h"
#include "watch/visit_log.h"

static struct visits visits;
static uint64_t total; /* instructions, counted inline */

/* What `data` of a watched instruction is. */
struct site {
    uint64_t address;
    long owner;
};

static void on_watched(unsigned vcpu, void *data)
{
    const struct site *site = data;

    (void)vcpu;
    if (total != visits.last + 1) {
        visits_leave(&visits);
    }
    visits_executed(&visits, site->owner, site->address, total, total);
    if (visits_at_limit(&visits, total)) {
        fflush(NULL);
        _Exit(0);
    }
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t address = qemu_plugin_insn_vaddr(insn);
        long owner = visits_owner_of(&visits, address);

        if (owner != VISITS_NO_OWNER) {
            struct site *site = malloc(sizeof *site);

            if (site == NULL) {
                abort();
            }
            *site = (struct site){address, owner};
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_watched, CB_NO_REGS, site);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(insn, INLINE_ADD_U64, &total, 1);
    }
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    const char *path = config_path("horolog_visits", argc, argv);
    char why[WHY_BYTES];

    (void)info;
    if (path == NULL) {
        return -1;
    }
    if (!visits_begin(&visits, path, why, sizeof why)) {
        fprintf(stderr, "horolog_visits: %s\n", why);
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    return 0;
}

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOROLOG_PLUGIN_H
#define HOROLOG_PLUGIN_H

/*
 * What every plugin here needs: QEMU's interface, and its configuration read. To be included by one source a
 * plugin. Debian ships no qemu-plugin.h, so the few prototypes used stand here (API version 1).
 */
#include "watch/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*tb_trans_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*udata_cb)(unsigned vcpu, void *data);
typedef void (*mem_cb)(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
/* QEMU 7.2 takes loads for stores and the reverse when asked for one of them only: ask for both. */
enum { WHY_BYTES = 16384 };
enum { CB_NO_REGS = 0, INLINE_ADD_U64 = 0, MEM_ANY = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_cb cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, udata_cb cb, int flags,
                                            void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op,
                                                void *counter, uint64_t value);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, mem_cb cb, int flags, int rw,
                                      void *data);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

/* PATH of config=PATH, the only argument; NULL, and says why in the name of `plugin`, if there is none. */
static inline const char *config_path(const char *plugin, int argc, char **argv)
{
    if (argc != 1 || strncmp(argv[0], "config=", 7) != 0) {
        fprintf(stderr, "%s: expected one argument, config=PATH\n", plugin);
        return NULL;
    }
    return argv[0] + 7;
}

struct plugin_config {
    FILE **out;
    bool (*read_line)(const char *line);
};

static inline bool read_config_line(void *context, const char *line)
{
    const struct plugin_config *config = context;
    const char *path = watch_behind(line, "out", NULL, 0);

    if (path != NULL) {
        *config->out = fopen(path, "w");
        return *config->out != NULL;
    }
    return config->read_line(line);
}

/*
 * Reads the file that config=PATH names: opens `*out` by its line `out PATH`, and hands all others to `read_line`,
 * which says whether it can use it. Returns false, and says why in the name of `plugin`, if anything is wrong.
 */
static inline bool read_config(const char *plugin, int argc, char **argv, FILE **out,
                               bool (*read_line)(const char *line))
{
    struct plugin_config config = {out, read_line};
    const char *path = config_path(plugin, argc, argv);
    char why[WHY_BYTES];

    if (path == NULL) {
        return false;
    }
    if (!watch_read_lines(path, read_config_line, &config, why, sizeof why)) {
        fprintf(stderr, "%s: %s\n", plugin, why);
        return false;
    }
    if (*out == NULL) {
        fprintf(stderr, "%s: no output\n", plugin);
    }
    return *out != NULL;
}

#endif

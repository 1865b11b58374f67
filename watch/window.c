/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#include "watch/window.h"

/* Whether the releaser of the cell that raises interrupt `index` is still to serve instants of the window. */
static bool awaits(const struct watch *watch, size_t index)
{
    for (size_t i = 0; i < watch->releaser_count; i++) {
        const struct watch_releaser *one = &watch->releasers[i];

        if (one->interrupt == index && (one->served < one->instants || one->entering)) {
            return true;
        }
    }
    return false;
}

bool watch_window_enter(struct watch *watch, size_t index)
{
    struct watch_interrupt *interrupt = &watch->interrupts[index];

    interrupt->fresh = watch_now_ns(watch) < interrupt->cut_ns || awaits(watch, index);
    interrupt->taken += interrupt->fresh ? 1 : 0;
    for (size_t i = 0; i < watch->releaser_count; i++) {
        struct watch_releaser *one = &watch->releasers[i];

        one->entering = one->entering && one->interrupt != index;
    }
    return interrupt->fresh;
}

/* What is not served soon never is. */
bool watch_all_served(const struct watch *watch, uint64_t now)
{
    for (size_t i = 0; i < watch->interrupt_count && now < watch->late_ns; i++) {
        if (watch->releaser_count == 0 || awaits(watch, i)) {
            return false;
        }
    }
    return true;
}

static void serve(struct watch *watch, struct watch_releaser *releaser)
{
    struct watch_interrupt *by = &watch->interrupts[releaser->interrupt];
    bool early = watch->open && watch_now_ns(watch) < by->cut_ns;

    releaser->served += releaser->served < releaser->instants || by->fresh || early ? 1 : 0;
    by->fresh = false;
}

/* The first one comes before the entry that opens the window. */
void watch_announce(struct watch *watch, size_t releaser)
{
    struct watch_releaser *one = &watch->releasers[releaser];

    one->entering = one->served < one->instants;
    serve(watch, one);
}

/* A word of a releaser's table is loaded, `offset` bytes from its begin. */
static void load_row(struct watch *watch, struct watch_releaser *releaser, uint64_t offset)
{
    uint64_t row = offset / releaser->row_bytes;
    bool is_first = offset % releaser->row_bytes == 0;

    if (releaser->ahead) {
        if (is_first) {
            if (row == releaser->row + 1) {
                serve(watch, releaser);
            }
            releaser->row = row;
        }
    } else if (row != releaser->row) {
        releaser->row = WATCH_NO_ROW;
        if (is_first && row != releaser->rows) {
            releaser->row = row;
            serve(watch, releaser);
        }
    }
}

/* A row of `releaser` is served, perhaps the first of a round: then the word at `begins` is another one. */
static void note_round(struct watch *watch, struct watch_releaser *releaser, uint64_t row)
{
    struct watch_round *round;
    uint32_t begin;

    if (watch->read_word == NULL ||
        !watch->read_word(watch->word_context, releaser->begins, &begin)) {
        watch->unread_rounds++;
        return;
    }
    if (watch->round_count > 0 && watch->rounds[watch->round_count - 1].begin == begin) {
        return;
    }
    round = WATCH_ADD(struct watch_round, watch->rounds, watch->round_count);
    round->row = row;
    round->begin = begin;
    round->ns = watch_now_ns(watch);
    releaser->row = WATCH_NO_ROW; /* the only row of a table follows itself */
}

void watch_load(struct watch *watch, uint64_t address)
{
    for (size_t i = 0; i < watch->releaser_count && watch->open; i++) {
        struct watch_releaser *one = &watch->releasers[i];

        if (one->rows != 0 && address - one->address < (one->rows + 1) * one->row_bytes) {
            if (one->begins != WATCH_NOWHERE) {
                note_round(watch, one, (address - one->address) / one->row_bytes);
            }
            load_row(watch, one, address - one->address);
        }
    }
}

void watch_window_store(struct watch *watch, uint64_t address)
{
    for (size_t i = 0; i < watch->releaser_count; i++) {
        struct watch_releaser *one = &watch->releasers[i];

        if (one->rows == 0 && address == one->address) {
            serve(watch, one);
        }
    }
}

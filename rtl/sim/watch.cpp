// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "watch.hpp"

#include <stdexcept>

Watch::Watch(const std::string &path)
{
    std::string why(2 * WATCH_PATH_BYTES, '\0');

    if (!watch_configure(&core, path.c_str(), read_line, this, why.data(), why.size())) {
        throw std::runtime_error(why.c_str());
    }
    if (core.function_count >= UINT16_MAX) {
        throw std::runtime_error(path + ": too many functions");
    }
    core.counts_instructions = true;
    core.read_word = read_word;
    core.word_context = this;
    for (size_t i = 0; i < core.releaser_count; i++) {
        begins.push_back({core.releasers[i].begins});
    }
    function = &core.functions[core.function_count];
    function_at.resize(RAM_BYTES / 2);
    for (size_t i = 0; i < function_at.size(); i++) {
        function_at[i] = static_cast<uint16_t>(watch_function_at(&core, RAM_BASE + 2 * i) - core.functions);
    }
    site_at.resize(RAM_BYTES / 2);
    for (size_t i = 0; i < core.site_count; i++) {
        const uint64_t offset = core.sites[i].address - RAM_BASE;
        if (offset < RAM_BYTES) {
            site_at[offset / 2] = true;
        }
    }
}

bool Watch::read_line(void *self, const char *line)
{
    return static_cast<Watch *>(self)->read_own_line(line);
}

bool Watch::read_word(void *self, uint64_t address, uint32_t *word)
{
    for (const Word &one : static_cast<Watch *>(self)->begins) {
        if (one.address == address) {
            *word = one.value;
            return true;
        }
    }
    return false;
}

bool Watch::read_own_line(const char *line)
{
    uint64_t n[3];

    if (watch_is_line(line, "fires", n, 3)) {
        firing.push_back({n[0], core.releaser_count});
        return n[0] < 256 && watch_add_releaser(&core, n[1], n[2]);
    }
    if (watch_is_line(line, "set", n, 3)) {
        set_bits.push_back({n[0], n[1], n[2]});
        return n[1] < 32;
    }
    if (watch_is_line(line, "raise", n, 2)) {
        raised.push_back({n[0], n[1]});
        return n[0] < 32;
    }
    if (watch_is_line(line, "expiry", n, 2)) {
        expiries.push_back({n[0], n[1]});
        return n[0] < 256;
    }
    if (watch_is_line(line, "leader", n, 1)) {
        follows = static_cast<unsigned>(n[0]);
        return n[0] < 32;
    }
    return watch_is_line(line, "bits", n, 2) || watch_is_line(line, "parts", n, 1) ||
           watch_is_line(line, "part", n, 2);
}

void Watch::follow(Watch &leader)
{
    first = &leader;
    watch_follow(&core, &leader.core);
}

void Watch::end()
{
    if (!core.over) {
        core.total++; // the cycle that was taken in last
        finish("done");
    }
}

bool Watch::finish(const char *status)
{
    charge(function, bubbles);
    watch_finish(&core, status);
    return true;
}

void Watch::charge(watch_function *to, uint64_t cycles)
{
    watch_charge(&core, to, cycles, returning);
}

bool Watch::step(const Cycle &cycle)
{
    core.total = cycle.number;
    if (first != nullptr && first->opened() && !core.open) {
        watch_open(&core);
        bubbles = 0; // those were before it
    }
    if (core.requests != nullptr) {
        log_expiries(cycle);
    }
    on_expiries(cycle.fire);
    if (cycle.begins) {
        begin_instruction(cycle.pc);
    }
    const bool idles = function->kind == 'i' && (cycle.begins || cycle.asleep);
    ends = idles && watch_is_done(&core);
    if (!core.over && ends && !core.shares) {
        finish("done");
    }
    const char *too_long = watch_too_long(&core);
    if (!core.over && too_long != nullptr) {
        finish(too_long);
    }
    if (core.over) {
        if (core.unwritten) {
            throw std::runtime_error(std::string(core.out_path) + ": cannot be written");
        }
        return true;
    }
    on_raised(cycle.raised);
    if (cycle.access && cycle.instruction) {
        on_access(cycle);
    }
    if (cycle.instruction || cycle.asleep) {
        charge(function, 1);
    } else {
        bubbles++;
    }
    if (cycle.ends) {
        end_instruction();
    }
    return false;
}

void Watch::on_expiries(const uint32_t *fire)
{
    const auto expires = [fire](uint64_t cell) { return (fire[cell / 32] >> cell % 32 & 1) != 0; };

    for (const Numbered &one : firing) {
        if (expires(one.number)) {
            watch_announce(&core, one.index);
        }
    }
    for (const Numbered &one : expiries) {
        if (expires(one.number)) {
            watch_release(&core, one.index);
        }
    }
}

void Watch::log_expiries(const Cycle &cycle)
{
    for (unsigned word = 0; word < cycle.cells / 32; word++) {
        for (uint32_t left = cycle.fire[word]; left != 0; left &= left - 1) {
            const unsigned cell = 32 * word + static_cast<unsigned>(__builtin_ctz(left));
            watch_request(&core, cycle.number + 1, cell, uint32_t{cycle.time + 1});
        }
    }
}

void Watch::begin_instruction(uint32_t pc)
{
    const uint32_t offset = (pc - RAM_BASE) % RAM_BYTES / 2;
    watch_function *next = &core.functions[function_at[offset]];

    charge(next == function || function->kind == 'k' || next->kind != 'k' ? function : next, bubbles);
    bubbles = 0;
    function = next;
    returning = returning && function->kind != 'k';
    if (!site_at[offset]) {
        return;
    }
    size_t count;
    const watch_site *site = watch_sites_at(&core, pc, &count);
    for (; count > 0; count--, site++) {
        watch_reach(&core, site);
        returning = returning || site->event == WATCH_JOB_END;
    }
}

void Watch::end_instruction()
{
    watch_count_instructions(&core, function, 1);
}

void Watch::on_access(const Cycle &cycle)
{
    const bool by_kernel = function->kind == 'k';

    if (cycle.store) {
        if (by_kernel) {
            on_kernel_store(cycle.address, cycle.data);
        }
        on_any_store(cycle.address, cycle.data);
        return;
    }
    if (cycle.pc >= core.switch_low && cycle.pc < core.switch_high) {
        watch_switch_load(&core, cycle.address);
    }
    if (by_kernel) {
        watch_load(&core, cycle.address);
    }
}

void Watch::on_kernel_store(uint32_t address, uint32_t data)
{
    uint64_t level;

    if (watch_is_waiting_word(&core, address, &level)) {
        watch_wait(&core, level, data);
    } else {
        watch_store(&core, address);
    }
}

void Watch::on_any_store(uint32_t address, uint32_t data)
{
    for (Word &one : begins) {
        if (one.address == address) {
            one.value = data;
        }
    }
    for (SetBit &one : set_bits) {
        if (one.address == address) {
            const bool value = (data >> one.bit & 1) != 0;
            if (value && !one.value) {
                watch_release(&core, one.task);
            }
            one.value = value;
        }
    }
    on_raised(address == CONTROLLER_RAISE ? data : 0);
}

void Watch::on_raised(uint32_t sources)
{
    for (const Numbered &one : raised) {
        if ((sources >> one.number & 1) != 0) {
            watch_release(&core, one.index);
        }
    }
}

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "watch.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <stdexcept>

Watch::Watch(const std::string &path)
{
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error(path + ": cannot be read");
    }
    for (std::string line; std::getline(file, line);) {
        if (!read_line(line.c_str())) {
            throw std::runtime_error(path + ": cannot use this line: " + line);
        }
    }
    prepare();
}

Watch::~Watch()
{
    if (trace != nullptr) {
        std::fclose(trace);
    }
}

// What is left to do when all lines are read.
void Watch::prepare()
{
    functions.push_back({0, 0, 'k'});
    stacks.push_back({0, 0, {}, NO_TASK});
    stack = stacks.size() - 1;
    function = functions.size() - 1;
    window.check();
    waits.resize(waiting_levels);
    for (const Masked &one : masked) {
        if (one.level >= waiting_levels || one.bit >= 32) {
            throw std::runtime_error("a masked task's level or bit is out of range");
        }
        waits[one.level] |= 1u << one.bit; // no thread has run when the window opens
    }

    function_at.assign(RAM_BYTES / 2, static_cast<uint16_t>(functions.size() - 1));
    site_at.assign(RAM_BYTES / 2, false);
    for (size_t i = 0; i + 1 < functions.size(); i++) {
        for (uint64_t at = functions[i].low; at < functions[i].high; at += 2) {
            if (at - RAM_BASE < RAM_BYTES) {
                function_at[(at - RAM_BASE) / 2] = static_cast<uint16_t>(i);
            }
        }
    }
    auto note = [this](uint64_t address) {
        if (address - RAM_BASE < RAM_BYTES) {
            site_at[(address - RAM_BASE) / 2] = true;
        }
    };
    for (const Window::Interrupt &one : window.all_interrupts()) {
        note(one.address);
    }
    note(leave_address);
    for (const Job &job : jobs) {
        note(job.start);
        note(job.end);
    }
}

bool Watch::read_line(const char *line)
{
    char word[4096];
    uint64_t a, b, c, d;

    if (std::sscanf(line, "ns_per_instruction %" SCNu64, &ns_per_cycle) == 1 ||
        std::sscanf(line, "limit_ns %" SCNu64, &limit_ns) == 1 ||
        std::sscanf(line, "start_ns %" SCNu64, &start_ns) == 1 ||
        std::sscanf(line, "open_nth %" SCNu64, &open_nth) == 1) {
        return true;
    }
    if (std::sscanf(line, "out %4095[^\n]", word) == 1) {
        out_path = word;
        return true;
    }
    if (std::sscanf(line, "trace %4095[^\n]", word) == 1) {
        trace = std::fopen(word, "w");
        return trace != nullptr;
    }
    if (std::sscanf(line, "function %" SCNi64 " %" SCNi64 " %4095s", &a, &b, word) == 3) {
        functions.push_back({a, b, word[0]});
        return functions.size() < UINT16_MAX;
    }
    if (std::sscanf(line, "job %" SCNi64 " %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c, &d) ==
        4) {
        size_t on = NO_STACK;
        if (d != 0) {
            for (on = 0; on < stacks.size() && stacks[on].low != c; on++) {
            }
            if (on == stacks.size()) {
                stacks.push_back({c, d, {}, jobs.size()});
            } else {
                stacks[on].owner = NO_TASK;
            }
        }
        jobs.push_back({a, b, on});
        return true;
    }
    if (std::sscanf(line, "server %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        stacks.push_back({a, b, {}, NO_TASK});
        return a < b;
    }
    if (std::sscanf(line, "leave %" SCNi64, &leave_address) == 1 ||
        std::sscanf(line, "switch %" SCNi64 " %" SCNi64, &switch_low, &switch_high) == 2) {
        return true;
    }
    if (std::sscanf(line, "threads %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c) == 3) {
        threads_base = a;
        threads_stride = b;
        threads_count = c;
        return b > 0;
    }
    if (std::sscanf(line, "thread %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        thread_tasks.push_back(b);
        return a + 1 == thread_tasks.size() && b < jobs.size();
    }
    if (std::sscanf(line, "waiting %" SCNi64 " %" SCNi64, &waiting_base, &waiting_levels) == 2 ||
        std::sscanf(line, "bits %" SCNi64 " %" SCNi64, &a, &b) == 2 ||
        std::sscanf(line, "parts %" SCNi64, &a) == 1 ||
        std::sscanf(line, "part %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        return true;
    }
    if (std::sscanf(line, "masked %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c) == 3) {
        masked.push_back({a, b, c});
        return true;
    }
    if (std::sscanf(line, "set %" SCNi64 " %" SCNi64 " %" SCNi64, &a, &b, &c) == 3) {
        set_bits.push_back({a, b, c});
        return b < 32;
    }
    if (std::sscanf(line, "raise %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        raised.push_back({a, b});
        return a < 32;
    }
    if (std::sscanf(line, "expiry %" SCNi64 " %" SCNi64, &a, &b) == 2) {
        expiries.push_back({a, b});
        return a < 256;
    }
    return window.read_line(line);
}

uint64_t Watch::now_ns() const
{
    return (cycle_number - opened_at) * ns_per_cycle;
}

void Watch::event(char kind, size_t index)
{
    if (trace == nullptr) {
        return;
    }
    if (interrupted && kind != 'R') {
        const uint64_t took = kernel_cycles - kernel_at_entry;
        std::fprintf(trace, "%" PRIu64 " K %" PRIu64 "\n", now_ns(), took);
        interrupted = false;
    }
    std::fprintf(trace, "%" PRIu64 " %c %zu\n", now_ns(), kind, index);
}

void Watch::finish(const char *status)
{
    over = true;
    charge(function, bubbles);
    bubbles = 0;
    settle();
    FILE *out = std::fopen(out_path.c_str(), "w");
    if (out == nullptr) {
        throw std::runtime_error(out_path + ": cannot be written");
    }
    if (open_jobs > 0) {
        library_in_bodies += library_cycles - library_at_first;
    }
    std::fprintf(out, "status %s\nwindow_ns %" PRIu64 "\ntotal %" PRIu64 "\nreleases %" PRIu64 "\n",
                 status, open ? now_ns() : 0, open ? cycle_number - opened_at : 0, releases);
    std::fprintf(out, "library_in_bodies %" PRIu64 "\n", library_in_bodies);
    for (size_t i = 0; i < window.all_interrupts().size(); i++) {
        std::fprintf(out, "taken %zu %" PRIu64 "\n", i, window.all_interrupts()[i].taken);
    }
    for (size_t i = 0; i < window.all_releasers().size(); i++) {
        std::fprintf(out, "served %zu %" PRIu64 "\n", i, window.all_releasers()[i].served);
    }
    for (size_t i = 0; i + 1 < functions.size(); i++) {
        std::fprintf(out, "function %zu %" PRIu64 "\n", i, functions[i].cycles);
    }
    for (size_t i = 0; i + 1 < functions.size(); i++) {
        std::fprintf(out, "instructions %zu %" PRIu64 "\n", i, functions[i].instructions);
    }
    std::fprintf(out, "elsewhere %" PRIu64 "\n", functions.back().cycles);
    std::fprintf(out, "body_instructions %" PRIu64 "\n", body_instructions);
    for (size_t i = 0; i < jobs.size(); i++) {
        std::fprintf(out, "longest %zu %" PRIu64 "\n", i, jobs[i].longest);
    }
    for (size_t i = 0; i < jobs.size(); i++) {
        if (jobs[i].open) {
            std::fprintf(out, "open_job %zu %" PRIu64 "\n", i, jobs[i].executed);
        }
    }
    std::fclose(out);
    if (trace != nullptr) {
        std::fclose(trace);
        trace = nullptr;
    }
}

void Watch::open_window()
{
    open = true;
    opened_at = cycle_number;
    library_in_bodies = 0;
    body_instructions = 0;
    for (Function &one : functions) {
        one.cycles = one.instructions = 0;
    }
}

void Watch::charge(size_t to, uint64_t cycles)
{
    Function &one = functions[to];
    one.cycles += cycles;
    if (one.kind == 'k') {
        kernel_cycles += cycles;
    }
    if (one.kind == 'b' || one.kind == 'l') {
        body_cycles += cycles;
    }
    if (one.kind == 'l') {
        library_cycles += cycles;
    }
}

size_t Watch::running() const
{
    return stacks[stack].jobs.empty() ? NO_TASK : stacks[stack].jobs.back();
}

// What bodies executed so far goes to the job that runs.
void Watch::settle()
{
    const size_t task = running();
    if (task != NO_TASK && !returning) {
        jobs[task].executed += body_cycles - charged;
    }
    charged = body_cycles;
    returning = false;
}

bool Watch::step(const Cycle &cycle)
{
    cycle_number = cycle.number;
    window.expire(cycle.fire, open ? now_ns() : Window::BEFORE);
    for (const Release &one : expiries) {
        if (open && (cycle.fire[one.number / 32] >> one.number % 32 & 1) != 0) {
            release(one.task);
        }
    }
    if (cycle.begins) {
        begin_instruction(cycle.pc);
    }
    const bool idles = functions[function].kind == 'i' && (cycle.begins || cycle.asleep);
    if (!over && open && idles && window.is_over(now_ns())) {
        finish("done");
    }
    if (!over && (open ? now_ns() > limit_ns : cycle_number * ns_per_cycle > start_ns)) {
        finish(open ? "busy" : "silent");
    }
    if (over) {
        return true;
    }
    if (cycle.access && cycle.instruction) {
        on_access(cycle);
    }
    if (cycle.instruction || cycle.asleep) {
        charge(function, 1);
    } else {
        bubbles++;
    }
    if (cycle.ends) {
        functions[function].instructions++;
        if (functions[function].kind == 'b' || (functions[function].kind == 'l' && open_jobs > 0)) {
            body_instructions++;
        }
    }
    return false;
}

void Watch::begin_instruction(uint32_t pc)
{
    const uint32_t offset = (pc - RAM_BASE) % RAM_BYTES / 2;
    const size_t next = function_at[offset];

    if (next == function || functions[function].kind == 'k' || functions[next].kind != 'k') {
        charge(function, bubbles);
    } else {
        charge(next, bubbles);
    }
    bubbles = 0;
    function = next;
    if (returning && functions[next].kind == 'k') {
        settle();
    }
    if (!site_at[offset]) {
        return;
    }
    for (size_t i = 0; i < window.all_interrupts().size(); i++) {
        if (pc == window.all_interrupts()[i].address) {
            on_interrupt(i);
        }
    }
    const size_t task = running();
    if (pc == leave_address && task != NO_TASK && jobs[task].stack == NO_STACK) {
        on_job_end(task);
    }
    for (size_t i = 0; i < jobs.size() && functions[function].kind == 'b' && !over; i++) {
        if (pc == jobs[i].start) {
            on_job_start(i);
        }
        if (pc == jobs[i].end && !over) {
            on_job_end(i);
        }
    }
}

void Watch::on_interrupt(size_t index)
{
    if (!open) {
        if (++entries_seen < open_nth) {
            return;
        }
        open_window();
    }
    if (window.enter(index, now_ns())) {
        event('I', index);
        interrupted = open_jobs > 0;
        kernel_at_entry = kernel_cycles;
    }
}

void Watch::on_job_start(size_t task)
{
    settle();
    if (jobs[task].open) {
        finish("nesting");
        return;
    }
    if (open_jobs++ == 0) {
        library_at_first = library_cycles;
    }
    if (jobs[task].stack != NO_STACK) {
        stack = jobs[task].stack; // its switch may not be known
    }
    stacks[stack].jobs.push_back(task);
    jobs[task].open = true;
    jobs[task].executed = 0;
    if (open) {
        event('S', task);
    }
}

void Watch::on_job_end(size_t task)
{
    settle();
    if (running() != task) {
        finish("nesting");
        return;
    }
    stacks[stack].jobs.pop_back();
    returning = true; // until the kernel goes on, what is executed is still the ended job's
    jobs[task].open = false;
    jobs[task].longest = std::max(jobs[task].longest, jobs[task].executed);
    if (--open_jobs == 0) {
        library_in_bodies += library_cycles - library_at_first;
    }
    if (open) {
        event('E', task);
    }
}

void Watch::on_access(const Cycle &cycle)
{
    if (!cycle.store) {
        if (cycle.pc >= switch_low && cycle.pc < switch_high) {
            on_switch_load(cycle.address);
        }
        if (open && functions[function].kind == 'k') {
            window.load(cycle.address, now_ns());
        }
        return;
    }
    if (functions[function].kind == 'k') {
        on_kernel_store(cycle.address, cycle.data);
    }
    on_set_store(cycle.address, cycle.data);
}

void Watch::on_switch_load(uint32_t address)
{
    if (address >= stacks[stack].low && address < stacks[stack].high) {
        return;
    }
    for (size_t i = 0; i + 1 < stacks.size(); i++) {
        if (address >= stacks[i].low && address < stacks[i].high) {
            settle();
            stack = i;
            const size_t task = stacks[i].owner != NO_TASK ? stacks[i].owner : running();
            if (open && task != NO_TASK) {
                event('D', task);
            }
            return;
        }
    }
}

void Watch::on_kernel_store(uint32_t address, uint32_t data)
{
    if (address - waiting_base < waiting_levels * 4) {
        on_waiting_store((address - waiting_base) / 4, data);
        return;
    }
    if (!open) {
        return;
    }
    const uint64_t offset = address - threads_base;
    if (offset < threads_stride * threads_count && offset % threads_stride == 0) {
        release_thread(offset / threads_stride);
        return;
    }
    window.store(address, now_ns());
}

// The highest bits first, as that is the order in which they run.
void Watch::on_waiting_store(size_t level, uint32_t data)
{
    const uint32_t released = waits[level] & ~data;

    waits[level] = data;
    for (int bit = 31; open && bit >= 0; bit--) {
        for (size_t i = 0; i < masked.size() && (released >> bit & 1u) != 0; i++) {
            if (masked[i].level == level && masked[i].bit == static_cast<uint64_t>(bit)) {
                release_thread(masked[i].task);
            }
        }
    }
}

void Watch::on_set_store(uint32_t address, uint32_t data)
{
    for (SetBit &one : set_bits) {
        if (one.address == address) {
            const bool value = (data >> one.bit & 1) != 0;
            if (open && value && !one.value) {
                release(one.task);
            }
            one.value = value;
        }
    }
    for (const Release &one : raised) {
        if (open && address == CONTROLLER_RAISE && (data >> one.number & 1) != 0) {
            release(one.task);
        }
    }
}

void Watch::release_thread(size_t thread)
{
    release(thread < thread_tasks.size() ? thread_tasks[thread] : thread);
}

void Watch::release(size_t task)
{
    releases++;
    event('R', task);
}

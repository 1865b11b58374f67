// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Measures a firmware from outside, as plugin/horolog_probe.c does in QEMU: it reads the same file of what to
// watch and writes the same counts and the same trace. The differences:
//
//  - What is counted are cycles, and ns_per_instruction is how long a cycle lasts. A cycle is charged to the function
//    that has an instruction in the decode and execute stage. Where there is none (a bubble), it is charged to the
//    function before and after it; if they differ, to the kernel if one of them is the kernel's, or else to the one
//    before. A cycle asleep is charged to the code that waits.
//  - `instructions INDEX N` says for each function how many instructions were executed in the window, and
//    `body_instructions N` how many of bodies, libraries that they call included.
//  - A job with the stack 0 0 (a basic task's) nests on the stack of the code that runs: at its end what it preempted
//    goes on. Several jobs may have one stack, and on a server's stack, too, a job goes on that was begun on it last
//    and has not ended.
//  - Released by masks is what stores clear in the words of `waiting`: here they can be seen, so `bits`, `parts`
//    and `part` are not needed.
//  - `fires CELL INTERRUPT N` is a releaser that leaves no mark, as its cell's interrupt is the task: each expiry
//    of the cell is an instant that it serves.
//  - Three more kinds of lines, for tasks that hardware releases:
//      set ADDRESS BIT TASK    a store that sets this bit of the word at ADDRESS releases the task
//      raise BIT TASK          a store of this bit to the controller's RAISE releases the task
//      expiry CELL TASK        each expiry of the cell releases the task
#pragma once

#include "cycle.hpp"
#include "window.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

class Watch
{
  public:
    // Throws std::runtime_error, which names the line, if the file cannot be used.
    explicit Watch(const std::string &path);
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    // Takes one cycle in; returns whether the watch is over and its results are written.
    bool step(const Cycle &cycle);

  private:
    struct Function {
        uint64_t low, high;
        char kind; // k(ernel), b(ody), i(dle), l(ibrary)
        uint64_t cycles = 0, instructions = 0;
    };
    struct Job {
        uint64_t start, end;
        size_t stack; // which of `stacks`; NO_STACK: that of the running code
        uint64_t executed = 0, longest = 0;
        bool open = false;
    };
    struct Stack {
        uint64_t low, high;
        std::vector<size_t> jobs; // begun on it, the innermost last
        size_t owner;             // the only task with this stack, or NO_TASK
    };
    struct Masked {
        uint64_t task, level, bit;
    };
    struct SetBit {
        uint64_t address, bit, task;
        bool value = false;
    };
    struct Release {
        uint64_t number, task; // of a bit of RAISE, or a cell
    };

    static constexpr size_t NO_STACK = SIZE_MAX, NO_TASK = SIZE_MAX;

    bool read_line(const char *line);
    void prepare();
    uint64_t now_ns() const;
    void event(char kind, size_t index);
    void finish(const char *status);
    void open_window();

    void charge(size_t function, uint64_t cycles);
    void begin_instruction(uint32_t pc);
    void on_interrupt(size_t index);
    void on_job_start(size_t task);
    void on_job_end(size_t task);
    void on_access(const Cycle &cycle);
    void on_switch_load(uint32_t address);
    void on_kernel_store(uint32_t address, uint32_t data);
    void on_waiting_store(size_t level, uint32_t data);
    void on_set_store(uint32_t address, uint32_t data);
    void release_thread(size_t thread);
    void release(size_t task);
    void settle();
    size_t running() const;

    std::vector<Function> functions; // the last one is all that is elsewhere
    Window window;
    std::vector<Job> jobs;
    std::vector<Stack> stacks; // the last one is that of the code that runs first
    std::vector<Masked> masked;
    std::vector<SetBit> set_bits;
    std::vector<Release> raised, expiries;
    std::vector<size_t> thread_tasks; // the tasks of the first threads
    std::vector<uint32_t> waits;      // for each level, the waiting threads as bits
    uint64_t switch_low = 0, switch_high = 0, leave_address = 0;
    uint64_t threads_base = 0, threads_stride = 1, threads_count = 0;
    uint64_t waiting_base = 0, waiting_levels = 0;
    uint64_t ns_per_cycle = 0, limit_ns = 0, start_ns = 0, open_nth = 1;
    std::string out_path;
    FILE *trace = nullptr;

    std::vector<uint16_t> function_at; // for each halfword of the memory
    std::vector<bool> site_at;         // whether an interrupt or a job begins, or a job ends there

    uint64_t cycle_number = 0, opened_at = 0, entries_seen = 0;
    uint64_t releases = 0;
    bool open = false, over = false;
    size_t function = 0;  // of the last instruction
    uint64_t bubbles = 0; // cycles since then without one
    size_t stack = 0;     // on which the processor works
    size_t open_jobs = 0;
    bool returning = false;                // from the body of a job that has ended
    uint64_t body_cycles = 0, charged = 0; // all of bodies; when the running job last got some
    uint64_t library_cycles = 0, library_in_bodies = 0, library_at_first = 0;
    uint64_t body_instructions = 0;
    uint64_t kernel_cycles = 0, kernel_at_entry = 0; // all; and when the last interrupt entered,
    bool interrupted = false;                        // which found a job open, no event since
};

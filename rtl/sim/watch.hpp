// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Measures a firmware from outside: the front end of watch/, which counts cycles. watch/watch.h describes what it
// reads and writes.
//
//  - ns_per_instruction is how long a cycle lasts. A cycle is charged to the function that has an instruction in the
//    decode and execute stage. Where there is none (a bubble), it is charged to the function before and after it; if
//    they differ, to the kernel if one of them is the kernel's, or else to the one before. A cycle asleep is charged
//    to the code that waits.
//  - Released by masks is what stores clear in the words of `waiting`: here they can be seen, so `bits`, `parts`
//    and `part`, which the front end of QEMU needs, are not.
//  - `fires CELL INTERRUPT N` is a releaser that leaves no mark, as its cell's interrupt is the task: each expiry
//    of the cell is an instant that it serves.
//  - Three more kinds of lines, for tasks that hardware releases:
//      set ADDRESS BIT TASK    a store that sets this bit of the word at ADDRESS releases the task
//      raise BIT TASK          a store of this bit to the controller's RAISE, or a core's to its RAISE_AT,
//                              releases the task
//      expiry CELL TASK        each expiry of the cell releases the task
//  - Requests are expiries, by the number of the cell; the count is that which the clock has when the cell's counter
//    has come to its comparison, in the cycle behind the one in which it fires. Boards of one core only.
//  - `leader CORE`, on a board of several cores: the kernel is one for all of them, and lets tasks run on any. The window
//    opens with that of CORE's watch, both know the same jobs, and all of them end in the first cycle in which
//    each could.
#pragma once

#include "cycle.hpp"
#include "watch/watch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class Watch
{
  public:
    // Throws std::runtime_error, which names the line, if the file cannot be used.
    explicit Watch(const std::string &path);
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    // Takes one cycle in; returns whether the watch is over and its results are written.
    bool step(const Cycle &cycle);

    // The core of which it follows the watch, if it does.
    std::optional<unsigned> leader() const
    {
        return follows;
    }
    // It does so. That one takes each cycle in before it.
    void follow(Watch &first);
    // Of those that follow, and the one that they follow: whether it could end; and its end then.
    bool could_end() const
    {
        return ends || core.over;
    }
    void end();

    // The cycle in which its window has opened, and whether it has.
    uint64_t opened_at() const
    {
        return core.opened_at;
    }
    bool opened() const
    {
        return core.open;
    }

  private:
    struct SetBit {
        uint64_t address, bit, task;
        bool value = false;
    };
    struct Numbered {
        uint64_t number, index; // a bit of RAISE and its task; a cell and its task or releaser
    };

    struct Word {
        uint64_t address;
        uint32_t value = 0;
    };

    static bool read_line(void *self, const char *line);
    static bool read_word(void *self, uint64_t address, uint32_t *word);
    bool read_own_line(const char *line);
    bool finish(const char *status);

    void charge(watch_function *to, uint64_t cycles);
    void on_expiries(const uint32_t *fire);
    void log_expiries(const Cycle &cycle);
    void begin_instruction(uint32_t pc);
    void end_instruction();
    void on_access(const Cycle &cycle);
    void on_kernel_store(uint32_t address, uint32_t data);
    void on_any_store(uint32_t address, uint32_t data);
    void on_raised(uint32_t sources);

    struct watch core = {};
    std::optional<unsigned> follows;
    const Watch *first = nullptr; // that it follows
    bool ends = false;            // it could, but for the others
    std::vector<SetBit> set_bits;
    std::vector<Word> begins; // the words of the configuration's `begins` lines, as stored last
    std::vector<Numbered> raised, expiries, firing;
    std::vector<uint16_t> function_at; // for each halfword of the memory
    std::vector<bool> site_at;
    watch_function *function = nullptr; // of the last instruction
    uint64_t bubbles = 0;               // cycles since then without one
    bool returning = false;             // from the body of a job that has ended
};

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What each core did and how long its accesses waited, from power on to the end. The file has a line for each figure:
//
//   cycles N
//   core C instructions N
//   core C asleep N                  cycles without an instruction, as the core waits for an interrupt
//   core C TARGET ACCESSES WAITS LONGEST
//                                    accesses to own, shared, others, devices or locks (rtl/cores/hrl_core.sv): how
//                                    many, the cycles that they waited, and the longest wait of one
//   core C window CYCLE              where the window of its watch opened, if it did
#pragma once

#include "rtl/sim/cycle.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

class Traffic
{
  public:
    // Throws std::runtime_error if the file cannot be written.
    Traffic(const std::string &path, unsigned cores);
    ~Traffic();
    Traffic(const Traffic &) = delete;
    Traffic &operator=(const Traffic &) = delete;

    // A cycle of a core; `targets` has the bits of shared, others, devices and locks, if it asks for one of them.
    void step(unsigned core, const Cycle &cycle, bool asks, uint32_t targets);
    void window(unsigned core, uint64_t opened_at);
    void end(uint64_t cycles);

  private:
    static constexpr unsigned OWN = 0, TARGETS = 5;

    struct Target {
        uint64_t accesses = 0, waits = 0, longest = 0;
    };
    struct Core {
        uint64_t instructions = 0, asleep = 0, waiting = 0;
        std::array<Target, TARGETS> targets;
    };

    FILE *file;
    std::vector<Core> all;
};

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Logs which code has the processor and when (watch/visit_log.h), in cycles since power on. An instruction counts if it is
// executed: one that an interrupt took out of the core was never there. A visit lasts from the cycle in which its first
// instruction comes into the decode and execute stage to the one in which its last is executed; bubbles between do not
// end it.
//
// Beside them:
//
//   T expiry CELL  the cell's counter has reached its compare value, at the beginning of cycle T
//   T timer        so has the CLINT's
#pragma once

#include "cycle.hpp"

#include "watch/visit_log.h"

#include <string>
#include <vector>

class Visits
{
  public:
    // Throws std::runtime_error, which names the line, if the file cannot be used.
    Visits(const std::string &path, unsigned cells);
    ~Visits();
    Visits(const Visits &) = delete;
    Visits &operator=(const Visits &) = delete;

    // Takes one cycle in; returns whether the log is long enough, and written.
    bool step(const Cycle &cycle);

  private:
    void expiries(const Cycle &cycle);

    struct visits core;
    std::vector<uint32_t> fired; // in the cycle before
    bool timer = false;
    uint64_t begun = 0; // when the instruction in the core came there
};

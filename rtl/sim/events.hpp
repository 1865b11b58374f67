// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Writes when exactly things happened: a line an event, `CYCLE KIND [NUMBER]`, in order. Cycles count from
// power on; t says that something is so in cycle t, from its beginning.
//
//   expiry CELL      the cell's counter has reached its compare value (and is 0 again, if it is periodic)
//   irq              the controller's line to the core is up, and was not in the cycle before
//   trap CAUSE       an interrupt is taken: the core leaves what it executed
//   exception CAUSE  so is an exception
//   claim SOURCE     the load of CLAIM is on the bus, and takes this source
//   spurious         and there is none to take
//   mark ADDRESS     the instruction at an address that is watched begins to execute
//   complete SOURCE  the store to COMPLETE is on the bus, and retires this source
//   mret             an mret is executed: the core goes back
//   resume ADDRESS   the first instruction after it begins to execute
//   trace WORD       the store of this word to the trace port is on the bus
#pragma once

#include "cycle.hpp"

#include <cstdio>
#include <string>
#include <vector>

class Events
{
  public:
    Events(const std::string &path, std::vector<uint32_t> marks, unsigned cells);
    ~Events();
    Events(const Events &) = delete;
    Events &operator=(const Events &) = delete;

    void step(const Cycle &cycle);
    void trace(uint64_t cycle, uint32_t word);

  private:
    void line(uint64_t cycle, const char *kind);
    void line(uint64_t cycle, const char *kind, unsigned number);
    void address(uint64_t cycle, const char *kind, uint32_t where);

    FILE *file;
    std::vector<uint32_t> marks;
    std::vector<uint32_t> fired; // in the cycle before
    bool irq = false, resumes = false;
};

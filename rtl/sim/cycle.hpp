// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What the bench sees of the board in one cycle, after all has settled and before the clock's edge.
#pragma once

#include <cstdint>

constexpr uint32_t RAM_BASE = 0x80000000;
constexpr uint32_t RAM_BYTES = 4u << 20;
constexpr uint32_t CONTROLLER_CLAIM = 0xFFFFFF00;
constexpr uint32_t CONTROLLER_RAISE = 0xFFFFFF0C;

struct Cycle {
    uint64_t number; // since power was switched on

    // The instruction in the core's decode and execute stage.
    bool instruction; // there is one
    bool begins;      // this is its first cycle here
    bool ends;        // and this its last: it is executed
    bool asleep;      // there is none, as the core waits for an interrupt
    uint32_t pc;

    bool trap;        // taken in this cycle
    bool trap_is_irq; // an interrupt, or else an exception
    unsigned cause;
    bool mret; // goes back in this cycle

    // The data bus.
    bool access, store;
    uint32_t address, data;

    // The interrupt controller and the cells.
    bool irq, timer;      // their lines to the core; timer is the CLINT's
    bool claim, complete; // of the source below
    unsigned source;
    const uint32_t *fire; // the cells that expire with this cycle's end, as bits
    unsigned cells;       // so many; a board of one core only, as the next
    uint32_t time;        // the lower half of the clock's count in this cycle
    uint32_t raised;      // the software sources that a core raises by RAISE_AT; a board of several cores only
};

// Whether the instruction that stands in a core is executed in this cycle, which happens once.
class Executed
{
  public:
    bool now(const Cycle &cycle, bool core_says)
    {
        // An environment call is executed though it traps; so is a breakpoint.
        const bool calls = cycle.trap && !cycle.trap_is_irq &&
                           (cycle.cause == CAUSE_CALL || cycle.cause == CAUSE_BREAKPOINT);
        done = !cycle.begins && done;
        const bool ends = (core_says || calls) && !done;
        done = done || ends;
        return ends;
    }

  private:
    static constexpr unsigned CAUSE_BREAKPOINT = 3, CAUSE_CALL = 11;

    bool done = false; // already
};

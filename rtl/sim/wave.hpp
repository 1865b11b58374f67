// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// A waveform of a run, if it is asked for; simulators that are built for it only, as it costs a third of the speed.
#pragma once

#include "options.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <verilated.h>
#ifdef HRL_VCD
#include <verilated_vcd_c.h>
#endif

template <typename Top> class Wave
{
  public:
    Wave(VerilatedContext &context, Top &top, const Options &options) : options(options)
    {
        if (options.vcd.empty()) {
            return;
        }
#ifdef HRL_VCD
        context.traceEverOn(true);
        file = std::make_unique<VerilatedVcdC>();
        top.trace(file.get(), 99);
        file->open(options.vcd.c_str());
#else
        (void)context;
        (void)top;
        throw std::runtime_error("this simulator was built without --vcd");
#endif
    }

    ~Wave()
    {
#ifdef HRL_VCD
        if (file) {
            file->close();
        }
#endif
    }

    // Half a cycle is 10 ns.
    void dump(uint64_t cycle, bool second_half)
    {
#ifdef HRL_VCD
        if (file && cycle >= options.vcd_from && cycle < options.vcd_to) {
            file->dump(cycle * CYCLE_NS + (second_half ? CYCLE_NS / 2 : 0));
        }
#else
        (void)cycle;
        (void)second_half;
#endif
    }

  private:
    static constexpr uint64_t CYCLE_NS = 20;

    const Options &options;
#ifdef HRL_VCD
    std::unique_ptr<VerilatedVcdC> file;
#endif
};

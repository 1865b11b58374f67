// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The simulator of the boards ibex-cells and ibex-cells-small: loads a program, runs it to its end, and ends
// with its status. Its console is standard output.
//
// Exit status: the program's own; 124 if --max-cycles were over; 125 if the arguments or the program's
// file are wrong; 126 if the program was lost (it trapped where nothing is).
#include "elf.hpp"
#include "Vhrl_sim.h"
#include "Vhrl_sim___024root.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#ifdef HRL_VCD
#include <verilated_vcd_c.h>
#endif

namespace
{

constexpr int STATUS_TIME_OUT = 124;
constexpr int STATUS_USAGE = 125;
constexpr uint32_t RAM_BASE = 0x80000000;
constexpr uint32_t RAM_BYTES = 4u << 20;
constexpr uint32_t FINISH_PASS = 0x5555;

struct Options {
    std::string elf;
    std::string vcd;
    uint64_t vcd_from = 0;
    uint64_t vcd_to = UINT64_MAX;
    uint64_t max_cycles = UINT64_MAX;
};

const char USAGE[] =
    "usage: horolog-ibex --elf FILE [--max-cycles N] [--vcd FILE [--vcd-from N] [--vcd-to N]]\n";

Options read_options(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc) {
            throw std::runtime_error(name + " needs a value\n" + USAGE);
        }
        const char *value = argv[i + 1];
        if (name == "--elf") {
            options.elf = value;
        } else if (name == "--vcd") {
            options.vcd = value;
        } else if (name == "--vcd-from") {
            options.vcd_from = std::strtoull(value, nullptr, 0);
        } else if (name == "--vcd-to") {
            options.vcd_to = std::strtoull(value, nullptr, 0);
        } else if (name == "--max-cycles") {
            options.max_cycles = std::strtoull(value, nullptr, 0);
        } else {
            throw std::runtime_error(name + " is no option\n" + USAGE);
        }
    }
    if (options.elf.empty()) {
        throw std::runtime_error(USAGE);
    }
    return options;
}

void load(Vhrl_sim &top, const std::string &path)
{
    auto &words = top.rootp->hrl_sim__DOT__u_soc__DOT__u_ram__DOT__words;
    for (const Segment &segment : read_elf(path)) {
        const uint32_t offset = segment.address - RAM_BASE;
        if (segment.address < RAM_BASE || offset + segment.bytes.size() > RAM_BYTES) {
            throw std::runtime_error(path + ": a segment lies outside of the board's memory");
        }
        for (size_t i = 0; i < segment.bytes.size(); i++) {
            const uint32_t shift = (offset + i) % 4 * 8;
            uint32_t &word = words[(offset + i) / 4];
            word = (word & ~(0xFFu << shift)) | uint32_t{segment.bytes[i]} << shift;
        }
    }
}

// The program's waveform, if it is asked for; simulators that are built for it only.
class Wave
{
  public:
    Wave(VerilatedContext &context, Vhrl_sim &top, const Options &options) : options(options)
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
            file->dump(cycle * 20 + (second_half ? 10 : 0));
        }
#else
        (void)cycle;
        (void)second_half;
#endif
    }

  private:
    const Options &options;
#ifdef HRL_VCD
    std::unique_ptr<VerilatedVcdC> file;
#endif
};

int run(const Options &options)
{
    VerilatedContext context;
    Vhrl_sim top{&context};
    Wave wave{context, top, options};

    top.rst_ni = 0;
    top.clk_i = 0;
    top.eval();
    load(top, options.elf);
    for (uint64_t cycle = 0; cycle < options.max_cycles; cycle++) {
        top.rst_ni = cycle >= 2;
        top.clk_i = 0;
        top.eval();
        wave.dump(cycle, false);
        if (top.console_valid_o) {
            std::putchar(top.console_byte_o);
        }
        if (top.trace_valid_o) {
            std::fprintf(stderr, "trace %llu %#x\n", static_cast<unsigned long long>(cycle),
                         static_cast<unsigned>(top.trace_word_o));
        }
        if (top.finish_valid_o) {
            const uint32_t word = top.finish_word_o;
            return (word & 0xFFFF) == FINISH_PASS ? 0 : static_cast<int>(word >> 16 & 0xFF);
        }
        top.clk_i = 1;
        top.eval();
        wave.dump(cycle, true);
    }
    std::fprintf(stderr, "horolog-ibex: not finished after %llu cycles\n",
                 static_cast<unsigned long long>(options.max_cycles));
    return STATUS_TIME_OUT;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const int status = run(read_options(argc, argv));
        std::fflush(nullptr);
        return status;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "horolog-ibex: %s\n", error.what());
        return STATUS_USAGE;
    }
}

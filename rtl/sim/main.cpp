// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The simulator of the boards ibex-cells and ibex-cells-small: loads a program, runs it to its end, and ends
// with its status. Its console is standard output.
//
//   --elf FILE          the program
//   --max-cycles N      gives up then
//   --watch FILE        what to count, as rtl/sim/watch.hpp says; the end of the watch is the end, with status 0
//   --events FILE       what happened when, as rtl/sim/events.hpp says
//   --visits FILE       what code had the processor when, as rtl/sim/visits.hpp says; its limit is the end, with status 0
//   --mark ADDRESS      the beginning of this instruction is such an event; may be repeated
//   --vcd FILE          a waveform, if the simulator was built for it, of the cycles
//   --vcd-from N, --vcd-to N
//
// Exit status: the program's own; 124 if --max-cycles were over; 125 if the arguments or a file are wrong.
#include "cycle.hpp"
#include "elf.hpp"
#include "events.hpp"
#include "Vhrl_sim.h"
#include "Vhrl_sim___024root.h"
#include "visits.hpp"
#include "watch.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#ifdef HRL_VCD // Verilator's waveforms cost a third of the speed: they are built on demand
#include <verilated_vcd_c.h>
#endif

namespace
{

constexpr int STATUS_TIME_OUT = 124;
constexpr int STATUS_WRONG = 125;
constexpr uint32_t FINISH_PASS = 0x5555;
constexpr unsigned CAUSE_BREAKPOINT = 3, CAUSE_CALL = 11;
constexpr uint64_t CYCLE_NS = 20;

struct Options {
    std::string elf, watch, events, visits, vcd;
    std::vector<uint32_t> marks;
    uint64_t vcd_from = 0, vcd_to = UINT64_MAX, max_cycles = UINT64_MAX;
};

uint64_t number(const std::string &name, const char *value)
{
    char *end = nullptr;
    const uint64_t result = std::strtoull(value, &end, 0);
    if (*value == '\0' || *end != '\0') {
        throw std::runtime_error(name + " needs a number, not " + value);
    }
    return result;
}

Options read_options(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; i += 2) {
        const std::string name = argv[i];
        if (i + 1 == argc) {
            throw std::runtime_error(name + " needs a value");
        }
        const char *value = argv[i + 1];
        if (name == "--elf") {
            options.elf = value;
        } else if (name == "--watch") {
            options.watch = value;
        } else if (name == "--events") {
            options.events = value;
        } else if (name == "--visits") {
            options.visits = value;
        } else if (name == "--mark") {
            options.marks.push_back(static_cast<uint32_t>(number(name, value)));
        } else if (name == "--vcd") {
            options.vcd = value;
        } else if (name == "--vcd-from") {
            options.vcd_from = number(name, value);
        } else if (name == "--vcd-to") {
            options.vcd_to = number(name, value);
        } else if (name == "--max-cycles") {
            options.max_cycles = number(name, value);
        } else {
            throw std::runtime_error(name + " is no option; those are listed in rtl/sim/main.cpp");
        }
    }
    if (options.elf.empty()) {
        throw std::runtime_error("--elf FILE is missing");
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
            file->dump(cycle * CYCLE_NS + (second_half ? CYCLE_NS / 2 : 0));
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

// The cells' expiries as words of 32, whatever type Verilator gave to the port.
template <typename Port> const uint32_t *words_of(const Port &port)
{
    return reinterpret_cast<const uint32_t *>(&port);
}

class Board
{
  public:
    explicit Board(const Options &options) : wave(context, top, options)
    {
        top.rst_ni = 0;
        top.clk_i = 0;
        top.eval();
        load(top, options.elf);
    }

    // To where all has settled, before the clock's edge.
    void first_half(uint64_t cycle)
    {
        top.rst_ni = cycle >= RESET_CYCLES;
        top.clk_i = 0;
        top.eval();
        wave.dump(cycle, false);
    }

    void second_half(uint64_t cycle)
    {
        top.clk_i = 1;
        top.eval();
        wave.dump(cycle, true);
    }

    Cycle seen(uint64_t number)
    {
        Cycle cycle{};
        cycle.number = number;
        cycle.instruction = top.id_valid_o;
        cycle.begins = top.id_valid_o && top.id_new_o;
        cycle.pc = top.id_pc_o;
        cycle.asleep = top.sleep_o && !top.id_valid_o;
        cycle.trap = top.trap_o;
        cycle.trap_is_irq = top.trap_is_irq_o;
        cycle.cause = top.trap_cause_o;
        cycle.mret = top.mret_o;
        cycle.access = top.data_req_o;
        cycle.store = top.data_we_o;
        cycle.address = top.data_addr_o;
        cycle.data = top.data_wdata_o;
        cycle.irq = top.irq_o;
        cycle.timer = top.irq_timer_o;
        cycle.claim = top.claim_o;
        cycle.complete = top.complete_o;
        cycle.source = top.source_o;
        cycle.fire = words_of(top.fire_o);
        cycle.ends = top.id_done_o || (cycle.trap && !cycle.trap_is_irq && calls(cycle));
        done = !cycle.begins && done;
        cycle.ends = cycle.ends && !done;
        done = done || cycle.ends;
        return cycle;
    }

    Vhrl_sim &ports()
    {
        return top;
    }

  private:
    static constexpr uint64_t RESET_CYCLES = 2;

    // An environment call is executed though it traps; so is a breakpoint.
    static bool calls(const Cycle &cycle)
    {
        return cycle.cause == CAUSE_CALL || cycle.cause == CAUSE_BREAKPOINT;
    }

    VerilatedContext context;
    Vhrl_sim top{&context};
    Wave wave;
    bool done = false; // the instruction that stands in the core is executed already
};

int run(const Options &options)
{
    Board board(options);
    Vhrl_sim &top = board.ports();
    std::unique_ptr<Watch> watch;
    std::unique_ptr<Events> events;
    std::unique_ptr<Visits> visits;

    if (!options.watch.empty()) {
        watch = std::make_unique<Watch>(options.watch);
    }
    if (!options.events.empty()) {
        events = std::make_unique<Events>(options.events, options.marks, sizeof top.fire_o * 8);
    }
    if (!options.visits.empty()) {
        visits = std::make_unique<Visits>(options.visits, sizeof top.fire_o * 8);
    }
    for (uint64_t number = 0; number < options.max_cycles; number++) {
        board.first_half(number);
        if (top.console_valid_o) {
            std::putchar(top.console_byte_o);
        }
        if (watch || events || visits) {
            const Cycle cycle = board.seen(number);
            if (events) {
                events->step(cycle);
            }
            if (watch && watch->step(cycle)) {
                return 0;
            }
            if (visits && visits->step(cycle)) {
                return 0;
            }
        }
        if (top.trace_valid_o && events) {
            events->trace(number, top.trace_word_o);
        }
        if (top.finish_valid_o) {
            const uint32_t word = top.finish_word_o;
            return (word & 0xFFFF) == FINISH_PASS ? 0 : static_cast<int>(word >> 16 & 0xFF);
        }
        board.second_half(number);
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
        std::fflush(nullptr);
        std::fprintf(stderr, "horolog-ibex: %s\n", error.what());
        return STATUS_WRONG;
    }
}

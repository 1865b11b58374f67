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
#include "options.hpp"
#include "Vhrl_sim.h"
#include "Vhrl_sim___024root.h"
#include "visits.hpp"
#include "watch.hpp"
#include "wave.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

constexpr int STATUS_TIME_OUT = 124;
constexpr int STATUS_WRONG = 125;
constexpr uint32_t FINISH_PASS = 0x5555;

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
        cycle.cells = sizeof top.fire_o * 8;
        cycle.time = top.time_o;
        cycle.ends = executed.now(cycle, top.id_done_o);
        return cycle;
    }

    Vhrl_sim &ports()
    {
        return top;
    }

  private:
    static constexpr uint64_t RESET_CYCLES = 2;

    VerilatedContext context;
    Vhrl_sim top{&context};
    Wave<Vhrl_sim> wave;
    Executed executed;
};

int run(const Options &options)
{
    Board board(options);
    Vhrl_sim &top = board.ports();
    std::unique_ptr<Watch> watch;
    std::unique_ptr<Events> events;
    std::unique_ptr<Visits> visits;

    if (!options.watches.empty()) {
        watch = std::make_unique<Watch>(options.watches.back().path);
    }
    if (!options.events.empty()) {
        events = std::make_unique<Events>(options.events.back().path, options.marks,
                                          sizeof top.fire_o * 8);
    }
    if (!options.visits.empty()) {
        visits = std::make_unique<Visits>(options.visits.back().path, sizeof top.fire_o * 8);
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
        const int status = run(read_options(argc, argv, 1, "rtl/sim/main.cpp"));
        std::fflush(nullptr);
        return status;
    } catch (const std::exception &error) {
        std::fflush(nullptr);
        std::fprintf(stderr, "horolog-ibex: %s\n", error.what());
        return STATUS_WRONG;
    }
}

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The simulator of the boards of several cores: loads one program into all of them, runs it to its end, and ends with its
// status. Its console is standard output. Everything happens in one simulation, so the cycles of all cores are those
// of one clock, and the same in each run.
//
//   --elf FILE          the program
//   --max-cycles N      gives up then
//   --cores FILE        what each core did and how long its accesses waited, as rtl/cores/sim/traffic.hpp says
//   --watch CORE:FILE   what to count on that core, as rtl/sim/watch.hpp says; the end of all watches is the end, with
//                       status 0
//   --events CORE:FILE  what happened when on that core, as rtl/sim/events.hpp says
//   --visits CORE:FILE  what code had that core when, as rtl/sim/visits.hpp says; the first limit is the end, with status 0
//   --mark ADDRESS      the beginning of this instruction is an event, on all cores; may be repeated
//   --vcd FILE          a waveform, if the simulator was built for it, of the cycles
//   --vcd-from N, --vcd-to N
//
// Cells have their own numbers; that of a core's quantum cell is the number of shared cells.
//
// Exit status: the program's own; 124 if --max-cycles were over; 125 if the arguments or a file are wrong.
#include "Vhrl_cores_sim.h"
#include "Vhrl_cores_sim___024root.h"
#include "rtl/sim/cycle.hpp"
#include "rtl/sim/elf.hpp"
#include "rtl/sim/events.hpp"
#include "rtl/sim/options.hpp"
#include "rtl/sim/visits.hpp"
#include "rtl/sim/watch.hpp"
#include "rtl/sim/wave.hpp"
#include "traffic.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

constexpr int STATUS_TIME_OUT = 124;
constexpr int STATUS_WRONG = 125;
constexpr uint32_t FINISH_PASS = 0x5555;

constexpr unsigned CORES = HRL_CORES; // the parameters that the board was built with
constexpr unsigned FIRE_WORDS = HRL_CELLS / 32 + 1;

constexpr uint32_t OWN_BASE = 0x90000000, NUMBERED_BASE = 0x91000000, SHARED_BASE = 0xA0000000;
constexpr uint32_t PRIVATE_BYTES = 1u << 20, SHARED_BYTES = 4u << 20;

// The words of a port, whatever type Verilator gave to it.
template <typename Port> const uint32_t *words_of(const Port &port)
{
    return reinterpret_cast<const uint32_t *>(&port);
}

template <typename Words> void put(Words &words, uint32_t offset, const Segment &segment)
{
    for (size_t i = 0; i < segment.bytes.size(); i++) {
        const uint32_t shift = (offset + i) % 4 * 8;
        uint32_t &word = words[(offset + i) / 4];
        word = (word & ~(0xFFu << shift)) | uint32_t{segment.bytes[i]} << shift;
    }
}

bool lies_in(const Segment &segment, uint32_t base, uint32_t bytes)
{
    return segment.address >= base && segment.address - base < bytes &&
           segment.bytes.size() <= bytes - (segment.address - base);
}

void load_segment(Vhrl_cores_sim &top, const std::string &path, const Segment &segment)
{
    auto &code = top.rootp->hrl_cores_sim__DOT__u_soc__DOT__u_code__DOT__words;
    auto &own = top.rootp->hrl_cores_sim__DOT__u_soc__DOT__u_private__DOT__words;
    auto &shared = top.rootp->hrl_cores_sim__DOT__u_soc__DOT__g_shared__DOT__u_shared__DOT__words;

    if (lies_in(segment, RAM_BASE, RAM_BYTES)) {
        put(code, segment.address - RAM_BASE, segment);
    } else if (lies_in(segment, OWN_BASE, PRIVATE_BYTES)) { // each core has it
        for (unsigned core = 0; core < CORES; core++) {
            put(own, core * PRIVATE_BYTES + segment.address - OWN_BASE, segment);
        }
    } else if (lies_in(segment, NUMBERED_BASE, CORES * PRIVATE_BYTES)) {
        put(own, segment.address - NUMBERED_BASE, segment);
    } else if (lies_in(segment, SHARED_BASE, SHARED_BYTES)) {
        put(shared, segment.address - SHARED_BASE, segment);
    } else {
        throw std::runtime_error(path + ": a segment lies outside of the board's memory");
    }
}

class Board
{
  public:
    explicit Board(const Options &options) : wave(context, top, options)
    {
        top.rst_ni = 0;
        top.clk_i = 0;
        top.eval();
        for (const Segment &segment : read_elf(options.elf)) {
            load_segment(top, options.elf, segment);
        }
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

    // An access is there in the cycle in which it is granted, not while it waits.
    Cycle seen(uint64_t number, unsigned core)
    {
        const auto bit = [core](uint32_t bits) { return (bits >> core & 1) != 0; };
        const auto word = [core](const auto &port) { return words_of(port)[core]; };
        Cycle cycle{};

        cycle.number = number;
        cycle.instruction = bit(top.id_valid_o);
        cycle.begins = bit(top.id_valid_o & top.id_new_o);
        cycle.pc = word(top.id_pc_o);
        cycle.asleep = bit(top.sleep_o & ~top.id_valid_o);
        cycle.trap = bit(top.trap_o);
        cycle.trap_is_irq = bit(top.trap_is_irq_o);
        cycle.cause = word(top.trap_cause_o);
        cycle.mret = bit(top.mret_o);
        cycle.access = bit(top.data_req_o & top.data_gnt_o);
        cycle.store = bit(top.data_we_o);
        cycle.address = word(top.data_addr_o);
        cycle.data = word(top.data_wdata_o);
        cycle.irq = bit(top.irq_o);
        cycle.timer = bit(top.irq_timer_o);
        cycle.claim = bit(top.claim_o);
        cycle.complete = bit(top.complete_o);
        cycle.source = word(top.source_o);
        cycle.fire = words_of(top.fire_o) + FIRE_WORDS * core;
        cycle.raised = word(top.raise_o);
        cycle.ends = executed[core].now(cycle, bit(top.id_done_o));
        return cycle;
    }

    bool asks(unsigned core) const
    {
        return (top.data_req_o >> core & 1) != 0;
    }

    uint32_t targets(unsigned core) const
    {
        return words_of(top.shared_req_o)[core];
    }

    bool speaks(unsigned core) const
    {
        return (top.speaks_o >> core & 1) != 0;
    }

    Vhrl_cores_sim &ports()
    {
        return top;
    }

  private:
    static constexpr uint64_t RESET_CYCLES = 2;

    VerilatedContext context;
    Vhrl_cores_sim top{&context};
    Wave<Vhrl_cores_sim> wave;
    Executed executed[CORES];
};

// What is written about the cores.
class Bench
{
  public:
    explicit Bench(const Options &options)
    {
        for (const CoreFile &one : options.watches) {
            watches[one.core] = std::make_unique<Watch>(one.path);
        }
        for (const CoreFile &one : options.events) {
            events[one.core] =
                std::make_unique<Events>(one.path, options.marks, 32 * FIRE_WORDS);
        }
        for (const CoreFile &one : options.visits) {
            visits[one.core] = std::make_unique<Visits>(one.path, 32 * FIRE_WORDS);
        }
        if (!options.cores.empty()) {
            traffic = std::make_unique<Traffic>(options.cores, CORES);
        }
        for (unsigned core = 0; core < CORES; core++) {
            watching += watches[core] != nullptr ? 1 : 0;
            if (watches[core] && watches[core]->leader()) {
                follow(core, *watches[core]->leader());
            }
        }
        looks = traffic != nullptr || !options.watches.empty() || !options.events.empty() ||
                !options.visits.empty();
    }

    // Takes one cycle of all cores in; returns whether what was asked for is over.
    bool step(uint64_t number, Board &board)
    {
        bool over = false;

        for (unsigned core = 0; looks && core < CORES; core++) {
            const Cycle cycle = board.seen(number, core);

            if (events[core]) {
                events[core]->step(cycle);
            }
            if (traffic) {
                traffic->step(core, cycle, board.asks(core), board.targets(core));
            }
            if (watches[core] && !done[core] && watches[core]->step(cycle)) {
                done[core] = true;
                over = --watching == 0;
            }
            over = (visits[core] && visits[core]->step(cycle)) || over;
        }
        return over || (together && end_together());
    }

    void trace(uint64_t number, const Board &board, uint32_t word)
    {
        for (unsigned core = 0; core < CORES; core++) {
            if (events[core] && board.speaks(core)) {
                events[core]->trace(number, word);
            }
        }
    }

    void end(uint64_t cycles)
    {
        for (unsigned core = 0; traffic && core < CORES; core++) {
            if (watches[core] && watches[core]->opened()) {
                traffic->window(core, watches[core]->opened_at());
            }
        }
        if (traffic) {
            traffic->end(cycles);
        }
    }

  private:
    void follow(unsigned core, unsigned leader)
    {
        if (leader >= core || !watches[leader]) {
            throw std::runtime_error("no watch of core " + std::to_string(leader) +
                                     " before that of core " + std::to_string(core));
        }
        watches[core]->follow(*watches[leader]);
        together = true;
    }

    // All watches are of one kernel. Once one has given up, nothing is to be expected of the others.
    bool end_together()
    {
        bool gave_up = false, all = true;

        for (unsigned core = 0; core < CORES; core++) {
            gave_up = gave_up || done[core];
            all = all && (!watches[core] || watches[core]->could_end());
        }
        for (unsigned core = 0; all && core < CORES; core++) {
            if (watches[core]) {
                watches[core]->end();
            }
        }
        return all || gave_up;
    }

    std::unique_ptr<Watch> watches[CORES];
    std::unique_ptr<Events> events[CORES];
    std::unique_ptr<Visits> visits[CORES];
    std::unique_ptr<Traffic> traffic;
    bool done[CORES] = {};
    bool looks = false;    // something is to be written
    bool together = false; // watches follow others
    unsigned watching = 0;
};

int run(const Options &options)
{
    Board board(options);
    Bench bench(options);
    Vhrl_cores_sim &top = board.ports();

    for (uint64_t number = 0; number < options.max_cycles; number++) {
        board.first_half(number);
        if (top.console_valid_o) {
            std::putchar(top.console_byte_o);
        }
        if (bench.step(number, board)) {
            bench.end(number);
            return 0;
        }
        if (top.trace_valid_o) {
            bench.trace(number, board, top.trace_word_o);
        }
        if (top.finish_valid_o) {
            const uint32_t word = top.finish_word_o;
            bench.end(number);
            return (word & 0xFFFF) == FINISH_PASS ? 0 : static_cast<int>(word >> 16 & 0xFF);
        }
        board.second_half(number);
    }
    bench.end(options.max_cycles);
    std::fprintf(stderr, "horolog-ibex: not finished after %llu cycles\n",
                 static_cast<unsigned long long>(options.max_cycles));
    return STATUS_TIME_OUT;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const int status = run(read_options(argc, argv, CORES, "rtl/cores/sim/main.cpp"));
        std::fflush(nullptr);
        return status;
    } catch (const std::exception &error) {
        std::fflush(nullptr);
        std::fprintf(stderr, "horolog-ibex: %s\n", error.what());
        return STATUS_WRONG;
    }
}

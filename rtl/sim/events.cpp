// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "events.hpp"

#include <cinttypes>
#include <stdexcept>

Events::Events(const std::string &path, std::vector<uint32_t> marks, unsigned cells)
    : file(std::fopen(path.c_str(), "w")), marks(std::move(marks)), fired((cells + 31) / 32)
{
    if (file == nullptr) {
        throw std::runtime_error(path + ": cannot be written");
    }
}

Events::~Events()
{
    std::fclose(file);
}

void Events::line(uint64_t cycle, const char *kind)
{
    std::fprintf(file, "%" PRIu64 " %s\n", cycle, kind);
}

void Events::line(uint64_t cycle, const char *kind, unsigned number)
{
    std::fprintf(file, "%" PRIu64 " %s %u\n", cycle, kind, number);
}

void Events::address(uint64_t cycle, const char *kind, uint32_t where)
{
    std::fprintf(file, "%" PRIu64 " %s %#" PRIx32 "\n", cycle, kind, where);
}

void Events::trace(uint64_t cycle, uint32_t word)
{
    address(cycle, "trace", word);
}

void Events::step(const Cycle &cycle)
{
    for (size_t word = 0; word < fired.size(); word++) {
        for (uint32_t bits = fired[word]; bits != 0; bits &= bits - 1) {
            line(cycle.number, "expiry", static_cast<unsigned>(32 * word) + __builtin_ctz(bits));
        }
        fired[word] = cycle.fire[word];
    }
    if (cycle.irq && !irq) {
        line(cycle.number, "irq");
    }
    irq = cycle.irq;
    if (cycle.begins) {
        if (resumes) {
            address(cycle.number, "resume", cycle.pc);
            resumes = false;
        }
        for (uint32_t mark : marks) {
            if (mark == cycle.pc) {
                address(cycle.number, "mark", mark);
            }
        }
    }
    if (cycle.trap) {
        line(cycle.number, cycle.trap_is_irq ? "trap" : "exception", cycle.cause);
        resumes = false; // an interrupt took the place of what was to go on
    }
    if (cycle.claim) {
        line(cycle.number, "claim", cycle.source);
    } else if (cycle.access && !cycle.store && cycle.address == CONTROLLER_CLAIM) {
        line(cycle.number, "spurious");
    }
    if (cycle.complete) {
        line(cycle.number, "complete", cycle.source);
    }
    if (cycle.mret) {
        line(cycle.number, "mret");
        resumes = true;
    }
}

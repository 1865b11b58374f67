// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "visits.hpp"

#include <cinttypes>
#include <fstream>
#include <stdexcept>

Visits::Visits(const std::string &path, unsigned cells) : fired((cells + 31) / 32)
{
    std::ifstream config(path);
    for (std::string line; std::getline(config, line);) {
        if (!read_line(line.c_str())) {
            throw std::runtime_error(path + ": cannot use this line: " + line);
        }
    }
    if (file == nullptr) {
        throw std::runtime_error(path + ": it does not say where to write");
    }
}

Visits::~Visits()
{
    std::fclose(file);
}

bool Visits::read_line(const char *line)
{
    char out[4096];
    Watched one{};

    if (std::sscanf(line, "out %4095[^\n]", out) == 1) {
        file = std::fopen(out, "w");
        return file != nullptr;
    }
    if (std::sscanf(line, "limit %" SCNu64, &limit) == 1) {
        return true;
    }
    if (std::sscanf(line, "watch %" SCNi64 " %" SCNi64 " %ld", &one.low, &one.high, &one.owner) ==
        3) {
        watched.push_back(one);
        return true;
    }
    return false;
}

bool Visits::step(const Cycle &cycle)
{
    expiries(cycle);
    if (cycle.begins) {
        begun = cycle.number;
    }
    if (cycle.ends) {
        executed(cycle);
    }
    if (cycle.number < limit) {
        return false;
    }
    leave();
    std::fprintf(file, "%" PRIu64 " end\n", cycle.number);
    return true;
}

void Visits::expiries(const Cycle &cycle)
{
    for (size_t word = 0; word < fired.size(); word++) {
        for (uint32_t bits = fired[word]; bits != 0; bits &= bits - 1) {
            std::fprintf(file, "%" PRIu64 " expiry %d\n", cycle.number,
                         static_cast<int>(32 * word) + __builtin_ctz(bits));
        }
        fired[word] = cycle.fire[word];
    }
    if (cycle.timer && !timer) {
        std::fprintf(file, "%" PRIu64 " timer\n", cycle.number);
    }
    timer = cycle.timer;
}

void Visits::executed(const Cycle &cycle)
{
    long now = NO_OWNER;
    for (const Watched &one : watched) {
        if (cycle.pc >= one.low && cycle.pc < one.high) {
            now = one.owner;
        }
    }
    if (now != owner) {
        leave();
        owner = now;
        if (owner != NO_OWNER) {
            std::fprintf(file, "%" PRIu64 " + %ld %#" PRIx32 "\n", begun, owner, cycle.pc);
        }
    }
    last = cycle.number;
    place = cycle.pc;
}

void Visits::leave()
{
    if (owner != NO_OWNER) {
        std::fprintf(file, "%" PRIu64 " - %ld %#" PRIx32 "\n", last, owner, place);
    }
}

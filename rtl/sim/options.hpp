// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What the simulators are asked for. Their main.cpp list the options.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// A file for what one core does.
struct CoreFile {
    unsigned core;
    std::string path;
};

struct Options {
    std::string elf, cores, vcd;
    std::vector<CoreFile> watches, events, visits;
    std::vector<uint32_t> marks;
    uint64_t vcd_from = 0, vcd_to = UINT64_MAX, max_cycles = UINT64_MAX;
};

// The arguments of a simulator of so many cores; with several, a file for a core is CORE:FILE. Throws
// std::runtime_error, which names the argument; `listed_in` is where the options are described.
Options read_options(int argc, char **argv, unsigned cores, const std::string &listed_in);

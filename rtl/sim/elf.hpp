// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Just enough of ELF: the loadable segments of a 32-bit little-endian RISC-V program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct Segment {
    uint32_t address;           // physical
    std::vector<uint8_t> bytes; // zeros past the file's part included
};

// Throws std::runtime_error, which names the file, if it is not such a program.
std::vector<Segment> read_elf(const std::string &path);

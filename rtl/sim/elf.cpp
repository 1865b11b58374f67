// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "elf.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace
{

constexpr uint16_t MACHINE_RISCV = 243;
constexpr uint32_t SEGMENT_LOAD = 1;

struct Header {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version, entry, program_offset, section_offset, flags;
    uint16_t size, program_size, program_count, section_size, section_count, names;
};

struct Program {
    uint32_t type, offset, virtual_address, physical_address, file_size, memory_size, flags, align;
};

template <typename T>
T read_at(const std::vector<uint8_t> &file, uint64_t offset, const std::string &path)
{
    T value;
    if (offset + sizeof value > file.size()) {
        throw std::runtime_error(path + ": the ELF file is cut short");
    }
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}

} // namespace

std::vector<Segment> read_elf(const std::string &path)
{
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw std::runtime_error(path + ": cannot be read");
    }
    const std::vector<uint8_t> file{std::istreambuf_iterator<char>(stream), {}};
    const auto header = read_at<Header>(file, 0, path);
    if (std::memcmp(header.ident, "\177ELF\1\1", 6) != 0 || header.machine != MACHINE_RISCV) {
        throw std::runtime_error(path + ": not a 32-bit little-endian RISC-V ELF file");
    }
    std::vector<Segment> segments;
    for (uint64_t i = 0; i < header.program_count; i++) {
        const auto program =
            read_at<Program>(file, header.program_offset + i * header.program_size, path);
        if (program.type != SEGMENT_LOAD || program.memory_size == 0) {
            continue;
        }
        if (uint64_t{program.offset} + program.file_size > file.size() ||
            program.file_size > program.memory_size) {
            throw std::runtime_error(path + ": the ELF file is cut short");
        }
        Segment segment{program.physical_address, {}};
        segment.bytes.assign(file.begin() + program.offset,
                             file.begin() + program.offset + program.file_size);
        segment.bytes.resize(program.memory_size);
        segments.push_back(std::move(segment));
    }
    return segments;
}

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <cstdlib>
#include <stdexcept>

namespace
{

uint64_t number(const std::string &name, const char *value)
{
    char *end = nullptr;
    const uint64_t result = std::strtoull(value, &end, 0);
    if (*value == '\0' || *end != '\0') {
        throw std::runtime_error(name + " needs a number, not " + value);
    }
    return result;
}

CoreFile core_file(const std::string &name, const std::string &value, unsigned cores)
{
    if (cores == 1) {
        return {0, value};
    }
    const size_t colon = value.find(':');
    if (colon == std::string::npos || colon + 1 == value.size()) {
        throw std::runtime_error(name + " needs CORE:FILE, not " + value);
    }
    const uint64_t core = number(name, value.substr(0, colon).c_str());
    if (core >= cores) {
        throw std::runtime_error(name + ": the board has cores 0 to " + std::to_string(cores - 1) +
                                 ", not " + std::to_string(core));
    }
    return {static_cast<unsigned>(core), value.substr(colon + 1)};
}

} // namespace

Options read_options(int argc, char **argv, unsigned cores, const std::string &listed_in)
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
            options.watches.push_back(core_file(name, value, cores));
        } else if (name == "--events") {
            options.events.push_back(core_file(name, value, cores));
        } else if (name == "--visits") {
            options.visits.push_back(core_file(name, value, cores));
        } else if (name == "--cores" && cores > 1) {
            options.cores = value;
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
            throw std::runtime_error(name + " is no option; those are listed in " + listed_in);
        }
    }
    if (options.elf.empty()) {
        throw std::runtime_error("--elf FILE is missing");
    }
    return options;
}

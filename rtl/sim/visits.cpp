// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "visits.hpp"

#include <cinttypes>
#include <stdexcept>

Visits::Visits(const std::string &path, unsigned cells) : fired((cells + 31) / 32)
{
    char why[16384];

    if (!visits_begin(&core, path.c_str(), why, sizeof why)) {
        throw std::runtime_error(why);
    }
}

Visits::~Visits()
{
    visits_end(&core);
}

bool Visits::step(const Cycle &cycle)
{
    expiries(cycle);
    if (cycle.begins) {
        begun = cycle.number;
    }
    if (cycle.ends) {
        visits_executed(&core, visits_owner_of(&core, cycle.pc), cycle.pc, begun, cycle.number);
    }
    return visits_at_limit(&core, cycle.number);
}

void Visits::expiries(const Cycle &cycle)
{
    for (size_t word = 0; word < fired.size(); word++) {
        for (uint32_t bits = fired[word]; bits != 0; bits &= bits - 1) {
            std::fprintf(core.out, "%" PRIu64 " expiry %d\n", cycle.number,
                         static_cast<int>(32 * word) + __builtin_ctz(bits));
        }
        fired[word] = cycle.fire[word];
    }
    if (cycle.timer && !timer) {
        std::fprintf(core.out, "%" PRIu64 " timer\n", cycle.number);
    }
    timer = cycle.timer;
}

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "traffic.hpp"

#include <algorithm>
#include <cinttypes>
#include <stdexcept>

namespace
{

const char *const NAMES[] = {"own", "shared", "others", "devices", "locks"};

} // namespace

Traffic::Traffic(const std::string &path, unsigned cores)
    : file(std::fopen(path.c_str(), "w")), all(cores)
{
    if (file == nullptr) {
        throw std::runtime_error(path + ": cannot be written");
    }
}

Traffic::~Traffic()
{
    std::fclose(file);
}

void Traffic::step(unsigned core, const Cycle &cycle, bool asks, uint32_t targets)
{
    Core &one = all[core];

    one.instructions += cycle.ends ? 1 : 0;
    one.asleep += cycle.asleep ? 1 : 0;
    if (!asks) {
        return;
    }
    Target &target = one.targets[targets == 0 ? OWN : 1 + __builtin_ctz(targets)];
    if (cycle.access) {
        target.accesses++;
        target.longest = std::max(target.longest, one.waiting);
        one.waiting = 0;
    } else {
        target.waits++;
        one.waiting++;
    }
}

void Traffic::window(unsigned core, uint64_t opened_at)
{
    std::fprintf(file, "core %u window %" PRIu64 "\n", core, opened_at);
}

void Traffic::end(uint64_t cycles)
{
    std::fprintf(file, "cycles %" PRIu64 "\n", cycles);
    for (unsigned core = 0; core < all.size(); core++) {
        const Core &one = all[core];

        std::fprintf(file, "core %u instructions %" PRIu64 "\n", core, one.instructions);
        std::fprintf(file, "core %u asleep %" PRIu64 "\n", core, one.asleep);
        for (unsigned i = 0; i < TARGETS; i++) {
            const Target &target = one.targets[i];

            std::fprintf(file, "core %u %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", core, NAMES[i],
                         target.accesses, target.waits, target.longest);
        }
    }
}

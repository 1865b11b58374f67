// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
#include "window.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>

bool Window::read_line(const char *line)
{
    uint64_t a, b, c, interrupt, instants;

    if (std::sscanf(line, "end_ns %" SCNu64, &end_ns) == 1 ||
        std::sscanf(line, "late_ns %" SCNu64, &late_ns) == 1) {
        return true;
    }
    if (std::sscanf(line, "interrupt %" SCNi64 " %" SCNu64, &a, &b) == 2) {
        interrupts.push_back({a, b});
        return true;
    }
    if (std::sscanf(line, "served %" SCNi64 " %" SCNu64 " %" SCNu64, &a, &interrupt, &instants) ==
        3) {
        releasers.push_back({a, 0, false, 0, interrupt, instants});
        return true;
    }
    if (std::sscanf(line, "rows %" SCNi64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b,
                    &c, &interrupt, &instants) == 5) {
        releasers.push_back({a, b, c != 0, 0, interrupt, instants});
        return b > 0;
    }
    if (std::sscanf(line, "fires %" SCNu64 " %" SCNu64 " %" SCNu64, &a, &interrupt, &instants) ==
        3) {
        releasers.push_back({NOWHERE, 0, false, a, interrupt, instants});
        return a < 256;
    }
    return false;
}

void Window::check() const
{
    for (const Releaser &one : releasers) {
        if (one.interrupt >= interrupts.size()) {
            throw std::runtime_error("a releaser's interrupt is out of range");
        }
    }
}

// Whether the releaser of the cell that raises `interrupt` is still to serve instants of the window.
bool Window::awaits(size_t interrupt) const
{
    return std::any_of(releasers.begin(), releasers.end(), [interrupt](const Releaser &one) {
        return one.interrupt == interrupt && (one.served < one.instants || one.entering);
    });
}

bool Window::enter(size_t index, uint64_t now)
{
    Interrupt &interrupt = interrupts[index];

    interrupt.fresh = now < interrupt.cut_ns || awaits(index);
    interrupt.taken += interrupt.fresh;
    for (Releaser &one : releasers) {
        one.entering = one.entering && one.interrupt != index;
    }
    return interrupt.fresh;
}

// When all that is due in it was served. What is not served soon never is.
bool Window::is_over(uint64_t now) const
{
    if (now < end_ns) {
        return false;
    }
    for (size_t i = 0; i < interrupts.size() && now < late_ns; i++) {
        if (releasers.empty() || awaits(i)) {
            return false;
        }
    }
    return true;
}

void Window::serve(Releaser &releaser, uint64_t now)
{
    Interrupt &by = interrupts[releaser.interrupt];

    if (releaser.served < releaser.instants || by.fresh || now < by.cut_ns) {
        releaser.served++;
    }
    by.fresh = false;
}

// The first one comes before the entry that opens the window.
void Window::expire(const uint32_t *fire, uint64_t now)
{
    for (Releaser &one : releasers) {
        if (one.address == NOWHERE && (fire[one.cell / 32] >> one.cell % 32 & 1) != 0) {
            one.entering = one.served < one.instants;
            serve(one, now);
        }
    }
}

void Window::load(uint32_t address, uint64_t now)
{
    for (Releaser &one : releasers) {
        if (one.rows != 0 && address - one.address < (one.rows + 1) * 8) {
            load_row(one, address - one.address, now);
        }
    }
}

void Window::load_row(Releaser &releaser, uint64_t offset, uint64_t now)
{
    const uint64_t row = offset / 8;
    const bool is_first = offset % 8 == 0;

    if (releaser.ahead) {
        if (is_first) {
            if (row == releaser.row + 1) {
                serve(releaser, now);
            }
            releaser.row = row == releaser.rows ? NO_ROW : row;
        }
    } else if (row != releaser.row) {
        releaser.row = NO_ROW;
        if (is_first && row != releaser.rows) {
            releaser.row = row;
            serve(releaser, now);
        }
    }
}

void Window::store(uint32_t address, uint64_t now)
{
    for (Releaser &one : releasers) {
        if (one.rows == 0 && one.address == address) {
            serve(one, now);
        }
    }
}

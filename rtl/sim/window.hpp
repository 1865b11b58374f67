// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Which interrupts and which instants that releasers serve are inside the window of a watch, and when it is
// over. plugin/horolog_window.h has the same for QEMU and says more; `fires` is of this one only. Times are
// nanoseconds since the window opened, BEFORE until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

class Window
{
  public:
    static constexpr uint64_t BEFORE = UINT64_MAX;

    struct Interrupt {
        uint64_t address, cut_ns;
        uint64_t taken = 0;
        bool fresh = false; // it entered inside the window and has served nothing yet
    };
    struct Releaser {
        uint64_t address; // that is stored to, or of the rows; NOWHERE: `cell` expires
        uint64_t rows;    // how many; 0: it has no table
        bool ahead;       // a row's first word is loaded when the row before it was served
        uint64_t cell;
        uint64_t interrupt, instants, served = 0;
        uint64_t row = NO_ROW; // the one that is being served, or with `ahead` the one to come
        bool entering =
            false; // the cell has expired for the window, and its interrupt has not entered
    };

    // Returns whether it can use a line of the configuration.
    bool read_line(const char *line);
    // Throws std::runtime_error if what was read does not fit together.
    void check() const;

    const std::vector<Interrupt> &all_interrupts() const
    {
        return interrupts;
    }
    const std::vector<Releaser> &all_releasers() const
    {
        return releasers;
    }

    // Interrupt `index` has entered; returns whether that is inside.
    bool enter(size_t index, uint64_t now);
    bool is_over(uint64_t now) const;
    // The cells of the set `fire` have expired, in the kernel a word is loaded or stored.
    void expire(const uint32_t *fire, uint64_t now);
    void load(uint32_t address, uint64_t now);
    void store(uint32_t address, uint64_t now);

  private:
    static constexpr uint64_t NO_ROW = 1u << 30; // far from every other
    static constexpr uint64_t NOWHERE = UINT64_MAX;

    bool awaits(size_t interrupt) const;
    void serve(Releaser &releaser, uint64_t now);
    void load_row(Releaser &releaser, uint64_t offset, uint64_t now);

    std::vector<Interrupt> interrupts;
    std::vector<Releaser> releasers;
    uint64_t end_ns = 0, late_ns = 0;
};

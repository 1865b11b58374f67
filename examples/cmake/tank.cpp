/*
 * SPDX-FileCopyrightText: 2026 The Horolog developers
 * SPDX-License-Identifier: 0BSD
 *
 * A controller raises the level of a tank to 500 mm: objects with constructors, and a body that calls them.
 */
#include "tank.hpp"

namespace
{

class Tank
{
  public:
    constexpr explicit Tank(float level) : level_(level) {}
    float level() const
    {
        return level_;
    }
    void pour(float valve)
    {
        level_ += 0.5F * valve - 0.01F;
    }

  private:
    float level_;
};

class Controller
{
  public:
    Controller(float wanted, float gain) : wanted_(wanted), gain_(gain) {}
    float valve(float level) const
    {
        const float open = gain_ * (wanted_ - level);
        return open < 0.0F ? 0.0F : open > 1.0F ? 1.0F : open;
    }

  private:
    float wanted_;
    float gain_;
};

/* Known at run time only, so that the constructors below are called: before the kernel starts. */
volatile float first_level = 100.0F;
Tank tank(first_level);
Controller controller(500.0F, first_level / 1000.0F);

} // namespace

extern "C" void control_step()
{
    tank.pour(controller.valve(tank.level()));
    log_level(static_cast<unsigned>(tank.level() + 0.5F));
}

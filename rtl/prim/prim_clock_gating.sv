// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The core's clock gate, which only saves power. Here the clock passes always, so that the simulator has one
// clock: the core wakes in the same cycle with and without it, but mcycle runs on in WFI.
module prim_clock_gating #(
  parameter bit NoFpgaGate    = 1'b0,
  parameter bit FpgaBufGlobal = 1'b1
) (
  input  logic clk_i,
  input  logic en_i,
  input  logic test_en_i,
  output logic clk_o
);
  logic unused_gate;

  assign unused_gate = en_i ^ test_en_i ^ NoFpgaGate ^ FpgaBufGlobal;
  assign clk_o = clk_i;
endmodule

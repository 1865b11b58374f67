// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// One of two clocks.
module prim_clock_mux2 #(
  parameter bit NoFpgaBufG = 1'b0
) (
  input  logic clk0_i,
  input  logic clk1_i,
  input  logic sel_i,
  output logic clk_o
);
  logic unused_parameter;

  assign unused_parameter = NoFpgaBufG;
  assign clk_o = sel_i ? clk1_i : clk0_i;
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Registers for locks, as the core has no atomic instructions. A register is in three windows:
//
//   +0x000  VALUE      loads and stores
//   +0x400  INCREMENT  a load returns the value, and adds one
//   +0x800  SET        a load returns the value, and makes it 1
//
// One access a cycle, so what a load returns and what it leaves belong together. Anything else is an error, and
// changes nothing.
module hrl_locks #(
  parameter int unsigned LOCKS = 64,
  localparam int unsigned INDEX = $clog2(LOCKS)
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        select_i,
  input  logic        we_i,
  input  logic [3:0]  be_i,
  input  logic [11:2] addr_i,   // 2 bits of window, 8 bits of register
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,  // in the following cycle, as is
  output logic        error_o
);
  localparam logic [1:0] VALUE     = 2'd0;
  localparam logic [1:0] INCREMENT = 2'd1;
  localparam logic [1:0] SET       = 2'd2;

  logic [32*LOCKS-1:0] value_q;
  logic [1:0]          window;
  logic [INDEX-1:0]    index;
  logic                known;
  logic [31:0]         value;

  assign window = addr_i[11:10];
  assign index  = addr_i[2+:INDEX];
  assign known  = (be_i == 4'hF) & (addr_i[9:2] <= 8'(LOCKS - 1)) &
      (we_i ? window == VALUE : window != 2'd3);
  assign value  = value_q[32*index+:32];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      value_q <= '0;
    end else if (select_i & known) begin
      if (we_i) begin
        value_q[32*index+:32] <= wdata_i;
      end else if (window == INCREMENT) begin
        value_q[32*index+:32] <= value + 32'd1;
      end else if (window == SET) begin
        value_q[32*index+:32] <= 32'd1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_o <= 1'b0;
      rdata_o <= 32'd0;
    end else if (select_i) begin
      error_o <= ~known;
      rdata_o <= value;
    end
  end
endmodule

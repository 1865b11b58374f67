// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The table of handlers' addresses: one port, read in one cycle and there in the next, as a
// microcontroller's memory macro is. Not reset.
module hrl_handlers #(
  parameter int unsigned ENTRIES = 97,
  localparam int unsigned INDEX = $clog2(ENTRIES)
) (
  input  logic             clk_i,
  input  logic             request_i,
  input  logic             we_i,
  input  logic [INDEX-1:0] index_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o
);
  logic [31:0] handlers_q[ENTRIES];

  always_ff @(posedge clk_i) begin
    if (request_i) begin
      if (we_i) begin
        handlers_q[index_i] <= wdata_i;
      end else begin
        rdata_o <= handlers_q[index_i];
      end
    end
  end
endmodule

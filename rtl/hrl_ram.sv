// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Memory with a port for instructions and one for data, both answered in the following cycle.
module hrl_ram #(
  parameter int unsigned WORDS = 1 << 20,
  localparam int unsigned INDEX = $clog2(WORDS)
) (
  input  logic             clk_i,
  input  logic             fetch_i,
  input  logic [INDEX-1:0] fetch_addr_i,
  output logic [31:0]      fetch_rdata_o,
  input  logic             select_i,
  input  logic             we_i,
  input  logic [3:0]       be_i,
  input  logic [INDEX-1:0] addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o
);
  logic [31:0] words[WORDS]  /* verilator public_flat_rw */;  // the bench loads programs here

  always_ff @(posedge clk_i) begin
    if (fetch_i) begin
      fetch_rdata_o <= words[fetch_addr_i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (select_i) begin
      if (we_i) begin
        if (be_i[0]) words[addr_i][7:0] <= wdata_i[7:0];
        if (be_i[1]) words[addr_i][15:8] <= wdata_i[15:8];
        if (be_i[2]) words[addr_i][23:16] <= wdata_i[23:16];
        if (be_i[3]) words[addr_i][31:24] <= wdata_i[31:24];
      end else begin
        rdata_o <= words[addr_i];
      end
    end
  end
endmodule

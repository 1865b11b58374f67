// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Memory with several ports, each answered in the following cycle. A load finds what was there before the stores of its
// cycle; of two stores to one byte in one cycle, that of the port with the higher number remains.
module hrl_ports_ram #(
  parameter int unsigned WORDS = 1 << 20,
  parameter int unsigned PORTS = 1,
  localparam int unsigned INDEX = $clog2(WORDS)
) (
  input  logic                   clk_i,
  input  logic [PORTS-1:0]       select_i,
  input  logic [PORTS-1:0]       we_i,
  input  logic [4*PORTS-1:0]     be_i,
  input  logic [INDEX*PORTS-1:0] addr_i,
  input  logic [32*PORTS-1:0]    wdata_i,
  output logic [32*PORTS-1:0]    rdata_o
);
  logic [31:0] words[WORDS]  /* verilator public_flat_rw */;  // the bench loads programs here

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < PORTS; p++) begin
      if (select_i[p]) begin
        if (we_i[p]) begin
          if (be_i[4*p+0]) words[addr_i[INDEX*p+:INDEX]][7:0] <= wdata_i[32*p+0+:8];
          if (be_i[4*p+1]) words[addr_i[INDEX*p+:INDEX]][15:8] <= wdata_i[32*p+8+:8];
          if (be_i[4*p+2]) words[addr_i[INDEX*p+:INDEX]][23:16] <= wdata_i[32*p+16+:8];
          if (be_i[4*p+3]) words[addr_i[INDEX*p+:INDEX]][31:24] <= wdata_i[32*p+24+:8];
        end else begin
          rdata_o[32*p+:32] <= words[addr_i[INDEX*p+:INDEX]];
        end
      end
    end
  end
endmodule

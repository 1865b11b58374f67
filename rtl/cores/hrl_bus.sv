// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// One target that several cores share: one access a cycle, in turns. An access that is granted is on the target's side
// in the same cycle, and the target answers in the following one, as it does where there is one core; each core knows
// what it asked for, so all see the same answer. A request is held until it is granted, PORTS - 1 cycles at most; the
// cycles in which it is not are counted for each port, modulo 2^32.
module hrl_bus #(
  parameter int unsigned PORTS = 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [PORTS-1:0]    request_i,
  input  logic [PORTS-1:0]    we_i,
  input  logic [4*PORTS-1:0]  be_i,
  input  logic [32*PORTS-1:0] addr_i,
  input  logic [32*PORTS-1:0] wdata_i,
  output logic [PORTS-1:0]    grant_o,
  output logic [32*PORTS-1:0] waits_o,
  // The target's side.
  output logic                request_o,
  output logic                we_o,
  output logic [3:0]          be_o,
  output logic [31:0]         addr_o,
  output logic [31:0]         wdata_o
);
  hrl_arbiter #(.PORTS(PORTS)) u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i,
    .grant_o
  );

  assign request_o = request_i != '0;

  always_comb begin
    we_o    = 1'b0;
    be_o    = 4'd0;
    addr_o  = 32'd0;
    wdata_o = 32'd0;
    for (int i = 0; i < PORTS; i++) begin
      if (grant_o[i]) begin
        we_o    = we_i[i];
        be_o    = be_i[4*i+:4];
        addr_o  = addr_i[32*i+:32];
        wdata_o = wdata_i[32*i+:32];
      end
    end
  end

  for (genvar i = 0; i < PORTS; i++) begin : g_waits
    logic [31:0] waits_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waits_q <= 32'd0;
      end else if (request_i[i] & ~grant_o[i]) begin
        waits_q <= waits_q + 32'd1;
      end
    end

    assign waits_o[32*i+:32] = waits_q;
  end
endmodule

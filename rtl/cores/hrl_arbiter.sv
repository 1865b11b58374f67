// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Which of the ports that ask has the next turn: the first behind the one that had the last, round the ports. A
// port that keeps asking is granted after at most PORTS - 1 grants to others.
module hrl_arbiter #(
  parameter int unsigned PORTS = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [PORTS-1:0] request_i,
  output logic [PORTS-1:0] grant_o     // in the same cycle: one of them, if there is any
);
  logic [PORTS-1:0] behind_q;  // the ports of a higher number than the last one's
  logic [PORTS-1:0] first;     // those of them that ask, or else all that ask

  assign first   = ((request_i & behind_q) != '0) ? request_i & behind_q : request_i;
  assign grant_o = first & (~first + PORTS'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= '0;
    end else if (request_i != '0) begin
      behind_q <= ~(grant_o | (grant_o - PORTS'(1)));
    end
  end
endmodule

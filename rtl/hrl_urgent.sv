// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The most urgent of some sources: the largest priority; among equals the lowest number. A balanced tree
// of comparators, so its depth grows with the logarithm of their number.
module hrl_urgent #(
  parameter int unsigned SOURCES = 97,
  localparam int unsigned INDEX = $clog2(SOURCES)
) (
  input  logic [SOURCES-1:0]   candidate_i,
  input  logic [5*SOURCES-1:0] priority_i,
  output logic                 valid_o,
  output logic [4:0]           priority_o,
  output logic [INDEX-1:0]     index_o
);
  localparam int unsigned LEAVES = 1 << INDEX;

  // A tree as a heap is laid out: the children of node i are 2i and 2i + 1, its root is 1. Each node has
  // the key of the better child (is there one, and its priority), and which child that was.
  logic [12*LEAVES-1:0] key;
  logic [LEAVES-1:0]    right;
  logic [INDEX-1:0]     path;  // from the root down to the leaf, so its number

  always_comb begin
    key   = '0;
    right = '0;
    path  = '0;
    if (candidate_i != '0) begin
      for (int i = 0; i < SOURCES; i++) begin
        key[6*(LEAVES+i)+:6] = candidate_i[i] ? {1'b1, priority_i[5*i+:5]} : 6'd0;
      end
      for (int i = LEAVES - 1; i > 0; i--) begin
        right[i]    = key[6*(2*i+1)+:6] > key[6*2*i+:6];
        key[6*i+:6] = right[i] ? key[6*(2*i+1)+:6] : key[6*2*i+:6];
      end
      for (int i = 0; i < INDEX; i++) begin
        path = {path[INDEX-2:0], right[INDEX'(1<<i)|path]};
      end
    end
  end

  assign valid_o    = key[11];
  assign priority_o = key[10:6];
  assign index_o    = path;
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The most urgent of some sources: the largest priority; among equals the lowest number. A balanced tree
// of comparators, so its depth grows with the logarithm of their number.
module hrl_urgent #(
  parameter int unsigned SOURCES = 97,
  localparam int unsigned INDEX = $clog2(SOURCES)
) (
  input  logic [SOURCES-1:0]      candidate_i,
  input  logic [SOURCES-1:0][4:0] priority_i,
  output logic                    valid_o,
  output logic [4:0]              priority_o,
  output logic [INDEX-1:0]        index_o
);
  localparam int unsigned LEAVES = 1 << INDEX;

  // A tree as a heap is laid out: the children of node i are 2i and 2i + 1, its root is 1. Each node has
  // the key of the better child (is there one, and its priority), and which child that was.
  logic [2*LEAVES-1:0][5:0] key;
  logic [LEAVES-1:0]        right;
  logic [INDEX:0]           node;

  always_comb begin
    key   = '0;
    right = '0;
    node  = (INDEX + 1)'(1);
    if (candidate_i != '0) begin
      for (int i = 0; i < SOURCES; i++) begin
        key[LEAVES+i] = candidate_i[i] ? {1'b1, priority_i[i]} : 6'd0;
      end
      for (int i = LEAVES - 1; i > 0; i--) begin
        right[i] = key[2*i+1] > key[2*i];
        key[i]   = right[i] ? key[2*i+1] : key[2*i];
      end
      for (int i = 0; i < INDEX; i++) begin
        node = {node[INDEX-1:0], right[node[INDEX-1:0]]};
      end
    end
  end

  assign valid_o    = key[1][5];
  assign priority_o = key[1][4:0];
  assign index_o    = node[INDEX-1:0];
endmodule

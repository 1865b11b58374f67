// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The timer cells, four words each, and their request lines: one a cell, or, as on the TC1796, one for
// four neighbours.
module hrl_cells #(
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_LINES = 1'b0,
  localparam int unsigned LINES = SHARED_LINES ? (CELLS + 3) / 4 : CELLS
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      run_i,
  input  logic [15:1]      restart_i,
  input  logic             select_i,  // an access to a cell that exists
  input  logic             we_i,
  input  logic [11:2]      addr_i,    // 8 bits of cell, 2 bits of register
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,   // in the following cycle
  output logic [CELLS-1:0] fire_o,
  output logic [LINES-1:0] request_o
);
  localparam int unsigned INDEX = $clog2(CELLS);

  // One word a cell. (Flat vectors, here and in the controller, as Yosys 0.23 reads no arrays of vectors.)
  logic [32*CELLS-1:0] count;
  logic [32*CELLS-1:0] compare;
  logic [32*CELLS-1:0] control;
  logic [32*CELLS-1:0] status;
  logic [CELLS-1:0]    request;
  logic                write;
  logic [INDEX-1:0]    index;

  assign write = select_i & we_i;
  assign index = addr_i[4+:INDEX];

  for (genvar n = 0; n < CELLS; n++) begin : g_cell
    hrl_cell u_cell (
      .clk_i,
      .rst_ni,
      .run_i,
      .restart_i ({restart_i, 1'b0}),
      .write_i   (write & (index == INDEX'(n))),
      .register_i(addr_i[3:2]),
      .wdata_i,
      .count_o   (count[32*n+:32]),
      .compare_o (compare[32*n+:32]),
      .control_o (control[32*n+:32]),
      .status_o  (status[32*n+:32]),
      .fire_o    (fire_o[n]),
      .request_o (request[n])
    );
  end

  if (SHARED_LINES) begin : g_shared
    for (genvar n = 0; n < LINES; n++) begin : g_line
      localparam int unsigned WIDTH = (CELLS - 4 * n) < 4 ? CELLS - 4 * n : 4;
      assign request_o[n] = |request[4*n+:WIDTH];
    end
  end else begin : g_own
    assign request_o = request;
  end

  always_ff @(posedge clk_i) begin
    if (select_i & ~we_i) begin
      case (addr_i[3:2])
        2'd0:    rdata_o <= count[32*index+:32];
        2'd1:    rdata_o <= compare[32*index+:32];
        2'd2:    rdata_o <= control[32*index+:32];
        default: rdata_o <= status[32*index+:32];
      endcase
    end
  end
endmodule

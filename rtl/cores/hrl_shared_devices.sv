// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The devices that all cores share behind one port: the timer cells and their routes, the time base, the console, the
// finisher, the trace port. Every access is answered in the following cycle; one that meets nothing, or is no whole word
// where there are registers, with an error.
//
//   0x0010_0000 finisher, +0x1000 trace port   0x0200_BFF8 MTIME, stores only   0x1000_0000 console
//   0x4000_0000 timer cells                    0x4002_0000 their routes, a word each
module hrl_shared_devices #(
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   request_i,
  input  logic                   we_i,
  input  logic [3:0]             be_i,
  input  logic [31:0]            addr_i,
  input  logic [31:0]            wdata_i,
  output logic [31:0]            rdata_o,          // in the following cycle, as is
  output logic                   error_o,
  output logic [63:0]            time_o,
  input  logic [16*CORES-1:0]    run_i,
  input  logic [16*CORES-1:0]    restart_i,
  output logic [CELLS*CORES-1:0] fire_o,
  output logic [CELLS*CORES-1:0] cell_request_o,
  // What programs say to the world; each valid for a cycle.
  output logic                   console_valid_o,
  output logic [7:0]             console_byte_o,
  output logic                   finish_valid_o,
  output logic [31:0]            finish_word_o,
  output logic                   trace_valid_o,
  output logic [31:0]            trace_word_o
);
  logic        at_finisher;
  logic        at_trace;
  logic        at_time;
  logic        at_console;
  logic        at_cells;
  logic        at_routes;
  logic        whole;
  logic        known;
  logic        no_core;
  logic [31:0] cells_rdata;
  logic [63:0] time_q;

  assign at_finisher = addr_i[31:2] == 30'(32'h0010_0000 >> 2);
  assign at_trace    = addr_i[31:2] == 30'(32'h0010_1000 >> 2);
  assign at_time     = (addr_i[31:3] == 29'(32'h0200_BFF8 >> 3)) & we_i;
  assign at_console  = addr_i[31:3] == 29'(32'h1000_0000 >> 3);
  assign at_cells    = (addr_i[31:12] == 20'h4000_0) & (addr_i[11:4] <= 8'(CELLS - 1));
  assign at_routes   = (addr_i[31:10] == 22'(32'h4002_0000 >> 10)) & (addr_i[9:2] <= 8'(CELLS - 1));
  assign whole       = be_i == 4'hF;
  assign known       = at_console |
      (whole & ~no_core & (at_finisher | at_trace | at_time | at_cells | at_routes));

  hrl_routed_cells #(
    .CORES(CORES),
    .CELLS(CELLS)
  ) u_cells (
    .clk_i,
    .rst_ni,
    .run_i,
    .restart_i,
    .select_cell_i (request_i & at_cells & whole),
    .select_route_i(request_i & at_routes & whole),
    .we_i,
    .addr_i        (addr_i[11:2]),
    .wdata_i,
    .rdata_o       (cells_rdata),
    .error_o       (no_core),
    .fire_o,
    .request_o     (cell_request_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= 64'd0;
    end else begin
      time_q <= time_q + 64'd1;
      if (request_i & at_time & whole) begin
        time_q <= addr_i[2] ? {wdata_i, time_q[31:0]} : {time_q[63:32], wdata_i};
      end
    end
  end

  logic cells_q;
  logic ready_q;  // the console's line status: may be written

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_o <= 1'b0;
      cells_q <= 1'b0;
      ready_q <= 1'b0;
    end else if (request_i) begin
      error_o <= ~known;
      cells_q <= at_cells | at_routes;
      ready_q <= at_console & addr_i[2];
    end
  end

  always_comb begin
    if (cells_q) begin
      rdata_o = cells_rdata;
    end else begin
      rdata_o = ready_q ? 32'h0000_6000 : 32'd0;  // byte 5: nothing is left to be sent
    end
  end

  assign time_o          = time_q;
  assign console_valid_o = request_i & at_console & we_i & be_i[0] & ~addr_i[2];
  assign console_byte_o  = wdata_i[7:0];
  assign finish_valid_o  = request_i & at_finisher & we_i & whole;
  assign finish_word_o   = wdata_i;
  assign trace_valid_o   = request_i & at_trace & we_i & whole;
  assign trace_word_o    = wdata_i;
endmodule

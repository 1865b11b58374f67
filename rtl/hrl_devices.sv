// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// All devices of the board behind one port: the CLINT's counter, the timer cells and their interrupt controller,
// the console, the finisher, the trace port. Every access is granted at once and answered in the following
// cycle; one that meets nothing, or is no whole word where there are registers, with an error.
//
//   0x0010_0000 finisher (0x5555 passes, status << 16 | 0x3333 fails), +0x1000 trace port
//   0x0200_0000 CLINT            0x1000_0000 console
//   0x4000_0000 timer cells      0x4001_0000 the controller's tables
//   0xFFFF_FF00 the controller's registers next to address 0
module hrl_devices #(
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_LINES = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             request_i,
  input  logic             we_i,
  input  logic [3:0]       be_i,
  input  logic [31:0]      addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,  // in the following cycle, as is
  output logic             error_o,
  output logic             irq_software_o,
  output logic             irq_timer_o,
  output logic             irq_external_o,
  // What programs say to the world; each valid for a cycle.
  output logic             console_valid_o,
  output logic [7:0]       console_byte_o,
  output logic             finish_valid_o,
  output logic [31:0]      finish_word_o,
  output logic             trace_valid_o,
  output logic [31:0]      trace_word_o,
  // For the bench.
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o,
  output logic [CELLS-1:0] fire_o
);
  localparam int unsigned LINES = SHARED_LINES ? (CELLS + 3) / 4 : CELLS;

  logic [63:0]      now;
  logic [15:0]      run;
  logic [15:1]      restart;
  logic [LINES-1:0] requests;

  // The register that the access selects.
  logic at_finisher;
  logic at_trace;
  logic at_clint;
  logic at_console;
  logic at_cells;
  logic at_bulk;
  logic at_hot;
  logic whole;
  logic known;

  assign at_finisher = addr_i[31:2] == 30'(32'h0010_0000 >> 2);
  assign at_trace    = addr_i[31:2] == 30'(32'h0010_1000 >> 2);
  assign at_clint    = addr_i[31:16] == 16'h0200;
  assign at_console  = addr_i[31:3] == 29'(32'h1000_0000 >> 3);
  assign at_cells    = (addr_i[31:12] == 20'h4000_0) & (addr_i[11:4] <= 8'(CELLS - 1));
  assign at_bulk     = addr_i[31:13] == 19'(32'h4001_0000 >> 13);
  assign at_hot      = (addr_i[31:6] == 26'(32'hFFFF_FF00 >> 6)) & (addr_i[5:2] < 4'd13);
  assign whole       = be_i == 4'hF;
  assign known       = at_console |
      (whole & (at_finisher | at_trace | at_clint | at_cells | at_bulk | at_hot));

  logic [31:0] clint_rdata;
  logic [31:0] cells_rdata;
  logic [31:0] controller_rdata;

  hrl_clint u_clint (
    .clk_i,
    .rst_ni,
    .select_i(request_i & at_clint & whole),
    .we_i,
    .addr_i  (addr_i[15:2]),
    .wdata_i,
    .rdata_o (clint_rdata),
    .time_o  (now),
    .irq_software_o,
    .irq_timer_o
  );

  hrl_cells #(
    .CELLS       (CELLS),
    .SHARED_LINES(SHARED_LINES)
  ) u_cells (
    .clk_i,
    .rst_ni,
    .run_i    (run),
    .restart_i(restart),
    .select_i (request_i & at_cells & whole),
    .we_i,
    .addr_i   (addr_i[11:2]),
    .wdata_i,
    .rdata_o  (cells_rdata),
    .fire_o,
    .request_o(requests)
  );

  hrl_controller #(.LINES(LINES)) u_controller (
    .clk_i,
    .rst_ni,
    .request_i    (requests),
    .time_i       (now),
    .run_o        (run),
    .restart_o    (restart),
    .irq_o        (irq_external_o),
    .select_hot_i (request_i & at_hot & whole),
    .select_bulk_i(request_i & at_bulk & whole),
    .we_i,
    .addr_i       (addr_i[12:2]),
    .wdata_i,
    .rdata_o      (controller_rdata),
    .claim_o,
    .complete_o,
    .source_o
  );

  // Answers, in the cycle after the request.
  logic clint_q;
  logic cells_q;
  logic controller_q;
  logic ready_q;  // the console's line status: may be written

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_o      <= 1'b0;
      clint_q      <= 1'b0;
      cells_q      <= 1'b0;
      controller_q <= 1'b0;
      ready_q      <= 1'b0;
    end else if (request_i) begin
      error_o      <= ~known;
      clint_q      <= at_clint;
      cells_q      <= at_cells;
      controller_q <= at_bulk | at_hot;
      ready_q      <= at_console & addr_i[2];
    end
  end

  always_comb begin
    if (controller_q) begin
      rdata_o = controller_rdata;
    end else if (cells_q) begin
      rdata_o = cells_rdata;
    end else if (clint_q) begin
      rdata_o = clint_rdata;
    end else begin
      rdata_o = ready_q ? 32'h0000_6000 : 32'd0;  // byte 5: nothing is left to be sent
    end
  end

  assign console_valid_o = request_i & at_console & we_i & be_i[0] & ~addr_i[2];
  assign console_byte_o  = wdata_i[7:0];
  assign finish_valid_o  = request_i & at_finisher & we_i & whole;
  assign finish_word_o   = wdata_i;
  assign trace_valid_o   = request_i & at_trace & we_i & whole;
  assign trace_word_o    = wdata_i;
endmodule

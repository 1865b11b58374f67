// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The board ibex-cells: an Ibex core, memory without wait states, the CLINT's counter, the timer cells and
// their interrupt controller. Every access is granted at once and answered in the following cycle; one
// that meets nothing, or is no whole word where there are registers, is answered with an error, which
// is an access fault.
//
//   0x0010_0000 finisher (0x5555 passes, status << 16 | 0x3333 fails), +0x1000 trace port
//   0x0200_0000 CLINT            0x1000_0000 console
//   0x4000_0000 timer cells      0x4001_0000 the controller's tables
//   0x8000_0000 memory, 4 MiB    0xFFFF_FF00 the controller's registers next to address 0
module hrl_soc #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_LINES = 1'b0,
  localparam int unsigned LINES = SHARED_LINES ? (CELLS + 3) / 4 : CELLS
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // What programs say to the world; each valid for a cycle.
  output logic             console_valid_o,
  output logic [7:0]       console_byte_o,
  output logic             finish_valid_o,
  output logic [31:0]      finish_word_o,
  output logic             trace_valid_o,
  output logic [31:0]      trace_word_o,
  // For the bench.
  output logic             data_req_o,
  output logic             data_we_o,
  output logic [3:0]       data_be_o,
  output logic [31:0]      data_addr_o,
  output logic [31:0]      data_wdata_o,
  output logic             irq_o,
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o,
  output logic [CELLS-1:0] fire_o
);
  localparam int unsigned RAM_WORDS = 1 << 20;

  // The core's ports.
  logic        fetch_req;
  logic        fetch_valid_q;
  logic        fetch_error_q;
  logic [31:0] fetch_addr;
  logic [31:0] fetch_rdata;
  logic        data_req;
  logic        data_we;
  logic [3:0]  data_be;
  logic [31:0] data_addr;
  logic [31:0] data_wdata;
  logic [31:0] data_rdata;
  logic        data_valid_q;
  logic        data_error_q;

  logic        irq_software;
  logic        irq_timer;
  logic        irq_external;
  logic [63:0] now;
  logic [15:0] run;
  logic [LINES-1:0] request;

  // Who is meant.
  logic at_ram;
  logic at_finisher;
  logic at_trace;
  logic at_clint;
  logic at_console;
  logic at_cells;
  logic at_bulk;
  logic at_hot;
  logic whole;
  logic known;

  assign at_ram      = data_addr[31:22] == 10'h200;
  assign at_finisher = data_addr[31:2] == 30'(32'h0010_0000 >> 2);
  assign at_trace    = data_addr[31:2] == 30'(32'h0010_1000 >> 2);
  assign at_clint    = data_addr[31:16] == 16'h0200;
  assign at_console  = data_addr[31:3] == 29'(32'h1000_0000 >> 3);
  assign at_cells    = (data_addr[31:12] == 20'h4000_0) & (data_addr[11:4] <= 8'(CELLS - 1));
  assign at_bulk     = data_addr[31:13] == 19'(32'h4001_0000 >> 13);
  assign at_hot      = (data_addr[31:6] == 26'(32'hFFFF_FF00 >> 6)) & (data_addr[5:2] < 4'd12);
  assign whole       = data_be == 4'hF;
  assign known       = at_ram | at_console |
      (whole & (at_finisher | at_trace | at_clint | at_cells | at_bulk | at_hot));

  logic [31:0] ram_rdata;
  logic [31:0] clint_rdata;
  logic [31:0] cells_rdata;
  logic [31:0] controller_rdata;

  hrl_ram #(.WORDS(RAM_WORDS)) u_ram (
    .clk_i,
    .fetch_i      (fetch_req),
    .fetch_addr_i (fetch_addr[21:2]),
    .fetch_rdata_o(fetch_rdata),
    .select_i     (data_req & at_ram),
    .we_i         (data_we),
    .be_i         (data_be),
    .addr_i       (data_addr[21:2]),
    .wdata_i      (data_wdata),
    .rdata_o      (ram_rdata)
  );

  hrl_clint u_clint (
    .clk_i,
    .rst_ni,
    .select_i      (data_req & at_clint & whole),
    .we_i          (data_we),
    .addr_i        (data_addr[15:2]),
    .wdata_i       (data_wdata),
    .rdata_o       (clint_rdata),
    .time_o        (now),
    .irq_software_o(irq_software),
    .irq_timer_o   (irq_timer)
  );

  hrl_cells #(
    .CELLS       (CELLS),
    .SHARED_LINES(SHARED_LINES)
  ) u_cells (
    .clk_i,
    .rst_ni,
    .run_i    (run),
    .select_i (data_req & at_cells & whole),
    .we_i     (data_we),
    .addr_i   (data_addr[11:2]),
    .wdata_i  (data_wdata),
    .rdata_o  (cells_rdata),
    .fire_o,
    .request_o(request)
  );

  hrl_controller #(.LINES(LINES)) u_controller (
    .clk_i,
    .rst_ni,
    .request_i    (request),
    .time_i       (now),
    .run_o        (run),
    .irq_o        (irq_external),
    .select_hot_i (data_req & at_hot & whole),
    .select_bulk_i(data_req & at_bulk & whole),
    .we_i         (data_we),
    .addr_i       (data_addr[12:2]),
    .wdata_i      (data_wdata),
    .rdata_o      (controller_rdata),
    .claim_o,
    .complete_o,
    .source_o
  );

  // Answers, in the cycle after the request.
  logic ram_q;
  logic clint_q;
  logic cells_q;
  logic controller_q;
  logic ready_q;  // the console's line status: may be written

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_q <= 1'b0;
      fetch_error_q <= 1'b0;
      data_valid_q  <= 1'b0;
      data_error_q  <= 1'b0;
      ram_q         <= 1'b0;
      clint_q       <= 1'b0;
      cells_q       <= 1'b0;
      controller_q  <= 1'b0;
      ready_q       <= 1'b0;
    end else begin
      fetch_valid_q <= fetch_req;
      fetch_error_q <= fetch_req & (fetch_addr[31:22] != 10'h200);
      data_valid_q  <= data_req;
      data_error_q  <= data_req & ~known;
      ram_q         <= at_ram;
      clint_q       <= at_clint;
      cells_q       <= at_cells;
      controller_q  <= at_bulk | at_hot;
      ready_q       <= at_console & data_addr[2];
    end
  end

  always_comb begin
    if (ram_q) begin
      data_rdata = ram_rdata;
    end else if (controller_q) begin
      data_rdata = controller_rdata;
    end else if (cells_q) begin
      data_rdata = cells_rdata;
    end else if (clint_q) begin
      data_rdata = clint_rdata;
    end else begin
      data_rdata = ready_q ? 32'h0000_6000 : 32'd0;
    end
  end

  ibex_top #(
    .RV32M          (MAXPERF ? ibex_pkg::RV32MSingleCycle : ibex_pkg::RV32MFast),
    .BranchTargetALU(MAXPERF),
    .WritebackStage (MAXPERF)
  ) u_ibex (
    .clk_i,
    .rst_ni,
    .test_en_i             (1'b0),
    .ram_cfg_i             ('0),
    .hart_id_i             (32'd0),
    .boot_addr_i           (32'h8000_0000),
    .instr_req_o           (fetch_req),
    .instr_gnt_i           (1'b1),
    .instr_rvalid_i        (fetch_valid_q),
    .instr_addr_o          (fetch_addr),
    .instr_rdata_i         (fetch_rdata),
    .instr_rdata_intg_i    ('0),
    .instr_err_i           (fetch_error_q),
    .data_req_o            (data_req),
    .data_gnt_i            (1'b1),
    .data_rvalid_i         (data_valid_q),
    .data_we_o             (data_we),
    .data_be_o             (data_be),
    .data_addr_o           (data_addr),
    .data_wdata_o          (data_wdata),
    .data_wdata_intg_o     (),
    .data_rdata_i          (data_rdata),
    .data_rdata_intg_i     ('0),
    .data_err_i            (data_error_q),
    .irq_software_i        (irq_software),
    .irq_timer_i           (irq_timer),
    .irq_external_i        (irq_external),
    .irq_fast_i            (15'd0),
    .irq_nm_i              (1'b0),
    .scramble_key_valid_i  (1'b0),
    .scramble_key_i        ('0),
    .scramble_nonce_i      ('0),
    .scramble_req_o        (),
    .debug_req_i           (1'b0),
    .crash_dump_o          (),
    .double_fault_seen_o   (),
    .fetch_enable_i        (ibex_pkg::IbexMuBiOn),
    .alert_minor_o         (),
    .alert_major_internal_o(),
    .alert_major_bus_o     (),
    .core_sleep_o          (),
    .scan_rst_ni           (1'b1)
  );

  assign console_valid_o = data_req & at_console & data_we & data_be[0] & ~data_addr[2];
  assign console_byte_o  = data_wdata[7:0];
  assign finish_valid_o  = data_req & at_finisher & data_we & whole;
  assign finish_word_o   = data_wdata;
  assign trace_valid_o   = data_req & at_trace & data_we & whole;
  assign trace_word_o    = data_wdata;

  assign data_req_o   = data_req;
  assign data_we_o    = data_we;
  assign data_be_o    = data_be;
  assign data_addr_o  = data_addr;
  assign data_wdata_o = data_wdata;
  assign irq_o        = irq_external;
endmodule

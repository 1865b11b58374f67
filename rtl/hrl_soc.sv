// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The board ibex-cells: an Ibex core, 4 MiB of memory without wait states at 0x8000_0000, and our devices
// everywhere else. Every access is granted at once and answered in the following cycle.
module hrl_soc #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_LINES = 1'b0
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
  localparam logic [9:0]  RAM_AT = 10'h200;  // of an address the upper bits

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
  logic        data_valid_q;

  logic        irq_software;
  logic        irq_timer;
  logic        irq_external;

  logic        at_ram;
  logic        from_ram_q;
  logic [31:0] ram_rdata;
  logic [31:0] device_rdata;
  logic        device_error;

  assign at_ram = data_addr[31:22] == RAM_AT;

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

  hrl_devices #(
    .CELLS       (CELLS),
    .SHARED_LINES(SHARED_LINES)
  ) u_devices (
    .clk_i,
    .rst_ni,
    .request_i     (data_req & ~at_ram),
    .we_i          (data_we),
    .be_i          (data_be),
    .addr_i        (data_addr),
    .wdata_i       (data_wdata),
    .rdata_o       (device_rdata),
    .error_o       (device_error),
    .irq_software_o(irq_software),
    .irq_timer_o   (irq_timer),
    .irq_external_o(irq_external),
    .console_valid_o,
    .console_byte_o,
    .finish_valid_o,
    .finish_word_o,
    .trace_valid_o,
    .trace_word_o,
    .claim_o,
    .complete_o,
    .source_o,
    .fire_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_q <= 1'b0;
      fetch_error_q <= 1'b0;
      data_valid_q  <= 1'b0;
      from_ram_q    <= 1'b0;
    end else begin
      fetch_valid_q <= fetch_req;
      fetch_error_q <= fetch_addr[31:22] != RAM_AT;
      data_valid_q  <= data_req;
      from_ram_q    <= at_ram;
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
    .data_rdata_i          (from_ram_q ? ram_rdata : device_rdata),
    .data_rdata_intg_i     ('0),
    .data_err_i            (device_error & ~from_ram_q),
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

  assign data_req_o   = data_req;
  assign data_we_o    = data_we;
  assign data_be_o    = data_be;
  assign data_addr_o  = data_addr;
  assign data_wdata_o = data_wdata;
  assign irq_o        = irq_external;
endmodule

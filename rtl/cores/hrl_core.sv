// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// One core of several: an Ibex core, its own devices, and where each of its accesses goes. What is its own is granted
// at once; what it shares is granted by the soc, and answered in the following cycle as everything is.
//
//   0x8000_0000  code: fetches and loads            own port
//   0x9000_0000  its private memory                 own port
//   0x9100_0000 + 0x10_0000 * core: private memory of that core; own port if it is this one, or else OTHERS
//   0xA000_0000  shared memory                      SHARED
//   0x4005_0000  locks                              LOCKS
//   its own devices (hrl_own_devices)               own port
//   all else                                        DEVICES
module hrl_core #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [2:0]       hart_id_i,
  output logic             fetch_req_o,
  output logic [31:0]      fetch_addr_o,
  input  logic [31:0]      fetch_rdata_i,
  // The data bus: whether the access of this cycle is granted, and by which target.
  output logic             data_req_o,
  output logic             data_gnt_o,
  output logic             data_we_o,
  output logic [3:0]       data_be_o,
  output logic [31:0]      data_addr_o,
  output logic [31:0]      data_wdata_o,
  output logic             code_select_o,
  input  logic [31:0]      code_rdata_i,
  output logic             private_select_o,
  input  logic [31:0]      private_rdata_i,
  output logic [3:0]       shared_req_o,     // of SHARED, OTHERS, DEVICES, LOCKS one at most
  input  logic [3:0]       shared_gnt_i,
  input  logic [127:0]     shared_rdata_i,
  input  logic [3:0]       shared_error_i,
  // To and from the shared devices and the other cores.
  input  logic [63:0]      time_i,
  input  logic [CELLS-1:0] cell_request_i,
  output logic [15:0]      run_o,
  output logic [15:0]      restart_o,
  input  logic [95:0]      waits_i,
  output logic             msip_write_o,
  output logic             raise_write_o,
  output logic [2:0]       to_o,
  input  logic [CORES-1:0] msip_i,
  input  logic [31:0]      raise_i,
  // For the bench.
  output logic             irq_o,
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o,
  output logic             quantum_fire_o
);
  localparam int unsigned SHARED  = 0;
  localparam int unsigned OTHERS  = 1;
  localparam int unsigned DEVICES = 2;
  localparam int unsigned LOCKS   = 3;

  logic        irq_software;
  logic        irq_timer;
  logic        at_code;
  logic        at_numbered;  // private memory of a core, by its number
  logic        at_private;   // of this one
  logic        at_own;
  logic        shared;
  logic        granted;

  assign at_code     = data_addr_o[31:22] == 10'(32'h8000_0000 >> 22);
  assign at_numbered = (data_addr_o[31:23] == 9'(32'h9100_0000 >> 23)) &
      ({29'd0, data_addr_o[22:20]} < 32'(CORES));
  assign at_private  = (data_addr_o[31:20] == 12'(32'h9000_0000 >> 20)) |
      (at_numbered & (data_addr_o[22:20] == hart_id_i));

  always_comb begin
    shared_req_o = 4'd0;
    if (data_req_o & ~at_code & ~at_private & ~at_own) begin
      shared_req_o[SHARED]  = data_addr_o[31:22] == 10'(32'hA000_0000 >> 22);
      shared_req_o[OTHERS]  = at_numbered;
      shared_req_o[LOCKS]   = data_addr_o[31:12] == 20'(32'h4005_0000 >> 12);
      shared_req_o[DEVICES] = ~(shared_req_o[SHARED] | shared_req_o[OTHERS] | shared_req_o[LOCKS]);
    end
  end

  assign shared           = shared_req_o != 4'd0;
  assign granted          = shared ? (shared_req_o & shared_gnt_i) != 4'd0 : data_req_o;
  assign data_gnt_o       = granted;
  assign code_select_o    = data_req_o & at_code;
  assign private_select_o = data_req_o & at_private;

  logic [31:0] own_rdata;
  logic        own_error;

  hrl_own_devices #(
    .CORES(CORES),
    .CELLS(CELLS)
  ) u_own (
    .clk_i,
    .rst_ni,
    .hart_id_i,
    .request_i     (data_req_o & at_own),
    .we_i          (data_we_o),
    .be_i          (data_be_o),
    .addr_i        (data_addr_o),
    .wdata_i       (data_wdata_o),
    .is_mine_o     (at_own),
    .rdata_o       (own_rdata),
    .error_o       (own_error),
    .time_i,
    .cell_request_i,
    .run_o,
    .restart_o,
    .waits_i,
    .msip_write_o,
    .raise_write_o,
    .to_o,
    .msip_i,
    .raise_i,
    .irq_software_o(irq_software),
    .irq_timer_o   (irq_timer),
    .irq_external_o(irq_o),
    .claim_o,
    .complete_o,
    .source_o,
    .quantum_fire_o
  );

  // The answer comes from where the request went.
  logic        fetch_valid_q;
  logic        fetch_error_q;
  logic        data_valid_q;
  logic        code_q;
  logic        code_store_q;
  logic        private_q;
  logic [3:0]  shared_q;
  logic [31:0] data_rdata;
  logic        data_error;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_valid_q <= 1'b0;
      fetch_error_q <= 1'b0;
      data_valid_q  <= 1'b0;
      code_q        <= 1'b0;
      code_store_q  <= 1'b0;
      private_q     <= 1'b0;
      shared_q      <= 4'd0;
    end else begin
      fetch_valid_q <= fetch_req_o;
      fetch_error_q <= fetch_addr_o[31:22] != 10'(32'h8000_0000 >> 22);
      data_valid_q  <= granted;
      code_q        <= at_code;
      code_store_q  <= at_code & data_we_o;
      private_q     <= at_private;
      shared_q      <= shared_req_o;
    end
  end

  always_comb begin
    data_rdata = own_rdata;
    data_error = own_error;
    if (code_q | private_q) begin
      data_rdata = code_q ? code_rdata_i : private_rdata_i;
      data_error = code_store_q;
    end else begin
      for (int i = 0; i < 4; i++) begin
        if (shared_q[i]) begin
          data_rdata = shared_rdata_i[32*i+:32];
          data_error = shared_error_i[i];
        end
      end
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
    .hart_id_i             ({29'd0, hart_id_i}),
    .boot_addr_i           (32'h8000_0000),
    .instr_req_o           (fetch_req_o),
    .instr_gnt_i           (1'b1),
    .instr_rvalid_i        (fetch_valid_q),
    .instr_addr_o          (fetch_addr_o),
    .instr_rdata_i         (fetch_rdata_i),
    .instr_rdata_intg_i    ('0),
    .instr_err_i           (fetch_error_q),
    .data_req_o            (data_req_o),
    .data_gnt_i            (granted),
    .data_rvalid_i         (data_valid_q),
    .data_we_o             (data_we_o),
    .data_be_o             (data_be_o),
    .data_addr_o           (data_addr_o),
    .data_wdata_o          (data_wdata_o),
    .data_wdata_intg_o     (),
    .data_rdata_i          (data_rdata),
    .data_rdata_intg_i     ('0),
    .data_err_i            (data_error),
    .irq_software_i        (irq_software),
    .irq_timer_i           (irq_timer),
    .irq_external_i        (irq_o),
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
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The devices that each core has on a port of its own, without waits: its interrupt controller, its quantum cell, its
// MTIMECMP, loads of the time base, software interrupts to all cores, and how long its accesses have waited.
//
//   0x0200_0000 MSIP, a word a core        +0x4000 + 8 * the core's number: MTIMECMP       +0xBFF8 MTIME, loads only
//   0x4000_0000 + 16 CELLS quantum cell    0x4001_0000 the controller's tables
//   0x4003_0000 RAISE_AT, a word a core    0x4004_0000 waits for memory, devices, locks; the number of cores
//   0xFFFF_FF00 the controller's registers next to address 0
module hrl_own_devices #(
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [2:0]       hart_id_i,
  // An access, and whether it is for one of these devices.
  input  logic             request_i,
  input  logic             we_i,
  input  logic [3:0]       be_i,
  input  logic [31:0]      addr_i,
  input  logic [31:0]      wdata_i,
  output logic             is_mine_o,
  output logic [31:0]      rdata_o,        // in the following cycle, as is
  output logic             error_o,
  // The shared devices.
  input  logic [63:0]      time_i,
  input  logic [CELLS-1:0] cell_request_i,
  output logic [15:0]      run_o,
  output logic [15:0]      restart_o,
  input  logic [95:0]      waits_i,
  // Software interrupts between cores.
  output logic             msip_write_o,
  output logic             raise_write_o,
  output logic [2:0]       to_o,
  input  logic [CORES-1:0] msip_i,
  input  logic [31:0]      raise_i,
  output logic             irq_software_o,
  output logic             irq_timer_o,
  output logic             irq_external_o,
  // For the bench.
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o,
  output logic             quantum_fire_o
);
  localparam int unsigned LINES = CELLS + 1;  // the quantum cell's is the last one

  logic        at_msip;
  logic        at_compare;
  logic        at_time;
  logic        at_quantum;
  logic        at_bulk;
  logic        at_raise;
  logic        at_waits;
  logic        at_hot;
  logic        whole;
  logic        select;  // a whole word of one of them
  logic [2:0]  core;    // the one that MSIP or RAISE_AT names

  assign core       = addr_i[4:2];
  assign at_msip    = (addr_i[31:5] == 27'(32'h0200_0000 >> 5)) & ({29'd0, core} < 32'(CORES));
  assign at_compare = (addr_i[31:6] == 26'(32'h0200_4000 >> 6)) & (addr_i[5:3] == hart_id_i);
  assign at_time    = (addr_i[31:3] == 29'(32'h0200_BFF8 >> 3)) & ~we_i;
  assign at_quantum = addr_i[31:4] == 28'((32'h4000_0000 + 16 * CELLS) >> 4);
  assign at_bulk    = addr_i[31:13] == 19'(32'h4001_0000 >> 13);
  assign at_raise   = (addr_i[31:5] == 27'(32'h4003_0000 >> 5)) & ({29'd0, core} < 32'(CORES));
  assign at_waits   = addr_i[31:4] == 28'(32'h4004_0000 >> 4);
  assign at_hot     = (addr_i[31:6] == 26'(32'hFFFF_FF00 >> 6)) & (addr_i[5:2] < 4'd13);
  assign whole      = be_i == 4'hF;
  assign is_mine_o  = at_msip | at_compare | at_time | at_quantum | at_bulk | at_raise | at_waits |
      at_hot;
  assign select     = request_i & whole;

  assign msip_write_o  = select & at_msip & we_i;
  assign raise_write_o = select & at_raise & we_i;
  assign to_o          = core;

  logic [15:1] restart;
  logic        quantum_request;
  logic [31:0] count;
  logic [31:0] compare;
  logic [31:0] control;
  logic [31:0] status;
  logic [31:0] controller_rdata;

  assign restart_o = {restart, 1'b0};

  hrl_cell u_quantum (
    .clk_i,
    .rst_ni,
    .run_i     (run_o),
    .restart_i (restart_o),
    .write_i   (select & at_quantum & we_i),
    .register_i(addr_i[3:2]),
    .wdata_i,
    .count_o   (count),
    .compare_o (compare),
    .control_o (control),
    .status_o  (status),
    .fire_o    (quantum_fire_o),
    .request_o (quantum_request)
  );

  hrl_controller #(.LINES(LINES)) u_controller (
    .clk_i,
    .rst_ni,
    .request_i    ({quantum_request, cell_request_i}),
    .raise_i,
    .time_i,
    .run_o,
    .restart_o    (restart),
    .irq_o        (irq_external_o),
    .select_hot_i (select & at_hot),
    .select_bulk_i(select & at_bulk),
    .we_i,
    .addr_i       (addr_i[12:2]),
    .wdata_i,
    .rdata_o      (controller_rdata),
    .claim_o,
    .complete_o,
    .source_o
  );

  logic [63:0] compare_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      compare_q <= 64'hFFFF_FFFF_FFFF_FFFF;
    end else if (select & at_compare & we_i) begin
      compare_q <= addr_i[2] ? {wdata_i, compare_q[31:0]} : {compare_q[63:32], wdata_i};
    end
  end

  assign irq_timer_o    = time_i >= compare_q;
  assign irq_software_o = msip_i[hart_id_i[$clog2(CORES)-1:0]];

  // Answers, in the cycle after the request.
  logic        controller_q;
  logic [31:0] answer_q;
  logic [31:0] waits;

  always_comb begin
    case (addr_i[3:2])
      2'd0:    waits = waits_i[31:0];
      2'd1:    waits = waits_i[63:32];
      2'd2:    waits = waits_i[95:64];
      default: waits = 32'(CORES);
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      error_o      <= 1'b0;
      controller_q <= 1'b0;
      answer_q     <= 32'd0;
    end else if (request_i) begin
      error_o      <= ~whole | (at_waits & we_i);
      controller_q <= at_bulk | at_hot;
      answer_q     <= 32'd0;
      if (at_msip) begin
        answer_q <= {31'd0, msip_i[core[$clog2(CORES)-1:0]]};
      end
      if (at_compare) begin
        answer_q <= addr_i[2] ? compare_q[63:32] : compare_q[31:0];
      end
      if (at_time) begin
        answer_q <= addr_i[2] ? time_i[63:32] : time_i[31:0];
      end
      if (at_quantum) begin
        case (addr_i[3:2])
          2'd0:    answer_q <= count;
          2'd1:    answer_q <= compare;
          2'd2:    answer_q <= control;
          default: answer_q <= status;
        endcase
      end
      if (at_waits) begin
        answer_q <= waits;
      end
    end
  end

  assign rdata_o = controller_q ? controller_rdata : answer_q;
endmodule

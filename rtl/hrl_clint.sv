// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The free-running 64-bit counter and what RISC-V systems put around it: MTIME, MTIMECMP and MSIP where a
// SiFive CLINT has them. One step a cycle of the core's clock; a write wins over the step.
module hrl_clint (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        select_i,
  input  logic        we_i,
  input  logic [15:2] addr_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,  // in the following cycle
  output logic [63:0] time_o,
  output logic        irq_software_o,
  output logic        irq_timer_o
);
  localparam logic [15:2] MSIP          = 14'(16'h0000 >> 2);
  localparam logic [15:2] MTIMECMP_LOW  = 14'(16'h4000 >> 2);
  localparam logic [15:2] MTIMECMP_HIGH = 14'(16'h4004 >> 2);
  localparam logic [15:2] MTIME_LOW     = 14'(16'hBFF8 >> 2);
  localparam logic [15:2] MTIME_HIGH    = 14'(16'hBFFC >> 2);

  logic [63:0] time_q;
  logic [63:0] compare_q;
  logic        software_q;
  logic        write;

  assign write = select_i & we_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q     <= 64'd0;
      compare_q  <= 64'hFFFF_FFFF_FFFF_FFFF;
      software_q <= 1'b0;
    end else begin
      time_q <= time_q + 64'd1;
      if (write) begin
        case (addr_i)
          MSIP:          software_q <= wdata_i[0];
          MTIMECMP_LOW:  compare_q[31:0] <= wdata_i;
          MTIMECMP_HIGH: compare_q[63:32] <= wdata_i;
          MTIME_LOW:     time_q <= {time_q[63:32], wdata_i};
          MTIME_HIGH:    time_q <= {wdata_i, time_q[31:0]};
          default:       ;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (select_i & ~we_i) begin
      case (addr_i)
        MSIP:          rdata_o <= {31'd0, software_q};
        MTIMECMP_LOW:  rdata_o <= compare_q[31:0];
        MTIMECMP_HIGH: rdata_o <= compare_q[63:32];
        MTIME_LOW:     rdata_o <= time_q[31:0];
        MTIME_HIGH:    rdata_o <= time_q[63:32];
        default:       rdata_o <= 32'd0;
      endcase
    end
  end

  assign time_o         = time_q;
  assign irq_software_o = software_q;
  assign irq_timer_o    = time_q >= compare_q;
endmodule

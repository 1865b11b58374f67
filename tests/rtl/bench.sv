// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The devices twice, with a request line for each cell and with lines shared by four, on one bus: what the
// cocotb tests drive. Inputs and outputs are packed, as each access from Python costs time.
module bench (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [69:0] drive_i,   // request, write, byte enables, address, data
  output logic [95:0] own_o,     // as `seen` below
  output logic [95:0] shared_o
);
  localparam int unsigned CELLS = 16;

  for (genvar shared = 0; shared < 2; shared++) begin : g_devices
    logic [31:0]      rdata;
    logic             error;
    logic             irq_software;
    logic             irq_timer;
    logic             irq_external;
    logic             console_valid;
    logic [7:0]       console_byte;
    logic             finish_valid;
    logic             trace_valid;
    logic             claim;
    logic             complete;
    logic [8:0]       source;
    logic [CELLS-1:0] fire;
    logic [95:0]      seen;

    hrl_devices #(
      .CELLS       (CELLS),
      .SHARED_LINES(shared == 1)
    ) u_devices (
      .clk_i,
      .rst_ni,
      .request_i      (drive_i[69]),
      .we_i           (drive_i[68]),
      .be_i           (drive_i[67:64]),
      .addr_i         (drive_i[63:32]),
      .wdata_i        (drive_i[31:0]),
      .rdata_o        (rdata),
      .error_o        (error),
      .irq_software_o (irq_software),
      .irq_timer_o    (irq_timer),
      .irq_external_o (irq_external),
      .console_valid_o(console_valid),
      .console_byte_o (console_byte),
      .finish_valid_o (finish_valid),
      .finish_word_o  (),
      .trace_valid_o  (trace_valid),
      .trace_word_o   (),
      .claim_o        (claim),
      .complete_o     (complete),
      .source_o       (source),
      .fire_o         (fire)
    );

    assign seen = {
      22'd0, trace_valid, finish_valid, console_valid, console_byte, error, irq_software, irq_timer,
      irq_external, claim, complete, source, fire, rdata
    };
  end

  assign own_o    = g_devices[0].seen;
  assign shared_o = g_devices[1].seen;
endmodule

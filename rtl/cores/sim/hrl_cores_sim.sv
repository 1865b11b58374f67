// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What the bench of several cores simulates: the board, and views into each core that no firmware can notice. What a
// view means stands in rtl/sim/hrl_sim.sv; core c has bit c, or the c-th word.
module hrl_cores_sim #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_PORTS = 1'b0,
  localparam int unsigned FIRE_WORDS = CELLS / 32 + 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  output logic                           console_valid_o,
  output logic [7:0]                     console_byte_o,
  output logic                           finish_valid_o,
  output logic [31:0]                    finish_word_o,
  output logic                           trace_valid_o,
  output logic [31:0]                    trace_word_o,
  output logic [CORES-1:0]               speaks_o,
  output logic [CORES-1:0]               data_req_o,
  output logic [CORES-1:0]               data_gnt_o,
  output logic [CORES-1:0]               data_we_o,
  output logic [32*CORES-1:0]            data_addr_o,
  output logic [32*CORES-1:0]            data_wdata_o,
  output logic [32*CORES-1:0]            shared_req_o,   // the lowest four bits of each word
  output logic [32*CORES-1:0]            raise_o,
  output logic [CORES-1:0]               irq_o,
  output logic [CORES-1:0]               claim_o,
  output logic [CORES-1:0]               complete_o,
  output logic [32*CORES-1:0]            source_o,
  output logic [32*FIRE_WORDS*CORES-1:0] fire_o,         // the shared cells that are a core's, and its quantum cell
  output logic [CORES-1:0]               id_valid_o,
  output logic [CORES-1:0]               id_new_o,
  output logic [CORES-1:0]               id_done_o,
  output logic [32*CORES-1:0]            id_pc_o,
  output logic [CORES-1:0]               sleep_o,
  output logic [CORES-1:0]               trap_o,
  output logic [CORES-1:0]               trap_is_irq_o,
  output logic [32*CORES-1:0]            trap_cause_o,
  output logic [CORES-1:0]               mret_o,
  output logic [CORES-1:0]               irq_timer_o
);
  logic [4*CORES-1:0]     shared_req;
  logic [9*CORES-1:0]     source;
  logic [CORES-1:0]       quantum_fire;
  logic [CELLS*CORES-1:0] fire;

  hrl_cores_soc #(
    .MAXPERF     (MAXPERF),
    .CORES       (CORES),
    .CELLS       (CELLS),
    .SHARED_PORTS(SHARED_PORTS)
  ) u_soc (
    .clk_i,
    .rst_ni,
    .console_valid_o,
    .console_byte_o,
    .finish_valid_o,
    .finish_word_o,
    .trace_valid_o,
    .trace_word_o,
    .speaks_o,
    .data_req_o,
    .data_gnt_o,
    .data_we_o,
    .data_be_o     (),
    .data_addr_o,
    .data_wdata_o,
    .shared_req_o  (shared_req),
    .raise_o,
    .irq_o,
    .claim_o,
    .complete_o,
    .source_o      (source),
    .quantum_fire_o(quantum_fire),
    .fire_o        (fire)
  );

  for (genvar c = 0; c < CORES; c++) begin : g_view
    assign shared_req_o[32*c+:32] = {28'd0, shared_req[4*c+:4]};
    assign source_o[32*c+:32]     = {23'd0, source[9*c+:9]};
    assign fire_o[32*FIRE_WORDS*c+:32*FIRE_WORDS] =
        (32 * FIRE_WORDS)'({quantum_fire[c], fire[CELLS*c+:CELLS]});
    assign id_valid_o[c]          = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.instr_valid_id;
    assign id_new_o[c]            = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.instr_new_id;
    assign id_done_o[c]           = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.instr_id_done;
    assign id_pc_o[32*c+:32]      = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.pc_id;
    assign irq_timer_o[c]         = u_soc.g_core[c].u_core.u_ibex.irq_timer_i;
    assign sleep_o[c]             = ~u_soc.g_core[c].u_core.u_ibex.u_ibex_core.ctrl_busy;
    assign trap_o[c]              = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.csr_save_cause;
    assign trap_is_irq_o[c]       = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.csr_save_if;
    assign trap_cause_o[32*c+:32] =
        {27'd0, u_soc.g_core[c].u_core.u_ibex.u_ibex_core.exc_cause.lower_cause};
    assign mret_o[c]              = u_soc.g_core[c].u_core.u_ibex.u_ibex_core.csr_restore_mret_id;
  end
endmodule

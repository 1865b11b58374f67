// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What the bench simulates: the board, and views into it that no firmware can notice.
module hrl_sim #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_LINES = 1'b0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             console_valid_o,
  output logic [7:0]       console_byte_o,
  output logic             finish_valid_o,
  output logic [31:0]      finish_word_o,
  output logic             trace_valid_o,
  output logic [31:0]      trace_word_o,
  output logic             data_req_o,
  output logic             data_we_o,
  output logic [3:0]       data_be_o,
  output logic [31:0]      data_addr_o,
  output logic [31:0]      data_wdata_o,
  output logic             irq_o,
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o,
  output logic [CELLS-1:0] fire_o,
  // The instruction in the core's decode and execute stage: whether there is one, whether this is its first
  // cycle there, its last; and whether there is none because the core sleeps.
  output logic             id_valid_o,
  output logic             id_new_o,
  output logic             id_done_o,
  output logic [31:0]      id_pc_o,
  output logic             sleep_o,
  // A trap is taken in this cycle, the next instruction is the handler's; an interrupt, or else an
  // exception; mcause without its highest bit.
  output logic             trap_o,
  output logic             trap_is_irq_o,
  output logic [4:0]       trap_cause_o,
  // An mret goes back in this cycle.
  output logic             mret_o,
  // The CLINT's timer has reached its compare value.
  output logic             irq_timer_o,
  // MTIME, the lower half.
  output logic [31:0]      time_o
);
  hrl_soc #(
    .MAXPERF     (MAXPERF),
    .CELLS       (CELLS),
    .SHARED_LINES(SHARED_LINES)
  ) u_soc (.*);

  assign id_valid_o    = u_soc.u_ibex.u_ibex_core.instr_valid_id;
  assign id_new_o      = u_soc.u_ibex.u_ibex_core.instr_new_id;
  assign id_done_o     = u_soc.u_ibex.u_ibex_core.instr_id_done;
  assign id_pc_o       = u_soc.u_ibex.u_ibex_core.pc_id;
  assign irq_timer_o   = u_soc.u_ibex.irq_timer_i;
  assign time_o        = u_soc.u_devices.now[31:0];
  assign sleep_o       = ~u_soc.u_ibex.u_ibex_core.ctrl_busy;
  assign trap_o        = u_soc.u_ibex.u_ibex_core.csr_save_cause;
  assign trap_is_irq_o = u_soc.u_ibex.u_ibex_core.csr_save_if;
  assign trap_cause_o  = u_soc.u_ibex.u_ibex_core.exc_cause.lower_cause;
  assign mret_o        = u_soc.u_ibex.u_ibex_core.csr_restore_mret_id;
endmodule

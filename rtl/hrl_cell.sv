// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// One timer cell: a 32-bit counter, a compare value, and an event when the first reaches the second.
//
// A counter that counts takes one step a cycle. If the step leads to COMPARE the cell fires: in the
// periodic and the one-shot mode the counter becomes 0 instead (a period is COMPARE cycles), in the
// continuous mode it runs on. All arithmetic is modulo 2^32, so COMPARE = 0 is a period of 2^32.
//
// What wins in one cycle: whether the cell fires is decided by what its registers held before a write
// of that cycle; the register written then holds what was written (EN too, when a one-shot ends); and
// an event survives the write that clears its flag. docs/guide/timer-cells.md lists every case.
module hrl_cell (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] run_i,       // the control cells; bit 0 is always set
  input  logic [15:0] restart_i,   // the groups whose counters become 0; bit 0 is never set
  input  logic        write_i,     // one of the four registers is written in this cycle
  input  logic [1:0]  register_i,  // which: COUNT, COMPARE, CONTROL, STATUS
  input  logic [31:0] wdata_i,
  output logic [31:0] count_o,
  output logic [31:0] compare_o,
  output logic [31:0] control_o,
  output logic [31:0] status_o,
  output logic        fire_o,      // fires at the end of this cycle
  output logic        request_o    // and asks for an interrupt
);
  logic [31:0] count_q;
  logic [31:0] compare_q;
  logic        enable_q;
  logic        request_q;
  logic [1:0]  mode_q;
  logic [3:0]  group_q;
  logic        fired_q;
  logic        lost_q;

  logic        counting;
  logic [31:0] next_count;

  assign counting   = enable_q & run_i[group_q];
  assign next_count = count_q + 32'd1;
  assign fire_o     = counting ? next_count == compare_q : 1'b0;
  assign request_o  = fire_o & request_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q   <= 32'd0;
      compare_q <= 32'd0;
      enable_q  <= 1'b0;
      request_q <= 1'b0;
      mode_q    <= 2'd0;
      group_q   <= 4'd0;
      fired_q   <= 1'b0;
      lost_q    <= 1'b0;
    end else begin
      if (counting) begin
        count_q <= (fire_o & ~mode_q[1]) ? 32'd0 : next_count;
      end
      if (fire_o) begin
        fired_q <= 1'b1;
        lost_q  <= lost_q | fired_q;
        if (mode_q == 2'd1) begin
          enable_q <= 1'b0;
        end
      end
      if (restart_i[group_q]) begin
        count_q <= 32'd0;
      end
      if (write_i) begin
        case (register_i)
          2'd0: count_q <= wdata_i;
          2'd1: compare_q <= wdata_i;
          2'd2: begin
            enable_q  <= wdata_i[0];
            request_q <= wdata_i[1];
            mode_q    <= wdata_i[3:2];
            group_q   <= wdata_i[11:8];
          end
          default: begin
            fired_q <= (fired_q & ~wdata_i[0]) | fire_o;
            lost_q  <= (lost_q & ~wdata_i[1]) | (fired_q & ~wdata_i[0] & fire_o);
          end
        endcase
      end
    end
  end

  assign count_o   = count_q;
  assign compare_o = compare_q;
  assign control_o = {20'd0, group_q, 4'd0, mode_q, request_q, enable_q};
  assign status_o  = {30'd0, lost_q, fired_q};
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// Software interrupts between cores: MSIP, a bit for each core, and RAISE_AT, which makes software sources of a core's
// interrupt controller pending. All cores may store in one cycle, and no store waits: what several raise at one core
// is all pending, and an MSIP that is set and cleared in one cycle is set.
module hrl_doorbells #(
  parameter int unsigned CORES = 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // A store of each core: to MSIP, to RAISE_AT, of which core, and what.
  input  logic [CORES-1:0]    msip_write_i,
  input  logic [CORES-1:0]    raise_write_i,
  input  logic [3*CORES-1:0]  to_i,
  input  logic [32*CORES-1:0] wdata_i,
  output logic [CORES-1:0]    msip_o,
  output logic [32*CORES-1:0] raise_o         // in the same cycle
);
  logic [CORES-1:0] msip_q;
  logic [CORES-1:0] set;
  logic [CORES-1:0] clear;

  always_comb begin
    set     = '0;
    clear   = '0;
    raise_o = '0;
    for (int to = 0; to < CORES; to++) begin
      for (int from = 0; from < CORES; from++) begin
        if (to_i[3*from+:3] == 3'(to)) begin
          set[to]   = set[to] | (msip_write_i[from] & wdata_i[32*from]);
          clear[to] = clear[to] | (msip_write_i[from] & ~wdata_i[32*from]);
          if (raise_write_i[from]) begin
            raise_o[32*to+:32] = raise_o[32*to+:32] | wdata_i[32*from+:32];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msip_q <= '0;
    end else begin
      msip_q <= (msip_q & ~clear) | set;
    end
  end

  assign msip_o = msip_q;
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The timer cells that all cores share, and to which core each is routed: that core's controller has its requests, and
// that core's control cells run and restart it. After reset, all are core 0's.
module hrl_routed_cells #(
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [16*CORES-1:0]    run_i,           // the control cells of each core; bit 0 is always set
  input  logic [16*CORES-1:0]    restart_i,       // bit 0 is never set
  input  logic                   select_cell_i,   // an access to a cell that exists
  input  logic                   select_route_i,  // to a cell's route, a word each
  input  logic                   we_i,
  input  logic [11:2]            addr_i,          // a cell: 8 bits of its number, 2 bits of register
  input  logic [31:0]            wdata_i,
  output logic [31:0]            rdata_o,         // in the following cycle
  output logic                   error_o,         // there is no such core to route a cell to; in the same cycle
  output logic [CELLS*CORES-1:0] fire_o,          // of the cells that are routed to each core
  output logic [CELLS*CORES-1:0] request_o
);
  localparam int unsigned INDEX = $clog2(CELLS);

  logic [32*CELLS-1:0] count;
  logic [32*CELLS-1:0] compare;
  logic [32*CELLS-1:0] control;
  logic [32*CELLS-1:0] status;
  logic [CELLS-1:0]    fire;
  logic [CELLS-1:0]    request;
  logic [3*CELLS-1:0]  route_q;
  logic [INDEX-1:0]    index;        // of the cell
  logic [INDEX-1:0]    route_index;  // of the cell that is routed

  assign index       = addr_i[4+:INDEX];
  assign route_index = addr_i[2+:INDEX];
  assign error_o     = select_route_i & we_i & (wdata_i >= 32'(CORES));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      route_q <= '0;
    end else if (select_route_i & we_i & ~error_o) begin
      route_q[3*route_index+:3] <= wdata_i[2:0];
    end
  end

  for (genvar n = 0; n < CELLS; n++) begin : g_cell
    logic [15:0] run;
    logic [15:0] restart;

    always_comb begin
      run     = 16'd0;
      restart = 16'd0;
      for (int c = 0; c < CORES; c++) begin
        if (route_q[3*n+:3] == 3'(c)) begin
          run     = run_i[16*c+:16];
          restart = restart_i[16*c+:16];
        end
      end
    end

    hrl_cell u_cell (
      .clk_i,
      .rst_ni,
      .run_i     (run),
      .restart_i (restart),
      .write_i   (select_cell_i & we_i & (index == INDEX'(n))),
      .register_i(addr_i[3:2]),
      .wdata_i,
      .count_o   (count[32*n+:32]),
      .compare_o (compare[32*n+:32]),
      .control_o (control[32*n+:32]),
      .status_o  (status[32*n+:32]),
      .fire_o    (fire[n]),
      .request_o (request[n])
    );
  end

  always_comb begin
    fire_o    = '0;
    request_o = '0;
    if (fire != '0) begin
      for (int c = 0; c < CORES; c++) begin
        for (int n = 0; n < CELLS; n++) begin
          fire_o[CELLS*c+n]    = fire[n] & (route_q[3*n+:3] == 3'(c));
          request_o[CELLS*c+n] = request[n] & (route_q[3*n+:3] == 3'(c));
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (select_cell_i & ~we_i) begin
      case (addr_i[3:2])
        2'd0:    rdata_o <= count[32*index+:32];
        2'd1:    rdata_o <= compare[32*index+:32];
        2'd2:    rdata_o <= control[32*index+:32];
        default: rdata_o <= status[32*index+:32];
      endcase
    end else if (select_route_i & ~we_i) begin
      rdata_o <= {29'd0, route_q[3*route_index+:3]};
    end
  end
endmodule

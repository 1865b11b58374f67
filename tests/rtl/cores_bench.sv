// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// What several cores share, without the cores: four ports on the locks' bus and on a memory with a port for each, the
// doorbells, and the shared devices. Inputs and outputs are packed, as each access from Python costs time.
module cores_bench (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [199:0] bus_i,      // of each port: request, write, byte enables, 12 bits of address, data
  input  logic [147:0] ring_i,     // of each core: MSIP, RAISE_AT, of which core, data
  input  logic [133:0] devices_i,  // request, write, byte enables, address, data; run of cores 3 to 0
  output logic [292:0] bus_o,      // error, grants, waits, data of the memory's ports and of the locks
  output logic [131:0] ring_o,     // MSIP, what is raised
  output logic [224:0] devices_o   // error, the cells' requests, expiries, time, data
);
  localparam int unsigned CORES = 4;
  localparam int unsigned CELLS = 16;

  // The bus, and the memory with many ports, which sees the same accesses.
  logic [CORES-1:0]    request;
  logic [CORES-1:0]    we;
  logic [4*CORES-1:0]  be;
  logic [32*CORES-1:0] addr;
  logic [4*CORES-1:0]  word;
  logic [32*CORES-1:0] wdata;
  logic [CORES-1:0]    grant;
  logic [32*CORES-1:0] waits;
  logic                locks_request;
  logic                locks_we;
  logic [3:0]          locks_be;
  logic [31:0]         locks_addr;
  logic [31:0]         locks_wdata;
  logic [31:0]         locks_rdata;
  logic                locks_error;
  logic [32*CORES-1:0] ram_rdata;

  for (genvar c = 0; c < CORES; c++) begin : g_port
    assign {request[c], we[c], be[4*c+:4], addr[32*c+:12], wdata[32*c+:32]} = bus_i[50*c+:50];
    assign addr[32*c+12+:20] = 20'd0;
    assign word[4*c+:4]      = addr[32*c+2+:4];
  end

  hrl_bus #(.PORTS(CORES)) u_bus (
    .clk_i,
    .rst_ni,
    .request_i(request),
    .we_i     (we),
    .be_i     (be),
    .addr_i   (addr),
    .wdata_i  (wdata),
    .grant_o  (grant),
    .waits_o  (waits),
    .request_o(locks_request),
    .we_o     (locks_we),
    .be_o     (locks_be),
    .addr_o   (locks_addr),
    .wdata_o  (locks_wdata)
  );

  hrl_locks #(.LOCKS(16)) u_locks (
    .clk_i,
    .rst_ni,
    .select_i(locks_request),
    .we_i    (locks_we),
    .be_i    (locks_be),
    .addr_i  (locks_addr[11:2]),
    .wdata_i (locks_wdata),
    .rdata_o (locks_rdata),
    .error_o (locks_error)
  );

  hrl_ports_ram #(
    .WORDS(16),
    .PORTS(CORES)
  ) u_ram (
    .clk_i,
    .select_i(request),
    .we_i    (we),
    .be_i    (be),
    .addr_i  (word),
    .wdata_i (wdata),
    .rdata_o (ram_rdata)
  );

  assign bus_o = {locks_error, grant, waits, ram_rdata, locks_rdata};

  // Doorbells.
  logic [CORES-1:0]    msip_write;
  logic [CORES-1:0]    raise_write;
  logic [3*CORES-1:0]  to;
  logic [32*CORES-1:0] ring_wdata;

  for (genvar c = 0; c < CORES; c++) begin : g_ring
    assign {msip_write[c], raise_write[c], to[3*c+:3], ring_wdata[32*c+:32]} = ring_i[37*c+:37];
  end

  hrl_doorbells #(.CORES(CORES)) u_doorbells (
    .clk_i,
    .rst_ni,
    .msip_write_i (msip_write),
    .raise_write_i(raise_write),
    .to_i         (to),
    .wdata_i      (ring_wdata),
    .msip_o       (ring_o[131:128]),
    .raise_o      (ring_o[127:0])
  );

  // Devices.
  logic [CELLS*CORES-1:0] fire;
  logic [CELLS*CORES-1:0] cell_request;
  logic [16*CORES-1:0]    run;
  logic [63:0]            now;
  logic [31:0]            devices_rdata;
  logic                   devices_error;

  assign run = devices_i[63:0] | {CORES{16'd1}};

  hrl_shared_devices #(
    .CORES(CORES),
    .CELLS(CELLS)
  ) u_devices (
    .clk_i,
    .rst_ni,
    .request_i      (devices_i[133]),
    .we_i           (devices_i[132]),
    .be_i           (devices_i[131:128]),
    .addr_i         (devices_i[127:96]),
    .wdata_i        (devices_i[95:64]),
    .rdata_o        (devices_rdata),
    .error_o        (devices_error),
    .time_o         (now),
    .run_i          (run),
    .restart_i      ('0),
    .fire_o         (fire),
    .cell_request_o (cell_request),
    .console_valid_o(),
    .console_byte_o (),
    .finish_valid_o (),
    .finish_word_o  (),
    .trace_valid_o  (),
    .trace_word_o   ()
  );

  assign devices_o = {devices_error, cell_request, fire, now, devices_rdata};
endmodule

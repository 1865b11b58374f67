// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The boards ibex-cells-x2, -x4, -x8: CORES Ibex cores, a time base, timer cells and memory that they share, and what
// each has for itself (docs/guide/multi-core-board.md). Three targets are shared, each behind an arbiter: memory (shared
// and other cores' private memory), devices, locks. With SHARED_PORTS the shared memory has a port for each core
// instead, and no access to it waits.
//
// The code is read-only and the same for all, so N copies and one array with N pairs of ports are the same; here it is
// one array.
module hrl_cores_soc #(
  parameter bit          MAXPERF = 1'b1,
  parameter int unsigned CORES = 2,
  parameter int unsigned CELLS = 64,
  parameter bit          SHARED_PORTS = 1'b0
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // What programs say to the world; each valid for a cycle. `speaks_o` is the core that has the devices in this cycle.
  output logic                   console_valid_o,
  output logic [7:0]             console_byte_o,
  output logic                   finish_valid_o,
  output logic [31:0]            finish_word_o,
  output logic                   trace_valid_o,
  output logic [31:0]            trace_word_o,
  output logic [CORES-1:0]       speaks_o,
  // For the bench, of each core.
  output logic [CORES-1:0]       data_req_o,
  output logic [CORES-1:0]       data_gnt_o,
  output logic [CORES-1:0]       data_we_o,
  output logic [4*CORES-1:0]     data_be_o,
  output logic [32*CORES-1:0]    data_addr_o,
  output logic [32*CORES-1:0]    data_wdata_o,
  output logic [4*CORES-1:0]     shared_req_o,
  output logic [32*CORES-1:0]    raise_o,
  output logic [CORES-1:0]       irq_o,
  output logic [CORES-1:0]       claim_o,
  output logic [CORES-1:0]       complete_o,
  output logic [9*CORES-1:0]     source_o,
  output logic [CORES-1:0]       quantum_fire_o,
  output logic [CELLS*CORES-1:0] fire_o
);
  localparam int unsigned CODE_INDEX    = 20;  // 4 MiB
  localparam int unsigned SHARED_INDEX  = 20;
  localparam int unsigned PRIVATE_INDEX = 18;  // 1 MiB for each core
  localparam int unsigned CORE_INDEX    = $clog2(CORES);

  logic [CORES-1:0]       fetch_req;
  logic [32*CORES-1:0]    fetch_addr;
  logic [32*CORES-1:0]    fetch_rdata;
  logic [CORES-1:0]       code_select;
  logic [32*CORES-1:0]    code_rdata;
  logic [CORES-1:0]       private_select;
  logic [32*CORES-1:0]    private_rdata;
  logic [63:0]            now;
  logic [CELLS*CORES-1:0] cell_request;
  logic [16*CORES-1:0]    run;
  logic [16*CORES-1:0]    restart;
  logic [CORES-1:0]       msip_write;
  logic [CORES-1:0]       raise_write;
  logic [3*CORES-1:0]     to;
  logic [CORES-1:0]       msip;

  // By target: the requests of all cores, and what it answers.
  logic [CORES-1:0]       at_shared;
  logic [CORES-1:0]       at_others;
  logic [CORES-1:0]       at_devices;
  logic [CORES-1:0]       at_locks;
  logic [CORES-1:0]       memory_gnt;
  logic [CORES-1:0]       devices_gnt;
  logic [CORES-1:0]       locks_gnt;
  logic [32*CORES-1:0]    memory_waits;
  logic [32*CORES-1:0]    devices_waits;
  logic [32*CORES-1:0]    locks_waits;
  logic [32*CORES-1:0]    shared_rdata;
  logic [31:0]            others_rdata;
  logic [31:0]            devices_rdata;
  logic                   devices_error;
  logic [31:0]            locks_rdata;
  logic                   locks_error;

  for (genvar c = 0; c < CORES; c++) begin : g_core
    hrl_core #(
      .MAXPERF(MAXPERF),
      .CORES  (CORES),
      .CELLS  (CELLS)
    ) u_core (
      .clk_i,
      .rst_ni,
      .hart_id_i       (3'(c)),
      .fetch_req_o     (fetch_req[c]),
      .fetch_addr_o    (fetch_addr[32*c+:32]),
      .fetch_rdata_i   (fetch_rdata[32*c+:32]),
      .data_req_o      (data_req_o[c]),
      .data_gnt_o      (data_gnt_o[c]),
      .data_we_o       (data_we_o[c]),
      .data_be_o       (data_be_o[4*c+:4]),
      .data_addr_o     (data_addr_o[32*c+:32]),
      .data_wdata_o    (data_wdata_o[32*c+:32]),
      .code_select_o   (code_select[c]),
      .code_rdata_i    (code_rdata[32*c+:32]),
      .private_select_o(private_select[c]),
      .private_rdata_i (private_rdata[32*c+:32]),
      .shared_req_o    (shared_req_o[4*c+:4]),
      .shared_gnt_i    ({
        locks_gnt[c], devices_gnt[c], memory_gnt[c], SHARED_PORTS ? 1'b1 : memory_gnt[c]
      }),
      .shared_rdata_i  ({locks_rdata, devices_rdata, others_rdata, shared_rdata[32*c+:32]}),
      .shared_error_i  ({locks_error, devices_error, 2'b00}),
      .time_i          (now),
      .cell_request_i  (cell_request[CELLS*c+:CELLS]),
      .run_o           (run[16*c+:16]),
      .restart_o       (restart[16*c+:16]),
      .waits_i         ({locks_waits[32*c+:32], devices_waits[32*c+:32], memory_waits[32*c+:32]}),
      .msip_write_o    (msip_write[c]),
      .raise_write_o   (raise_write[c]),
      .to_o            (to[3*c+:3]),
      .msip_i          (msip),
      .raise_i         (raise_o[32*c+:32]),
      .irq_o           (irq_o[c]),
      .claim_o         (claim_o[c]),
      .complete_o      (complete_o[c]),
      .source_o        (source_o[9*c+:9]),
      .quantum_fire_o  (quantum_fire_o[c])
    );

    assign at_shared[c]  = shared_req_o[4*c];
    assign at_others[c]  = shared_req_o[4*c+1];
    assign at_devices[c] = shared_req_o[4*c+2];
    assign at_locks[c]   = shared_req_o[4*c+3];
  end

  hrl_doorbells #(.CORES(CORES)) u_doorbells (
    .clk_i,
    .rst_ni,
    .msip_write_i (msip_write),
    .raise_write_i(raise_write),
    .to_i         (to),
    .wdata_i      (data_wdata_o),
    .msip_o       (msip),
    .raise_o
  );

  // Memory.
  logic        memory_req;
  logic        memory_we;
  logic [3:0]  memory_be;
  logic [31:0] memory_addr;
  logic [31:0] memory_wdata;
  logic        memory_others;  // it is for private memory

  assign memory_others = memory_addr[31:28] == 4'h9;

  hrl_bus #(.PORTS(CORES)) u_memory_bus (
    .clk_i,
    .rst_ni,
    .request_i(SHARED_PORTS ? at_others : at_others | at_shared),
    .we_i     (data_we_o),
    .be_i     (data_be_o),
    .addr_i   (data_addr_o),
    .wdata_i  (data_wdata_o),
    .grant_o  (memory_gnt),
    .waits_o  (memory_waits),
    .request_o(memory_req),
    .we_o     (memory_we),
    .be_o     (memory_be),
    .addr_o   (memory_addr),
    .wdata_o  (memory_wdata)
  );

  logic [CODE_INDEX*CORES-1:0]                     fetch_word;
  logic [CODE_INDEX*CORES-1:0]                     code_word;
  logic [(PRIVATE_INDEX+CORE_INDEX)*CORES-1:0]     private_word;

  for (genvar c = 0; c < CORES; c++) begin : g_address
    assign fetch_word[CODE_INDEX*c+:CODE_INDEX] = fetch_addr[32*c+2+:CODE_INDEX];
    assign code_word[CODE_INDEX*c+:CODE_INDEX]  = data_addr_o[32*c+2+:CODE_INDEX];
    assign private_word[(PRIVATE_INDEX+CORE_INDEX)*c+:PRIVATE_INDEX+CORE_INDEX] =
        {CORE_INDEX'(c), data_addr_o[32*c+2+:PRIVATE_INDEX]};
  end

  hrl_ports_ram #(
    .WORDS(1 << CODE_INDEX),
    .PORTS(2 * CORES)
  ) u_code (
    .clk_i,
    .select_i({code_select & ~data_we_o, fetch_req}),
    .we_i    ('0),
    .be_i    ('0),
    .addr_i  ({code_word, fetch_word}),
    .wdata_i ('0),
    .rdata_o ({code_rdata, fetch_rdata})
  );

  // A port for the bus, and one for each core to its own; its stores win.
  hrl_ports_ram #(
    .WORDS(CORES << PRIVATE_INDEX),
    .PORTS(CORES + 1)
  ) u_private (
    .clk_i,
    .select_i({private_select, memory_req & memory_others}),
    .we_i    ({data_we_o, memory_we}),
    .be_i    ({data_be_o, memory_be}),
    .addr_i  ({private_word, memory_addr[2+:PRIVATE_INDEX+CORE_INDEX]}),
    .wdata_i ({data_wdata_o, memory_wdata}),
    .rdata_o ({private_rdata, others_rdata})
  );

  if (SHARED_PORTS) begin : g_shared
    logic [SHARED_INDEX*CORES-1:0] shared_word;

    for (genvar c = 0; c < CORES; c++) begin : g_address
      assign shared_word[SHARED_INDEX*c+:SHARED_INDEX] = data_addr_o[32*c+2+:SHARED_INDEX];
    end

    hrl_ports_ram #(
      .WORDS(1 << SHARED_INDEX),
      .PORTS(CORES)
    ) u_shared (
      .clk_i,
      .select_i(at_shared),
      .we_i    (data_we_o),
      .be_i    (data_be_o),
      .addr_i  (shared_word),
      .wdata_i (data_wdata_o),
      .rdata_o (shared_rdata)
    );
  end else begin : g_shared
    logic [31:0] rdata;

    hrl_ports_ram #(
      .WORDS(1 << SHARED_INDEX),
      .PORTS(1)
    ) u_shared (
      .clk_i,
      .select_i(memory_req & ~memory_others),
      .we_i    (memory_we),
      .be_i    (memory_be),
      .addr_i  (memory_addr[2+:SHARED_INDEX]),
      .wdata_i (memory_wdata),
      .rdata_o (rdata)
    );

    assign shared_rdata = {CORES{rdata}};
  end

  // Devices.
  logic        devices_req;
  logic        devices_we;
  logic [3:0]  devices_be;
  logic [31:0] devices_addr;
  logic [31:0] devices_wdata;

  hrl_bus #(.PORTS(CORES)) u_devices_bus (
    .clk_i,
    .rst_ni,
    .request_i(at_devices),
    .we_i     (data_we_o),
    .be_i     (data_be_o),
    .addr_i   (data_addr_o),
    .wdata_i  (data_wdata_o),
    .grant_o  (devices_gnt),
    .waits_o  (devices_waits),
    .request_o(devices_req),
    .we_o     (devices_we),
    .be_o     (devices_be),
    .addr_o   (devices_addr),
    .wdata_o  (devices_wdata)
  );

  assign speaks_o = devices_gnt;

  hrl_shared_devices #(
    .CORES(CORES),
    .CELLS(CELLS)
  ) u_devices (
    .clk_i,
    .rst_ni,
    .request_i     (devices_req),
    .we_i          (devices_we),
    .be_i          (devices_be),
    .addr_i        (devices_addr),
    .wdata_i       (devices_wdata),
    .rdata_o       (devices_rdata),
    .error_o       (devices_error),
    .time_o        (now),
    .run_i         (run),
    .restart_i     (restart),
    .fire_o,
    .cell_request_o(cell_request),
    .console_valid_o,
    .console_byte_o,
    .finish_valid_o,
    .finish_word_o,
    .trace_valid_o,
    .trace_word_o
  );

  // Locks.
  logic        locks_req;
  logic        locks_we;
  logic [3:0]  locks_be;
  logic [31:0] locks_addr;
  logic [31:0] locks_wdata;

  hrl_bus #(.PORTS(CORES)) u_locks_bus (
    .clk_i,
    .rst_ni,
    .request_i(at_locks),
    .we_i     (data_we_o),
    .be_i     (data_be_o),
    .addr_i   (data_addr_o),
    .wdata_i  (data_wdata_o),
    .grant_o  (locks_gnt),
    .waits_o  (locks_waits),
    .request_o(locks_req),
    .we_o     (locks_we),
    .be_o     (locks_be),
    .addr_o   (locks_addr),
    .wdata_o  (locks_wdata)
  );

  hrl_locks u_locks (
    .clk_i,
    .rst_ni,
    .select_i(locks_req),
    .we_i    (locks_we),
    .be_i    (locks_be),
    .addr_i  (locks_addr[11:2]),
    .wdata_i (locks_wdata),
    .rdata_o (locks_rdata),
    .error_o (locks_error)
  );
endmodule

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//
// The interrupt controller: priorities, one line to the core, and one load that claims the most urgent
// source and answers with its handler's address.
//
// Inside, sources stand without the gap in their numbers: 0..31 software, 32 overrun, 33 + n line n (which
// programs know as 64 + n). The order of equals is the same in both.
//
// What wins in one cycle: an access is done first, then what the hardware sets. So a request survives a
// claim or a clear of the same cycle, and one that meets a COMPLETE finds the source retired.
module hrl_controller #(
  parameter int unsigned LINES = 64,
  localparam int unsigned SOURCES = 33 + LINES,
  localparam int unsigned INDEX = $clog2(SOURCES)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [LINES-1:0] request_i,      // requests of the cells; each high for a cycle
  input  logic [63:0]      time_i,
  output logic [15:0]      run_o,          // the control cells
  output logic [15:1]      restart_o,      // the groups whose counters become 0
  output logic             irq_o,
  input  logic             select_hot_i,   // an access to the thirteen words next to address 0
  input  logic             select_bulk_i,  // an access to the tables
  input  logic             we_i,
  input  logic [12:2]      addr_i,
  input  logic [31:0]      wdata_i,
  output logic [31:0]      rdata_o,        // in the following cycle
  // For the bench: what was claimed and completed in this cycle.
  output logic             claim_o,
  output logic             complete_o,
  output logic [8:0]       source_o
`ifdef HRL_DOORBELLS  // a board of several cores; no parameter, as Yosys counts other gates where a port is not used
  ,
  input  logic [31:0]      raise_i         // software sources that other cores raise
`endif
);
  localparam logic [3:0] CLAIM           = 4'd0;
  localparam logic [3:0] COMPLETE        = 4'd1;
  localparam logic [3:0] THRESHOLD       = 4'd2;
  localparam logic [3:0] RAISE           = 4'd3;
  localparam logic [3:0] LOWER           = 4'd4;
  localparam logic [3:0] RUN             = 4'd5;
  localparam logic [3:0] RUN_SET         = 4'd6;
  localparam logic [3:0] RUN_CLEAR       = 4'd7;
  localparam logic [3:0] TIME_LOW        = 4'd8;
  localparam logic [3:0] TIME_HIGH       = 4'd9;
  localparam logic [3:0] ACTIVE_PRIORITY = 4'd10;
  localparam logic [3:0] ACTIVE_SOURCE   = 4'd11;
  localparam logic [3:0] RESTART         = 4'd12;

  // What addr_i[12:6] is in the tables.
  localparam logic [6:0] ENABLE   = 7'h40;
  localparam logic [6:0] PENDING  = 7'h41;
  localparam logic [6:0] CLEAR    = 7'h42;
  localparam logic [6:0] OVERRUN  = 7'h43;
  localparam logic [6:0] ACTIVE   = 7'h44;
  localparam logic [6:0] SPURIOUS = 7'h45;
  localparam logic [6:0] FOLLOW   = 7'h46;

  logic [5*SOURCES-1:0] priority_q;
  logic [SOURCES-1:0]   enable_q;
  logic [SOURCES-1:0]   pending_q;
  logic [SOURCES-1:0]   active_q;
  logic [LINES-1:0]     overrun_q;
  logic [4:0]           threshold_q;
  logic [15:1]          run_q;
  logic [15:1]          follow_q;    // the group runs while its source is the most urgent active one, too:
  logic [9*16-1:9]      followed_q;  // that source, as programs know it
  logic [31:0]          spurious_q;

  // The most urgent that waits, the most urgent that is served.
  logic             waits;
  logic [4:0]       waiting_priority;
  logic [INDEX-1:0] waiting;
  logic             serves;
  logic [4:0]       serving_priority;
  logic [INDEX-1:0] serving;
  logic [4:0]       running_priority;

  hrl_urgent #(.SOURCES(SOURCES)) u_waiting (
    .candidate_i(pending_q & enable_q),
    .priority_i (priority_q),
    .valid_o    (waits),
    .priority_o (waiting_priority),
    .index_o    (waiting)
  );

  hrl_urgent #(.SOURCES(SOURCES)) u_serving (
    .candidate_i(active_q),
    .priority_i (priority_q),
    .valid_o    (serves),
    .priority_o (serving_priority),
    .index_o    (serving)
  );

  assign running_priority =
      (serves & (serving_priority > threshold_q)) ? serving_priority : threshold_q;
  assign irq_o = waits & (waiting_priority > running_priority);

  // Accesses.
  logic             read_hot;
  logic             write_hot;
  logic             write_bulk;
  logic [3:0]       hot;
  logic [6:0]       part;
  logic [3:0]       word;
  logic [8:0]       number;         // of the source that this PRIORITY or HANDLER belongs to
  logic             number_exists;
  logic [INDEX-1:0] named;          // that number without the gap
  logic             claim;
  logic             complete;

  assign read_hot      = select_hot_i & ~we_i;
  assign write_hot     = select_hot_i & we_i;
  assign write_bulk    = select_bulk_i & we_i;
  assign hot           = addr_i[5:2];
  assign part          = addr_i[12:6];
  assign word          = addr_i[5:2];
  assign number        = addr_i[10:2];
  assign number_exists = (number <= 9'd32) | ((number >= 9'd64) & (number < 9'(64 + LINES)));
  assign named         = INDEX'((number >= 9'd64) ? number - 9'd31 : number);
  assign claim         = read_hot & (hot == CLAIM) & irq_o;
  assign complete      = write_hot & (hot == COMPLETE) & serves;

  // Words of bits go by the numbers that programs know: word 0 is software's, word 1 has the overrun source,
  // the others the lines. A write to one means some bits of `written`; all others are 0.
  logic [SOURCES-1:0] in_word;  // which sources the addressed word holds
  logic [SOURCES-1:0] written;

  always_comb begin
    in_word = '0;
    written = '0;
    if (select_bulk_i) begin
      for (int i = 0; i < SOURCES; i++) begin
        in_word[i] = word == 4'(number_of(i) / 32);
        written[i] = we_i & in_word[i] & wdata_i[number_of(i)%32];
      end
    end
  end

  function automatic int number_of(input int index);
    number_of = (index > 32) ? index + 31 : index;
  endfunction

  logic [SOURCES-1:0] cleared;
  logic [SOURCES-1:0] raised;
  logic [SOURCES-1:0] requests;
  logic [SOURCES-1:0] pending_kept;
  logic [SOURCES-1:0] active_kept;
  logic [LINES-1:0]   overran;

  always_comb begin
    cleared = '0;
    raised  = '0;
    if (write_bulk & (part == CLEAR)) begin
      cleared = written;
    end
    if (write_bulk & (part == PENDING)) begin
      raised[31:0] = written[31:0];
    end
    if (write_hot & (hot == LOWER)) begin
      cleared[31:0] = wdata_i;
    end
    if (write_hot & (hot == RAISE)) begin
      raised[31:0] = wdata_i;
    end

    pending_kept = pending_q & ~cleared;
    active_kept  = active_q;
    if (claim) begin
      pending_kept[waiting] = 1'b0;
      active_kept[waiting]  = 1'b1;
    end
    if (complete) begin
      active_kept[serving] = 1'b0;
    end
  end

  assign overran  = request_i & (pending_kept[33+:LINES] | active_kept[33+:LINES]);
`ifdef HRL_DOORBELLS
  assign requests = {request_i, overran != '0, raise_i};
`else
  assign requests = {request_i, overran != '0, 32'd0};
`endif

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      active_q  <= '0;
      overrun_q <= '0;
    end else begin
      pending_q <= pending_kept | raised | requests;
      active_q  <= active_kept;
      overrun_q <= (overrun_q & ~((part == OVERRUN) ? written[33+:LINES] : '0)) | overran;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q   <= '0;
      spurious_q <= 32'd0;
    end else if (write_bulk) begin
      if (part == ENABLE) begin
        enable_q <= (enable_q & ~in_word) | written;
      end
      if ((part == SPURIOUS) & (word == 4'd0)) begin
        spurious_q <= wdata_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      priority_q <= '0;
    end else if (write_bulk & (addr_i[12:11] == 2'b00) & number_exists) begin
      priority_q[5*named+:5] <= wdata_i[4:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      threshold_q <= 5'd0;
      run_q       <= 15'd0;
    end else if (write_hot) begin
      case (hot)
        THRESHOLD: threshold_q <= wdata_i[4:0];
        RUN:       run_q <= wdata_i[15:1];
        RUN_SET:   run_q <= run_q | wdata_i[15:1];
        RUN_CLEAR: run_q <= run_q & ~wdata_i[15:1];
        default:   ;
      endcase
    end
  end

  // FOLLOW: a group for each word; word 0 is none.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      follow_q   <= '0;
      followed_q <= '0;
    end else if (write_bulk & (part == FOLLOW) & (word != 4'd0)) begin
      follow_q[word]         <= wdata_i[31];
      followed_q[9*word+:9] <= wdata_i[8:0];
    end
  end

  logic [15:1] follows;

  always_comb begin
    for (int g = 1; g < 16; g++) begin
      follows[g] = follow_q[g] & serves & (known(serving) == followed_q[9*g+:9]);
    end
  end

  assign run_o = {run_q | follows, 1'b1};

  // A store to RESTART, of any value, is for the groups that follow what is served.
  assign restart_o = (write_hot & (hot == RESTART)) ? follows : 15'd0;

  // Answers. A claim reads the table of handlers at the source that it claims.
  logic        handler_select;
  logic        from_handlers_q;
  logic [31:0] handler;
  logic [31:0] answer_q;

  assign handler_select = select_bulk_i & (addr_i[12:11] == 2'b01) & number_exists;

  hrl_handlers #(.ENTRIES(SOURCES)) u_handlers (
    .clk_i,
    .request_i(claim | handler_select),
    .we_i     (write_bulk),
    .index_i  (claim ? waiting : named),
    .wdata_i,
    .rdata_o  (handler)
  );

  // The word of bits that is read.
  logic [SOURCES-1:0] bits;
  logic [31:0]        bits_word;

  always_comb begin
    bits      = '0;
    bits_word = 32'd0;
    if (select_bulk_i & ~we_i) begin
      case (part)
        ENABLE:  bits = enable_q;
        PENDING: bits = pending_q;
        OVERRUN: bits = {overrun_q, 33'd0};
        ACTIVE:  bits = active_q;
        default: ;
      endcase
      for (int i = 0; i < SOURCES; i++) begin
        bits_word[number_of(i)%32] = bits_word[number_of(i)%32] | (bits[i] & in_word[i]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    from_handlers_q <= claim | handler_select;
    if (read_hot) begin
      case (hot)
        CLAIM:           answer_q <= spurious_q;  // if there is nothing to claim
        THRESHOLD:       answer_q <= {27'd0, threshold_q};
        RAISE:           answer_q <= pending_q[31:0];
        RUN:             answer_q <= {16'd0, run_q, 1'b1};
        TIME_LOW:        answer_q <= time_i[31:0];
        TIME_HIGH:       answer_q <= time_i[63:32];
        ACTIVE_PRIORITY: answer_q <= serves ? {27'd0, serving_priority} : 32'd0;
        ACTIVE_SOURCE:   answer_q <= serves ? {23'd0, known(serving)} : 32'hFFFF_FFFF;
        default:         answer_q <= 32'd0;
      endcase
    end else if (select_bulk_i & ~we_i) begin
      answer_q <= bits_word;
      if ((addr_i[12:11] == 2'b00) & number_exists) begin
        answer_q <= {27'd0, priority_q[5*named+:5]};
      end
      if ((part == SPURIOUS) & (word == 4'd0)) begin
        answer_q <= spurious_q;
      end
      if ((part == FOLLOW) & (word != 4'd0)) begin
        answer_q <= {follow_q[word], 22'd0, followed_q[9*word+:9]};
      end
    end
  end

  assign rdata_o = from_handlers_q ? handler : answer_q;

  // The number that programs know a source by.
  function automatic logic [8:0] known(input logic [INDEX-1:0] index);
    known = (index > INDEX'(32)) ? 9'(index) + 9'd31 : 9'(index);
  endfunction

  assign claim_o    = claim;
  assign complete_o = complete;
  assign source_o   = known(claim ? waiting : serving);
endmodule

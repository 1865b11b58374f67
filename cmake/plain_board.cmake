# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# What systems/plain takes of a board's board.toml.
#
#   hrl_plain_board(<board>)
#
# sets HRL_PLAIN_<key> for the keys ARCH, CONTROLLER, CPU, FPU, CORES (empty: one), SHARED_CORES (the same, where no core has
# private memory; else empty), HZ (of counts), PRESCALERS (HRL_PRESCALERS of
# port.cmake), DEVICES (folders of ports/cell), LINE_BASE
# (HRL_LINE_BASE; empty: threads serve the lines of basic tasks), SLICES, TIME_HANDLER and SLICE_HANDLER (the handlers of
# the two cells), CLOCK_HANDLER and HEADER, the text of plain_board.h:
#
#   PLAIN_LINES(LINE)           LINE(level, number, handler) for each level of basic tasks
#   PLAIN_TIME_CELL, PLAIN_SLICE_CELL  the cells that [plain] names: driver, channel, and of the second its handler
#   PLAIN_TIME_HANDLERS(...)    the handlers of the first cell, which serves `...`, and of the clock
#   PLAIN_REACH                 how far ahead the first cell is armed, counts: half of what it can time
#   PLAIN_ARM, PLAIN_PRIORITY, PLAIN_BEGIN  the verb that arms it; its interrupt's; what is done once, before
#
# Of the clock's prescalers it takes HRL_PRESCALER, unless that is not set: then what [plain] says.
# HRL_PLAIN_SLICES is the second cell's name; empty: there is none. HRL_PLAIN_STORE is the queue of an application that
# chooses none: the sorted list where RAM has up to 64 KB, which hold some 200 threads of 300 bytes with their stacks, and
# the leftist heap elsewhere. For fewer than 300 threads the list is smaller, and costs less at worst, too
# (docs/evidence/queues.md, "Worst case").

include(${CMAKE_CURRENT_LIST_DIR}/toml.cmake)

# "<driver>, <channel>", handler and device of a cell of the board; FATAL_ERROR if there is none of the name.
function(hrl_plain_cell toml cells name result)
  foreach(cell IN LISTS cells)
    string(REPLACE " " ";" cell ${cell})
    list(POP_FRONT cell known device channel handler width)
    if(known STREQUAL name)
      string(REPLACE "-" "_" driver hrlp_${device})
      set(${result} "${driver}, ${channel}" PARENT_SCOPE)
      set(${result}_driver ${driver} PARENT_SCOPE)
      set(${result}_channel ${channel} PARENT_SCOPE)
      set(${result}_handler ${handler} PARENT_SCOPE)
      set(${result}_width ${width} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "horolog: [plain] of ${toml} names the cell '${name}', which the board has not; "
    "a board for applications without the tool has a [plain] with time = \"<cell>\"")
endfunction()

# The macros of [plain]; clock_device, clock_instance and clock_handler are set.
function(hrl_plain_macros toml cells result)
  hrl_toml_tables(${toml} plain table)
  foreach(key IN ITEMS time slices arm begin priority)
    hrl_toml_value("${table}" ${key} ${key})
  endforeach()
  hrl_plain_cell(${toml} "${cells}" "${time}" cell)
  string(REPLACE "-" "_" clock hrlp_${clock_device})
  if(clock_instance STREQUAL "") # as the tool reads it
    set(clock_instance 0)
  endif()
  set(wrap "HRLI_SERVE_CLOCK(${clock}, ${clock_instance}, hrli_clock_wrapped)")
  set(serve "PLAIN_ACKNOWLEDGE(${cell}) __VA_ARGS__")
  set(handlers "PLAIN_CELL_HANDLER(${cell_handler}, __VA_ARGS__)")
  if(cell_handler STREQUAL "${clock_handler}")
    set(handlers "HRLI_HANDLER(${cell_handler}, ${wrap} HRLI_IF_FIRED(${cell}, ${serve}))")
  elseif(clock_handler)
    string(APPEND handlers " HRLI_HANDLER(${clock_handler}, ${wrap})")
  endif()
  if(NOT arm)
    set(arm arm)
  endif()
  set(level TIMING_PRIORITY)
  if(priority STREQUAL kernel)
    set(level HRL_INTERRUPT_KERNEL)
  endif()
  if(begin)
    set(begin "${cell_driver}_${begin}(${cell_channel});")
  endif()
  if(slices)
    hrl_plain_cell(${toml} "${cells}" "${slices}" slice)
    set(slice "${slice}, ${slice_handler}")
  endif()
  math(EXPR reach "${cell_width} - 1")
  if(reach GREATER 31)
    set(reach 31)
  endif()
  string(CONCAT text "#define PLAIN_TIME_CELL ${cell}\n"
    "#define PLAIN_REACH ((uint32_t)1 << ${reach})\n"
    "#define PLAIN_TIME_HANDLERS(...) ${handlers}\n"
    "#define PLAIN_ARM ${arm}\n"
    "#define PLAIN_PRIORITY ${level}\n"
    "#define PLAIN_BEGIN ${begin}\n"
    "#define PLAIN_SLICE_CELL ${slice}\n")
  set(${result} "${text}" PARENT_SCOPE)
  set(${result}_slices "${slices}" PARENT_SCOPE)
  set(${result}_time_handler "${cell_handler}" PARENT_SCOPE)
  set(${result}_slice_handler "${slice_handler}" PARENT_SCOPE)
endfunction()

# The controller's lines for the levels from 1 on, and the base that their numbers count from, which is not below 0.
function(hrl_plain_lines toml result result_base)
  hrl_toml_things(${toml} lines lines handler number)
  list(FILTER lines EXCLUDE REGEX " 0$")
  set(text "#define PLAIN_LINES(LINE)")
  set(base "")
  set(level 0)
  foreach(line IN LISTS lines)
    math(EXPR level "${level} + 1")
    string(REPLACE " " ";" line ${line})
    list(POP_BACK line number)
    if(base STREQUAL "")
      math(EXPR base "${number} - 1")
    endif()
    math(EXPR expected "${base} + ${level}")
    if(level LESS_EQUAL 8)
      if(NOT number EQUAL expected)
        message(FATAL_ERROR "horolog: in ${toml} the line ${line} has the number ${number}, not ${expected}: "
          "the first eight lines have numbers in a row")
      endif()
      string(APPEND text " LINE(${level}, ${number}, ${line})")
    endif()
  endforeach()
  set(${result} "${text}\n" PARENT_SCOPE)
  set(${result_base} "${base}" PARENT_SCOPE)
endfunction()

function(hrl_plain_board name)
  set(toml ${HRL_ROOT}/boards/${name}/board.toml)
  foreach(key IN ITEMS board.arch board.cpu board.fpu board.cores board.basic_levels clock.hz clock.device clock.instance clock.handler
      controller.device)
    string(REPLACE "." ";" path ${key})
    list(GET path 0 table)
    list(GET path 1 key)
    hrl_toml_tables(${toml} ${table} text)
    hrl_toml_value("${text}" ${key} ${table}_${key})
  endforeach()
  set(prescalers)
  hrl_toml_tables(${toml} plain text)
  hrl_toml_value("${text}" prescaler prescaler)
  if(HRL_PRESCALER)
    hrl_toml_tables(${toml} clock text)
    string(REGEX MATCH "\n *prescalers *= *<([^>]*)>" matched "${text}")
    string(REGEX MATCHALL "[0-9]+" known "${CMAKE_MATCH_1}")
    math(EXPR rest "${clock_hz} % ${HRL_PRESCALER}")
    if(NOT matched OR NOT HRL_PRESCALER IN_LIST known OR rest)
      list(JOIN known ", " known)
      message(FATAL_ERROR "horolog: a prescaler of ${name} is one of '${known}' that divides ${clock_hz} Hz, not "
        "'${HRL_PRESCALER}'")
    endif()
    set(prescaler ${HRL_PRESCALER})
  endif()
  if(prescaler)
    math(EXPR clock_hz "${clock_hz} / ${prescaler}")
    set(prescalers HRL_BOARD_CLOCK_PRESCALER=${prescaler})
  endif()
  if(board_arch STREQUAL "host") # whose compiler is this machine's: HRL_CPU says nothing
    set(board_cpu "")
  endif()
  set(devices ${clock_device})
  set(header "/* Made of the board's board.toml. */\n")
  hrl_toml_things(${toml} cell cells name device instance handler width)
  foreach(cell IN LISTS cells)
    string(REGEX REPLACE "^[^ ]+ ([^ ]+) .*" "\\1" device ${cell})
    list(APPEND devices ${device})
  endforeach()
  hrl_toml_tables(${toml} cell tables)
  foreach(table IN LISTS tables)
    hrl_toml_value("${table}" device device)
    hrl_toml_value("${table}" reload_counts counts)
    if(NOT counts STREQUAL "")
      string(TOUPPER HRL_BOARD_${device}_RELOAD_COUNTS=${counts} definition)
      string(REPLACE "-" "_" definition ${definition})
      list(APPEND prescalers ${definition})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES prescalers)
  hrl_plain_macros(${toml} "${cells}" plain)
  string(APPEND header "${plain}")
  list(REMOVE_DUPLICATES devices)
  hrl_plain_lines(${toml} text line_base)
  if(board_basic_levels AND board_basic_levels LESS 8) # too few for the 8 priorities of HRL_LINE_DEFINE: threads serve
    set(text "#define PLAIN_LINES(LINE)\n")
    set(line_base "")
  endif()
  foreach(device IN LISTS devices)
    string(REPLACE "-" "_" driver hrlp_${device})
    string(APPEND text "#include \"${driver}.h\"\n")
  endforeach()
  set(store leftist_heap)
  hrl_toml_things(${toml} memory memories name length)
  foreach(memory IN LISTS memories)
    if(memory MATCHES "^ram (.*)$")
      math(EXPR bytes "${CMAKE_MATCH_1}")
      if(NOT bytes GREATER 65536)
        set(store sorted_list)
      endif()
    endif()
  endforeach()
  set(memories)
  if(board_cores GREATER 1)
    hrl_toml_things(${toml} memory memories name)
    if(NOT private IN_LIST memories)
      set(shared_cores ${board_cores})
    endif()
  endif()
  foreach(pair IN ITEMS SHARED_CORES=shared_cores ARCH=board_arch CONTROLLER=controller_device CPU=board_cpu FPU=board_fpu CORES=board_cores HZ=clock_hz
      PRESCALERS=prescalers DEVICES=devices LINE_BASE=line_base SLICES=plain_slices STORE=store
      TIME_HANDLER=plain_time_handler SLICE_HANDLER=plain_slice_handler CLOCK_HANDLER=clock_handler)
    string(REGEX MATCH "^(.*)=(.*)$" matched ${pair})
    set(HRL_PLAIN_${CMAKE_MATCH_1} "${${CMAKE_MATCH_2}}" PARENT_SCOPE)
  endforeach()
  set(HRL_PLAIN_HEADER "${header}${text}" PARENT_SCOPE)
endfunction()

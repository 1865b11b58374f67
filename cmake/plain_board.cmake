# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# What systems/plain takes of a board's board.toml.
#
#   hrl_plain_board(<board>)
#
# sets HRL_PLAIN_<key> for the keys ARCH, CONTROLLER, CPU, FPU, HZ, DEVICES (folders of ports/cell), LINE_BASE
# (HRL_LINE_BASE; empty: threads serve the lines of basic tasks) and HEADER, the text of plain_board.h:
#
#   PLAIN_SLOT_BITS             a slot of a calendar is 2^this counts, 1 to 2 ms
#   PLAIN_LINES(LINE)           LINE(level, number, handler) for each level of basic tasks
#   PLAIN_VERB_<cell>(verb)     its driver's function; PLAIN_CHANNEL_<cell>, PLAIN_HANDLER_<cell>: as board.toml says
#   PLAIN_HANDLERS_<cell>(...)  the handlers of the cell, which serves `...`, and of the clock

include(${CMAKE_CURRENT_LIST_DIR}/toml.cmake)

# The macros of a cell; clock_device, clock_instance and clock_handler are set.
function(hrl_plain_cell result cell device channel handler)
  string(REPLACE "-" "_" driver hrlp_${device})
  string(REPLACE "-" "_" clock hrlp_${clock_device})
  set(wrap "HRLI_SERVE_CLOCK(${clock}, ${clock_instance}, hrli_clock_wrapped)")
  set(serve "HRLI_ACKNOWLEDGE(${driver}, ${channel}) __VA_ARGS__")
  set(handlers "HRLI_HANDLER(${handler}, ${serve})")
  if(handler STREQUAL "${clock_handler}")
    set(handlers "HRLI_HANDLER(${handler}, ${wrap} HRLI_IF_FIRED(${driver}, ${channel}, ${serve}))")
  elseif(clock_handler)
    string(APPEND handlers " HRLI_HANDLER(${clock_handler}, ${wrap})")
  endif()
  string(CONCAT text "#define PLAIN_VERB_${cell}(verb) ${driver}_##verb\n"
    "#define PLAIN_CHANNEL_${cell} ${channel}\n"
    "#define PLAIN_HANDLER_${cell} ${handler}\n"
    "#define PLAIN_HANDLERS_${cell}(...) ${handlers}\n")
  set(${result} "${text}" PARENT_SCOPE)
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
  foreach(key IN ITEMS board.arch board.cpu board.fpu clock.hz clock.device clock.instance clock.handler
      controller.device)
    string(REPLACE "." ";" path ${key})
    list(GET path 0 table)
    list(GET path 1 key)
    hrl_toml_tables(${toml} ${table} text)
    hrl_toml_value("${text}" ${key} ${table}_${key})
  endforeach()
  if(board_arch STREQUAL "host") # whose compiler is this machine's: HRL_CPU says nothing
    set(board_cpu "")
  endif()
  math(EXPR slot "${clock_hz} / 1000")
  set(bits 0)
  while(slot GREATER 0)
    math(EXPR slot "${slot} >> 1")
    math(EXPR bits "${bits} + 1")
  endwhile()
  set(devices ${clock_device})
  set(header "/* Made of the board's board.toml. */\n#define PLAIN_SLOT_BITS ${bits}\n")
  hrl_toml_things(${toml} cell cells name device instance handler)
  foreach(cell IN LISTS cells)
    string(REPLACE " " ";" cell ${cell})
    hrl_plain_cell(text ${cell})
    string(APPEND header "${text}")
    list(GET cell 1 device)
    list(APPEND devices ${device})
  endforeach()
  list(REMOVE_DUPLICATES devices)
  hrl_plain_lines(${toml} text line_base)
  foreach(device IN LISTS devices)
    string(REPLACE "-" "_" driver hrlp_${device})
    string(APPEND text "#include \"${driver}.h\"\n")
  endforeach()
  foreach(pair IN ITEMS ARCH=board_arch CONTROLLER=controller_device CPU=board_cpu FPU=board_fpu HZ=clock_hz
      DEVICES=devices LINE_BASE=line_base)
    string(REGEX MATCH "^(.*)=(.*)$" matched ${pair})
    set(HRL_PLAIN_${CMAKE_MATCH_1} "${${CMAKE_MATCH_2}}" PARENT_SCOPE)
  endforeach()
  set(HRL_PLAIN_HEADER "${header}${text}" PARENT_SCOPE)
endfunction()

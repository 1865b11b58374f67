# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The delay queues of kernel/queue, for what goes through all of them: those whose headers say by HRLI_INIT_<queue> how
# they are made. A new queue is found without another list.
#
#   hrl_delay_queues(<root> <folder> <result> [BUT <queue>...])
#
# gives the names but those behind BUT, and writes <folder>/delay_queues.h, which includes every queue's header and
# defines HRLI_DELAY_QUEUES(X) as X(<queue>) for each name given.
#
#   hrl_queues_without_arrays(<root> <result>)
#
# gives the names of those that need no arrays, as HRLI_ARRAYS_<queue> is empty: they take any number of nodes.
#
#   hrl_queue_spare_words(<root> <queue> <result>)
#
# gives how many spare words of a node the queue needs: what its header says by HRLI_SPARE_<queue>, else 3. With fewer
# than 3, HRL_QUEUE_SPARE_WORDS, the queue is <queue>.c and no other source.

function(hrl_delay_queues root folder result)
  cmake_parse_arguments(queues "" "" "BUT" ${ARGN})
  file(GLOB headers CONFIGURE_DEPENDS ${root}/kernel/queue/*.h)
  set(text "/* Made of kernel/queue. */\n")
  set(names)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} lines REGEX "^#define HRLI_INIT_")
    if(lines)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
      get_filename_component(file ${header} NAME)
      string(APPEND text "#include \"${file}\"\n")
    endif()
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#define HRLI_INIT_([a-z0-9_]+).*" "\\1" name ${line})
      list(APPEND names ${name})
    endforeach()
  endforeach()
  if(queues_BUT)
    list(REMOVE_ITEM names ${queues_BUT})
  endif()
  list(TRANSFORM names REPLACE "(.+)" " X(\\1)" OUTPUT_VARIABLE list)
  list(JOIN list "" list)
  file(CONFIGURE OUTPUT ${folder}/delay_queues.h CONTENT "${text}#define HRLI_DELAY_QUEUES(X)${list}\n" @ONLY)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(hrl_queues_without_arrays root result)
  file(GLOB headers CONFIGURE_DEPENDS ${root}/kernel/queue/*.h)
  set(names)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} lines REGEX "^#define HRLI_ARRAYS_[a-z0-9_]+[(][a-z, ]+[)]$")
    if(lines)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    endif()
    list(TRANSFORM lines REPLACE "^#define HRLI_ARRAYS_([a-z0-9_]+)[(].*" "\\1")
    list(APPEND names ${lines})
  endforeach()
  set(${result} ${names} PARENT_SCOPE)
endfunction()

function(hrl_queue_spare_words root queue result)
  file(STRINGS ${root}/kernel/queue/${queue}.h line REGEX "^#define HRLI_SPARE_")
  set(words 3)
  if(line MATCHES "^#define HRLI_SPARE_[a-z0-9_]+ ([0-9])")
    set(words ${CMAKE_MATCH_1})
  endif()
  set(${result} ${words} PARENT_SCOPE)
endfunction()

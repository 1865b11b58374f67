# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# FreeRTOS's port for a chip, with the prescaler of its tick that the generated configuration says, and its handler by the
# name that vector tables have here.
#
#   hrl_freertos_chip(<FreeRTOS-Kernel> <a folder of portable/> <variable>)
#
# puts the port's source into <variable>. Its authors wrote the prescaler into it as a constant, which an application edits
# whose tick that does not give. So does this, into a copy in the build folder. All else stays as it is.

function(hrl_freertos_chip kernel port result)
  file(READ ${kernel}/portable/${port}/port.c text)
  # Between the name and the value is what keeps them in columns.
  foreach(edit IN ITEMS "portCLOCK_PRESCALER:uint32_t:HRL_GEN_TICK_PRESCALER"
      "portPRESCALE_(64|1024):uint8_t:HRL_GEN_TICK_SELECT")
    string(REPLACE ":" ";" edit ${edit})
    list(GET edit 0 name)
    list(GET edit 1 type)
    list(GET edit 2 value)
    set(before "${text}")
    string(REGEX REPLACE "(#define +${name} +)[^\r\n]+" "\\1( ( ${type} ) ${value} )" text "${text}")
    if(text STREQUAL before)
      message(FATAL_ERROR "horolog: FreeRTOS's port ${port} has no ${name} to edit; it is not that of V11.2.0")
    endif()
  endforeach()
  string(REGEX REPLACE "(TIMER[01]_COMPA)_vect" "\\1_Handler_entry" text "${text}")
  string(REPLACE "/" "_" name ${port})
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/freertos_${name}.c)
  file(CONFIGURE OUTPUT ${copy} CONTENT "${text}" @ONLY)
  set(${result} ${copy} PARENT_SCOPE)
endfunction()

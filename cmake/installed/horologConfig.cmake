# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Installed as <environment>/share/cmake/horolog, where find_package(horolog) looks if <environment>/bin is on PATH: the package's
# own cmake folder has the rest.

get_filename_component(hrl_environment ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
execute_process(COMMAND ${hrl_environment}/bin/horolog cmake dir OUTPUT_VARIABLE hrl_folder OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE hrl_status ERROR_VARIABLE hrl_said)
if(hrl_status EQUAL 0)
  include(${hrl_folder}/horologConfig.cmake)
else()
  set(horolog_FOUND FALSE)
  set(horolog_NOT_FOUND_MESSAGE "${hrl_environment}/bin/horolog does not say its folder: ${hrl_status} ${hrl_said}")
endif()

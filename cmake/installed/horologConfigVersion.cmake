# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# As horologConfig.cmake beside it.

get_filename_component(hrl_environment ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
execute_process(COMMAND ${hrl_environment}/bin/horolog cmake dir OUTPUT_VARIABLE hrl_folder OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE hrl_status ERROR_QUIET)
if(hrl_status EQUAL 0)
  include(${hrl_folder}/horologConfigVersion.cmake)
else() # horologConfig.cmake says what is wrong
  set(PACKAGE_VERSION unknown)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()

# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# Sets HRL_VERSION, the version of the Horolog that this folder belongs to: of a checkout, or of an installed package.

get_filename_component(hrl_data ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
foreach(hrl_file IN ITEMS ${hrl_data}/src/horolog/__init__.py ${hrl_data}/../__init__.py)
  if(EXISTS ${hrl_file})
    file(STRINGS ${hrl_file} hrl_line REGEX "^__version__ = ")
    string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" HRL_VERSION "${hrl_line}")
    break()
  endif()
endforeach()

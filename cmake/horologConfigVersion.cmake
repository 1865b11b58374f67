# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# What find_package(horolog <version>) asks: before 1.0 another minor version is another interface.

include(${CMAKE_CURRENT_LIST_DIR}/version.cmake)
set(PACKAGE_VERSION ${HRL_VERSION})
string(REGEX MATCH "^[0-9]+\\.[0-9]+" hrl_series ${PACKAGE_VERSION})
if(PACKAGE_FIND_VERSION STREQUAL "")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
elseif(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" hrl_wanted ${PACKAGE_FIND_VERSION}.0)
  if(hrl_wanted STREQUAL hrl_series)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  else()
    set(PACKAGE_VERSION_COMPATIBLE FALSE)
  endif()
endif()
if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()

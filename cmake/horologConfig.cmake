# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# find_package(horolog): horolog_system (horolog_system.cmake) for described systems, horolog_application (horolog.cmake) for
# programs without the tool, and
#
#   horolog_TOOLCHAIN   the toolchain file of boards (toolchain/board.cmake), for CMAKE_TOOLCHAIN_FILE before project()

include(${CMAKE_CURRENT_LIST_DIR}/horolog.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/horolog_system.cmake)
set(horolog_TOOLCHAIN ${CMAKE_CURRENT_LIST_DIR}/toolchain/board.cmake)

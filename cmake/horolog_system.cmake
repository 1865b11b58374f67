# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# A system that system.toml describes, in a program of the user's own CMake project (docs/guide/cmake.md).
#
#   find_package(horolog REQUIRED)
#   horolog_system(<target> <system.toml> [BOARD <board>] [KIND thread|basic] [MECHANISM <name>] [QUEUE <store>]
#                  [OBJECTIVE <name>] [CHECKS])
#
# plans the system when CMake configures, and again when system.toml or the board's files change, and adds to <target>, an
# executable: the sources that system.toml lists and <target> does not have, the generated sources, the kernel with the
# board's port, the linker script, and what <hrl/...> needs. The options are those of `horolog plan`; BOARD is HRL_BOARD
# unless it is said. CHECKS leaves in what the kernel checks of its callers and stacks. Behind the link the program is checked
# as `horolog build` checks it. Libraries of the project that call the kernel link `horolog::<target>`, which brings its headers
# and definitions. Targets with the same board and kernel have one kernel, compiled once.
#
# HOROLOG_COMMAND is the tool, found where CMake finds programs, or in the environment that this file is installed in.

get_filename_component(HRL_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)

# Sets HOROLOG_COMMAND in the cache; FATAL_ERROR if there is no tool.
function(hrl_find_command)
  get_filename_component(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  # <environment>/lib/python3.11/site-packages/horolog/_data, or a checkout.
  find_program(HOROLOG_COMMAND horolog HINTS ${root}/../../../../../bin ${root}/.venv/bin
    DOC "the command horolog, which plans systems")
  if(NOT HOROLOG_COMMAND)
    message(FATAL_ERROR "horolog: the command 'horolog' is not found, and horolog_system needs it to plan the system. "
      "Install it (python3 -m pip install horolog, or ${root}), and put its folder on PATH or say "
      "-DHOROLOG_COMMAND=/path/to/bin/horolog.")
  endif()
endfunction()

# What is wrong with the call and the project, before anything is planned.
function(hrl_refuse_system target file unknown)
  if(unknown)
    list(JOIN unknown " " unknown)
    message(FATAL_ERROR "horolog: horolog_system(${target} ...) takes no ${unknown}; it takes BOARD, KIND, MECHANISM, QUEUE "
      "and OBJECTIVE, each with a value, and CHECKS")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "horolog: there is no target '${target}' for horolog_system; call add_executable(${target} ...) before")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL EXECUTABLE)
    message(FATAL_ERROR "horolog: horolog_system takes an executable, and '${target}' is a ${type}")
  endif()
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "horolog: there is no file ${file}, which horolog_system(${target} ...) names")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language IN ITEMS C ASM)
    if(NOT language IN_LIST languages)
      message(FATAL_ERROR "horolog: the kernel is C and assembly, and ${language} is not a language of this project; "
        "write project(${PROJECT_NAME} C ASM), and CXX for C++")
    endif()
  endforeach()
  get_target_property(taken ${target} HRL_SYSTEM)
  if(taken)
    message(FATAL_ERROR "horolog: '${target}' has a system already, ${taken}; a program has one")
  endif()
endfunction()

# Has the tool plan `file` and write sources into `folder`; the arguments behind are the tool's.
function(hrl_plan_system target file folder)
  execute_process(COMMAND ${HOROLOG_COMMAND} cmake sources ${file} --out ${folder} ${ARGN}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} RESULT_VARIABLE status)
  # A description that is put right is planned again, and so is one that was never planned.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "horolog: ${file} is not planned for the target '${target}': ${HOROLOG_COMMAND} says above why, and "
      "ended with ${status}")
  endif()
  include(${folder}/facts.cmake)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${horolog_inputs} ${HOROLOG_COMMAND})
  include(${HRL_ROOT}/cmake/version.cmake)
  if(NOT horolog_version STREQUAL HRL_VERSION)
    message(FATAL_ERROR "horolog: ${HOROLOG_COMMAND} is Horolog ${horolog_version}, and ${HRL_ROOT} is ${HRL_VERSION}: "
      "what the one generates, the other's kernel need not understand. Install the same version.")
  endif()
  foreach(key IN ITEMS cpu fpu)
    string(TOUPPER HRL_${key} name)
    if(NOT "${${name}}" STREQUAL "${horolog_${key}}")
      message(FATAL_ERROR "horolog: the board ${horolog_board} has ${name} '${horolog_${key}}', and this project is configured for "
        "'${${name}}'. In an empty folder say -DCMAKE_TOOLCHAIN_FILE=${HRL_ROOT}/cmake/toolchain/board.cmake "
        "-DHRL_BOARD=${horolog_board}; with a toolchain file of your own, -DHRL_CPU=${horolog_cpu} -DHRL_FPU=${horolog_fpu}, if it "
        "compiles for these.")
    endif()
  endforeach()
endfunction()

# Sets `result` to the prefix of the targets of the kernel for these settings, which are made unless they are there.
function(hrl_shared_kernel result)
  set(text "${HRL_KERNEL_FLAGS};${HRL_BOARD_DIRECTORY}")
  foreach(name IN ITEMS ARCH CONTROLLER CPU FPU DEVICES PRESCALERS GUARD WITHOUT_THREADS)
    string(APPEND text ";${name}=${HRL_${name}}")
  endforeach()
  string(SHA256 key "${text}")
  string(SUBSTRING ${key} 0 8 key)
  set(prefix horolog_${key})
  if(NOT TARGET ${prefix}_kernel)
    hrl_port(${HRL_ROOT} ${prefix})
    hrl_kernel(${HRL_ROOT} ${prefix} ${${prefix}_port_directories})
    foreach(name IN ITEMS work_source port_directories public_directory)
      set_property(GLOBAL PROPERTY ${prefix}_${name} "${${prefix}_${name}}")
    endforeach()
  endif()
  set(${result} ${prefix} PARENT_SCOPE)
endfunction()

# The sources that system.toml lists become the target's, compiled as its [build] says.
function(hrl_add_listed_sources target)
  get_target_property(there ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(known)
  foreach(source IN LISTS there)
    if(source AND NOT source MATCHES "^\\$<")
      get_filename_component(path ${source} REALPATH BASE_DIR ${folder})
      list(APPEND known ${path})
    endif()
  endforeach()
  foreach(source IN LISTS HRL_USER_SOURCES)
    if(NOT source IN_LIST known)
      target_sources(${target} PRIVATE ${source})
    endif()
  endforeach()
  if(HRL_USER_SOURCES)
    set(by_language $<$<COMPILE_LANGUAGE:C,CXX>:${HRL_USER_WARNINGS}> $<$<COMPILE_LANGUAGE:C,CXX>:${HRL_USER_FLAGS}>)
    foreach(pair IN ITEMS COMPILE_OPTIONS=by_language COMPILE_DEFINITIONS=HRL_USER_DEFINES INCLUDE_DIRECTORIES=HRL_USER_INCLUDES)
      string(REPLACE "=" ";" pair ${pair})
      list(GET pair 0 property)
      list(GET pair 1 values)
      set_property(SOURCE ${HRL_USER_SOURCES} TARGET_DIRECTORY ${target} APPEND PROPERTY ${property} ${${values}})
    endforeach()
  endif()
  foreach(language IN ITEMS C CXX)
    if(HRL_USER_${language}_STANDARD)
      set_target_properties(${target} PROPERTIES ${language}_STANDARD ${HRL_USER_${language}_STANDARD})
    endif()
  endforeach()
endfunction()

function(horolog_system target file)
  cmake_parse_arguments(app "CHECKS" "BOARD;KIND;MECHANISM;QUEUE;OBJECTIVE" "" ${ARGN})
  get_filename_component(HRL_ROOT ${CMAKE_CURRENT_FUNCTION_LIST_DIR} DIRECTORY)
  get_filename_component(file ${file} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  hrl_refuse_system(${target} ${file} "${app_UNPARSED_ARGUMENTS}")
  hrl_find_command()

  set(options)
  if(NOT app_BOARD)
    set(app_BOARD ${HRL_BOARD})
  endif()
  foreach(key IN ITEMS BOARD KIND MECHANISM QUEUE OBJECTIVE)
    if(app_${key})
      string(TOLOWER ${key} option)
      if(key STREQUAL BOARD AND EXISTS ${CMAKE_SOURCE_DIR}/${app_BOARD}/board.toml)
        set(app_BOARD ${CMAKE_SOURCE_DIR}/${app_BOARD})
      endif()
      list(APPEND options --${option} ${app_${key}})
    endif()
  endforeach()
  set(HRL_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/horolog/${target})
  hrl_plan_system(${target} ${file} ${HRL_GENERATED} ${options})

  include(${HRL_ROOT}/cmake/described.cmake)
  foreach(name IN ITEMS CONTROLLER PRESCALERS GUARD OWN_VECTORS REPORT TRACE ONLY_QUEUE PRIORITIES CORES USER_CXX
    USER_LINKER_SCRIPT CONSTRUCTS ${HRL_VARIANTS})
    set(HRL_${name}) # the project may have such variables
  endforeach()
  include(${HRL_GENERATED}/system.cmake)
  include(${HRL_ROOT}/cmake/kernel.cmake)
  include(${HRL_ROOT}/cmake/port.cmake)
  include(${HRL_ROOT}/cmake/board.cmake)
  set(CMAKE_C_STANDARD 11)
  set(CMAKE_C_EXTENSIONS ON)
  set(HRL_CHECKS 0)
  if(app_CHECKS)
    set(HRL_CHECKS 1)
  endif()
  hrl_described_variant()
  hrl_described_flags()
  hrl_shared_kernel(kernel)
  foreach(name IN ITEMS work_source port_directories public_directory)
    get_property(${name} GLOBAL PROPERTY ${kernel}_${name})
  endforeach()

  add_library(${target}_horolog OBJECT ${HRL_GENERATED}/hrl_gen_system.c ${HRL_OWN_SOURCES}
    ${HRL_GENERATED}/hrl_gen_bodies.c ${work_source})
  hrl_described_options(${target}_horolog ${port_directories})
  target_compile_definitions(${target}_horolog PRIVATE HRL_CLOCK_HZ=${HRL_CLOCK_HZ}u)

  add_library(${target}_horolog_api INTERFACE)
  add_library(horolog::${target} ALIAS ${target}_horolog_api)
  target_include_directories(${target}_horolog_api INTERFACE ${HRL_ROOT}/include ${public_directory})
  # Without the C++ library, which the compilers' packages do not bring; a project that has it may say otherwise behind this.
  target_compile_options(${target}_horolog_api INTERFACE ${HRL_VARIANT}
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-fno-rtti;-fno-threadsafe-statics>)
  target_compile_definitions(${target}_horolog_api INTERFACE HRL_CLOCK_HZ=${HRL_CLOCK_HZ}u)
  target_link_libraries(${target}_horolog_api INTERFACE ${kernel}_kernel)

  hrl_add_listed_sources(${target})
  if(HRL_USER_OBJECTS)
    target_link_libraries(${target} PRIVATE -Wl,--whole-archive ${HRL_USER_OBJECTS} -Wl,--no-whole-archive)
  endif()
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  target_link_libraries(${target} PRIVATE ${target}_horolog ${kernel}_start horolog::${target} ${kernel}_port ${kernel}_kernel
    ${HRL_USER_LIBRARIES} m)
  hrl_link_for_board(${target} ${HRL_BOARD_DIRECTORY} ${HRL_USER_LINKER_SCRIPT})
  # By the C compiler whatever the sources are: the toolchains' packages bring no C++ library.
  set_target_properties(${target} PROPERTIES HRL_SYSTEM ${file} LINKER_LANGUAGE C)
  get_target_property(suffix ${target} SUFFIX)
  if(NOT suffix)
    set_target_properties(${target} PROPERTIES SUFFIX .elf)
  endif()
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${HOROLOG_COMMAND} cmake checks ${file} --image $<TARGET_FILE:${target}> ${options}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} VERBATIM COMMENT "Checking ${target}")
endfunction()

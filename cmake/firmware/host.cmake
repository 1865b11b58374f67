# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
#
# The same system as a program for this machine, in virtual time, under AddressSanitizer and
# UndefinedBehaviorSanitizer. Included by CMakeLists.txt beside it, where HRL_ARCH is host; nothing here
# measures, so there is no second kernel and no separate body object.

set(HRL_COMMON_FLAGS -O1 -g -fno-common -fno-omit-frame-pointer
  -fsanitize=address,undefined -fno-sanitize-recover=all
  ${HRL_VARIANT} "-ffile-prefix-map=${HRL_ROOT}=.")
set(HRL_KERNEL_FLAGS ${HRL_COMMON_FLAGS} -Wall -Wextra -Werror "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build")
set(generated "-ffile-prefix-map=${HRL_GENERATED}=gen")
set(port ${HRL_ROOT}/ports/host ${HRL_ROOT}/ports/host/servers ${HRL_ROOT}/ports/host/public
  ${HRL_ROOT}/ports/cell/host)

hrl_kernel(${HRL_ROOT} hrl ${port})

file(GLOB port_sources CONFIGURE_DEPENDS
  ${HRL_ROOT}/ports/host/*.c ${HRL_ROOT}/ports/cell/host/*.c)
add_library(hrl_port OBJECT ${port_sources} ${HRL_ROOT}/ports/report/report.c ${HRL_ROOT}/ports/report/console.c)
target_compile_options(hrl_port PRIVATE ${HRL_KERNEL_FLAGS})
target_compile_definitions(hrl_port PRIVATE ${HRL_PRESCALERS})
target_include_directories(hrl_port PRIVATE ${HRL_ROOT}/include ${HRL_ROOT}/ports/include ${port})
hrl_compiled_before(${HRL_ROOT})

# The user's sources see the port's public header (hrlp_host_jobs.h) beside the API, to let time pass in the middle of a
# body.
add_library(hrl_bodies STATIC ${HRL_GENERATED}/hrl_gen_bodies.c ${HRL_USER_SOURCES})
target_compile_options(hrl_bodies PRIVATE ${HRL_COMMON_FLAGS} ${generated} -Wall)
hrl_user_options(hrl_bodies)
target_compile_definitions(hrl_bodies PRIVATE HRL_CLOCK_HZ=${HRL_CLOCK_HZ}u)
target_include_directories(hrl_bodies PRIVATE
  ${HRL_ROOT}/include ${HRL_ROOT}/ports/host ${HRL_USER_INCLUDES})
set_source_files_properties(${HRL_GENERATED}/hrl_gen_bodies.c PROPERTIES
  INCLUDE_DIRECTORIES ${HRL_ROOT}/ports/include) # hrlp_job.h

add_executable(horolog ${HRL_GENERATED}/hrl_gen_system.c)
hrl_described_options(horolog ${port})
target_link_libraries(horolog PRIVATE
  -Wl,--whole-archive hrl_bodies -Wl,--no-whole-archive # whole, as CMakeLists.txt says
  ${HRL_KERNEL} ${HRL_PORT} ${HRL_USER_LINKED}) # bodies may call the kernel
target_link_options(horolog PRIVATE -fsanitize=address,undefined)
set_target_properties(horolog PROPERTIES SUFFIX .elf)

/* SPDX-FileCopyrightText: 2026 The Horolog developers */
/* SPDX-License-Identifier: 0BSD */
#ifndef TANK_HPP
#define TANK_HPP

void log_level(unsigned millimetres); /* log.cpp: hands a level to the task `log` */

#endif

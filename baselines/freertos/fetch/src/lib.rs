// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Empty: cargo wants a target before it vendors a manifest's dependencies.

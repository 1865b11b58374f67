// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! Compiles what measures a firmware from outside: watch/ and its front end.

fn main() {
    println!("cargo::rerun-if-changed=../watch");
    println!("cargo::rerun-if-changed=watcher.c");
    cc::Build::new()
        .std("c11")
        .include("..")
        .files(["jobs", "lines", "protocol", "window"].map(|name| format!("../watch/{name}.c")))
        .file("watcher.c")
        .compile("watcher");
}

// SPDX-FileCopyrightText: 2026 The Horolog developers
// SPDX-License-Identifier: Apache-2.0
//! A timer of an STM32: an up-counter with compare channels, by the reference manual RM0390, chapters 16 to 19.
//!
//! What is there: PSC (always shadowed), ARR (shadowed with ARPE), CNT, CCR1 to CCR4 (not shadowed), CEN, UDIS, URS,
//! OPM, ARPE, UIF, CC1IF to CC4IF, UG, CC1G to CC4G, the update as TRGO (MMS = 2), and external clock mode 1 (SMS = 7) with
//! the update of another timer as its clock. Nothing else: no pins, no repetition counter, no DMA, no down-counting.
//!
//! Times are clocks of the timer since reset. A counter takes its first step PSC + 1 clocks behind the one after CEN was
//! set. It is at its top when it is ARR, and the update comes with the step to 0; if ARR was written below the count, the
//! count goes on to all ones, and the step to 0 from there is no update. An ARR of 0 stops it. A flag of a channel
//! is set when the counter steps onto its number, also if that is the step to 0; a number above ARR is taken for ARR + 1.

/// Registers, as offsets.
pub const CR1: u32 = 0x00;
pub const CR2: u32 = 0x04;
pub const SMCR: u32 = 0x08;
pub const DIER: u32 = 0x0c;
pub const SR: u32 = 0x10;
pub const EGR: u32 = 0x14;
pub const CNT: u32 = 0x24;
pub const PSC: u32 = 0x28;
pub const ARR: u32 = 0x2c;
pub const CCR1: u32 = 0x34;

const CEN: u32 = 1 << 0;
const UDIS: u32 = 1 << 1;
const URS: u32 = 1 << 2;
const OPM: u32 = 1 << 3;
const ARPE: u32 = 1 << 7;
const UIF: u32 = 1 << 0;
const UG: u32 = 1 << 0;
const MMS_UPDATE: u32 = 2;
const SMS_EXTERNAL: u32 = 7;
/// From an update to the step of the timer whose clock it is: the trigger is synchronised.
pub const TRIGGER_CLOCKS: u64 = 4;
/// Never.
pub const NEVER: u64 = u64::MAX;

#[derive(Debug)]
pub struct Timer {
    bits: u32,
    channels: u32,
    cr1: u32,
    cr2: u32,
    smcr: u32,
    dier: u32,
    sr: u32,
    psc: u32,
    psc_used: u32,
    arr: u32,
    arr_used: u32,
    ccr: [u32; 4],
    cnt: u32,
    /// When the count became what it is, if the prescaler has counted on since.
    since: u64,
    /// Of a stopped timer: what its prescaler has counted.
    phase: u64,
    /// When the clock of external clock mode 1 comes.
    tick: u64,
    /// When the last update was that another timer may count.
    triggered: Option<u64>,
    /// Flags that have begun to interrupt, and when.
    requests: Vec<(u32, u64)>,
}

impl Timer {
    pub fn new(bits: u32, channels: u32) -> Self {
        let all = Self::ones(bits);
        Self {
            bits,
            channels,
            cr1: 0,
            cr2: 0,
            smcr: 0,
            dier: 0,
            sr: 0,
            psc: 0,
            psc_used: 0,
            arr: all,
            arr_used: all,
            ccr: [0; 4],
            cnt: 0,
            since: 0,
            phase: 0,
            tick: NEVER,
            triggered: None,
            requests: Vec::new(),
        }
    }

    fn ones(bits: u32) -> u32 {
        if bits == 32 {
            u32::MAX
        } else {
            (1 << bits) - 1
        }
    }

    /// The trigger by which this timer counts, if it does not count its own clock: TS.
    pub fn counts_trigger(&self) -> Option<u32> {
        (self.smcr & 7 == SMS_EXTERNAL).then_some(self.smcr >> 4 & 7)
    }

    fn counts_clock(&self) -> bool {
        self.cr1 & CEN != 0 && self.counts_trigger().is_none() && self.arr_used != 0
    }

    fn top(&self) -> u32 {
        if self.cnt <= self.arr_used {
            self.arr_used
        } else {
            Self::ones(self.bits)
        }
    }

    /// Steps from the count to that with which something happens: the nearest match, at most the step to 0.
    fn steps(&self) -> u64 {
        let top = self.top();
        let matches = (0..self.channels as usize).map(|n| self.ccr[n]);
        let near = matches.filter(|&ccr| ccr > self.cnt && ccr <= top).min();
        u64::from(near.unwrap_or(top) - self.cnt) + u64::from(near.is_none())
    }

    /// When something happens next, by the registers as they are.
    fn event(&self) -> u64 {
        if self.counts_clock() {
            self.since + self.steps() * (u64::from(self.psc_used) + 1)
        } else {
            self.tick
        }
    }

    /// When something happens next that the rest of the chip sees, or later if time was synchronised to that before.
    pub fn wake(&self) -> u64 {
        let quiet = self.dier & 0x1f & !self.sr == 0 && self.cr2 >> 4 & 7 != MMS_UPDATE;
        if quiet && self.tick == NEVER && self.cr1 & OPM == 0 {
            NEVER
        } else {
            self.event()
        }
    }

    /// What the timer is at `now`.
    pub fn synchronise(&mut self, now: u64) {
        loop {
            let event = self.event();
            if event > now {
                return;
            }
            let before = self.interrupts();
            if self.counts_clock() {
                let steps = self.steps();
                self.since = event;
                self.step(steps, event);
            } else {
                self.tick = NEVER;
                if self.cr1 & CEN != 0 && self.counts_trigger().is_some() && self.arr_used != 0 {
                    self.step(1, event);
                }
            }
            self.note_requests(before, event);
        }
    }

    fn note_requests(&mut self, before: u32, at: u64) {
        let new = self.interrupts() & !before;
        if new != 0 {
            self.requests.push((new, at));
        }
    }

    /// Which flags have begun to interrupt since it was asked, and when.
    pub fn take_requests(&mut self) -> Vec<(u32, u64)> {
        std::mem::take(&mut self.requests)
    }

    fn step(&mut self, steps: u64, at: u64) {
        let top = self.top();
        let updates = top == self.arr_used;
        if self.cnt as u64 + steps > u64::from(top) {
            self.cnt = 0;
            for n in 0..self.channels as usize {
                let at_top = updates && self.ccr[n] > self.arr_used;
                self.sr |= u32::from(self.ccr[n] == 0 || at_top) << (n + 1);
            }
            if updates && self.cr1 & UDIS == 0 {
                self.update(at, true);
            }
            if updates && self.cr1 & OPM != 0 {
                self.stop(at);
            }
        } else {
            self.cnt += steps as u32;
            for n in 0..self.channels as usize {
                self.sr |= u32::from(self.ccr[n] == self.cnt) << (n + 1);
            }
        }
    }

    /// The update event.
    fn update(&mut self, at: u64, flag: bool) {
        self.psc_used = self.psc;
        self.arr_used = self.arr;
        self.sr |= if flag { UIF } else { 0 };
        if self.cr2 >> 4 & 7 == MMS_UPDATE {
            self.triggered = Some(at);
        }
    }

    fn stop(&mut self, at: u64) {
        self.phase = if self.counts_clock() {
            at - self.since
        } else {
            0
        };
        self.cr1 &= !CEN;
    }

    fn start(&mut self, now: u64) {
        self.cr1 |= CEN;
        self.since = now + 1 - self.phase.min(now + 1);
        self.phase = 0;
    }

    /// What another timer may count: when this one had its last update since it was asked.
    pub fn take_trigger(&mut self) -> Option<u64> {
        self.triggered.take()
    }

    /// The trigger that this timer counts has come at `at`.
    pub fn trigger(&mut self, at: u64) {
        self.tick = at + TRIGGER_CLOCKS;
    }

    /// Which flags interrupt: bit 0 the update's, bits 1 to 4 the channels'.
    pub fn interrupts(&self) -> u32 {
        self.sr & self.dier & 0x1f
    }

    /// The register at `offset`; the timer is synchronised to the time of the access.
    pub fn read(&self, offset: u32, now: u64) -> u32 {
        match offset {
            CR1 => self.cr1,
            CR2 => self.cr2,
            SMCR => self.smcr,
            DIER => self.dier,
            SR => self.sr,
            CNT if self.counts_clock() && now > self.since => {
                self.cnt + ((now - self.since) / (u64::from(self.psc_used) + 1)) as u32
            }
            CNT => self.cnt,
            PSC => self.psc,
            ARR => self.arr,
            _ if self.is_channel(offset) => self.ccr[((offset - CCR1) / 4) as usize],
            _ => 0,
        }
    }

    fn is_channel(&self, offset: u32) -> bool {
        (CCR1..CCR1 + 4 * self.channels).contains(&offset)
    }

    /// The count between events stands in `since`: it is made explicit before what it hangs on changes.
    fn settle(&mut self, now: u64) {
        if self.counts_clock() && now > self.since {
            let lasts = u64::from(self.psc_used) + 1;
            let steps = (now - self.since) / lasts;
            self.cnt += steps as u32;
            self.since += steps * lasts;
        }
    }

    pub fn write(&mut self, offset: u32, value: u32, now: u64) {
        let before = self.interrupts();
        self.set(offset, value, now);
        self.note_requests(before, now);
    }

    fn set(&mut self, offset: u32, value: u32, now: u64) {
        self.settle(now);
        let ones = Self::ones(self.bits);
        match offset {
            CR1 => {
                let starts = value & CEN != 0 && self.cr1 & CEN == 0;
                if value & CEN == 0 && self.cr1 & CEN != 0 {
                    self.stop(now);
                }
                self.cr1 = value & (UDIS | URS | OPM | ARPE) | self.cr1 & CEN;
                if starts {
                    self.start(now);
                }
            }
            CR2 => self.cr2 = value & 0x70,
            SMCR => {
                self.smcr = value & 0x77;
                self.tick = NEVER;
            }
            DIER => self.dier = value & 0x1f,
            SR => self.sr &= value,
            EGR => {
                self.sr |= value & 0x1e & ((2 << self.channels) - 1);
                if value & UG != 0 {
                    (self.cnt, self.since, self.phase) = (0, now, 0);
                    if self.cr1 & UDIS == 0 {
                        self.update(now, self.cr1 & URS == 0);
                    }
                }
            }
            CNT => {
                self.cnt = value & ones;
            }
            PSC => self.psc = value & 0xffff,
            ARR => {
                let stood = self.arr_used == 0;
                self.arr = value & ones;
                if self.cr1 & ARPE == 0 {
                    self.arr_used = self.arr;
                }
                self.since = if stood { now } else { self.since };
            }
            _ if self.is_channel(offset) => self.ccr[((offset - CCR1) / 4) as usize] = value & ones,
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "timer_tests.rs"]
mod tests;

//! Plans: of frames written out in a few lines, of random ones, and of those from public bug reports.

#![allow(clippy::format_push_string, clippy::format_collect, reason = "texts of frames are put together line by line")]

mod dump;
mod faults;
mod frame;
mod memory;
mod order;
mod random;
mod reports;
mod simulate;

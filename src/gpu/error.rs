//! What the world does wrong.

use std::time::Duration;

use crate::record::{CompileError, UniformError};

/// Why something could not be run. One line each.
#[derive(Debug, Clone, thiserror::Error)]
#[allow(missing_docs, reason = "each variant's message is its documentation")]
#[non_exhaustive]
pub enum Error {
    #[error(
        "no graphics adapter: install a driver, or a software one (Debian, Ubuntu: `apt-get install mesa-vulkan-drivers libvulkan1`)"
    )]
    NoAdapter,
    #[error("no adapter matches `{wanted}`; there are {}", list(found))]
    NoSuchAdapter { wanted: String, found: Vec<String> },
    #[error("adapter `{adapter}` gave no device: {why}")]
    NoDevice { adapter: String, why: String },
    #[error("the device was lost: {why}")]
    Lost { why: String },
    #[error("the device did not finish within {} s{}", limit.as_secs_f64(), known(last.as_deref()))]
    Timeout { limit: Duration, last: Option<String> },
    #[error("{what} asks for {asked}, above the device's `{name}` of {limit}")]
    Limit { what: String, asked: u64, name: &'static str, limit: u64 },
    #[error("the frame asks for {} of memory, above the limit of {} (largest: {largest})", bytes(*asked), bytes(*limit))]
    Memory { asked: u64, limit: u64, largest: String },
    #[error("{what} was refused: {why}")]
    Refused { what: String, why: String },
    #[error("nothing is bound to port `{port}`")]
    Unbound { port: String },
    #[error("what is bound to port `{port}` does not fit: {why}")]
    Port { port: String, why: String },
    #[error("`{name}` cannot be read back: {why}")]
    Unreadable { name: String, why: String },
    #[error("{what} needs a size that the host has to say")]
    UnknownSize { what: String },
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Value(#[from] UniformError),
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { format!("`{}`", names.join("`, `")) }
}

fn known(last: Option<&str>) -> String {
    last.map_or(String::new(), |pass| format!("; the last pass known to have finished is `{pass}`"))
}

/// Bytes as people read them.
pub(super) fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (count as f64, "bytes");
    for name in UNITS {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, name);
    }
    if unit == "bytes" { format!("{count} bytes") } else { format!("{value:.1} {unit}") }
}

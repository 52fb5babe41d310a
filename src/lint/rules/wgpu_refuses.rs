//! `wgpu-refuses`: raised by `check --deep`, where frames are recorded on wgpu's noop device.

use crate::diagnostic::rule;

rule! {
    pub(crate) WGPU_REFUSES = Error "wgpu-refuses": "wgpu refuses a frame in which no rule finds a fault";
}

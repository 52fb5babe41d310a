//! Integration tests, one binary: a module a layer.

#[cfg(all(feature = "cli", feature = "gpu"))]
mod bench;
#[cfg(feature = "gpu")]
mod by_hand;
mod checked;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "gpu")]
mod compaction;
mod counting;
#[cfg(feature = "gpu")]
mod deep;
#[cfg(feature = "gpu")]
mod frames;
mod fuzz;
#[cfg(feature = "gpu")]
mod gallery;
#[cfg(feature = "gpu")]
mod gpu;
mod graph;
#[cfg(feature = "gpu")]
mod host;
mod lint;
mod manuals;
#[cfg(feature = "gpu")]
mod noop;
#[cfg(feature = "gpu")]
mod picture;
mod plan;
mod record;
#[cfg(feature = "gpu")]
mod reference;
mod reports;
#[cfg(all(feature = "cli", feature = "gpu"))]
mod run;
#[cfg(feature = "gpu")]
mod running;
#[cfg(feature = "gpu")]
mod session;
mod shader;
mod shipped;
mod sketch;
#[cfg(feature = "gpu")]
mod subgroups;
#[cfg(feature = "gpu")]
mod survive;
mod syntax;
mod tidy;
#[cfg(feature = "gpu")]
mod verify;
#[cfg(feature = "viewer")]
mod view;

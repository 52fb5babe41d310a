//! Pictures of the shipped graphs: made on the software adapter, held against the ones that were looked at, shown in the README.
//!
//! `docs/gallery/*.png` were made by llvmpipe (Mesa 22.3.6, LLVM 15). Another driver may round edges differently, so a few texels
//! may differ; after a change that is meant, `RONDAG_BLESS=1 cargo test gallery picture` writes them anew.

mod bloom;
mod boxes;
mod levels;
mod modelling;
mod models;
mod occlusion;
mod order;
mod packing;

use std::path::Path;

use rondag::gpu::{Image, encode_png};
use rondag::graph::ParamValue;

use crate::gpu::software;

/// A texel differs if a channel is farther off than this.
const NEAR: u8 = 24;
/// The share of texels that may differ.
const SHARE: f64 = 0.01;

/// Fails unless a picture is the golden one of this name.
pub(crate) fn golden(name: &str, image: &Image) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/gallery/{name}.png"));
    if std::env::var_os("RONDAG_BLESS").is_some() {
        std::fs::write(&path, encode_png(name, image).expect("a picture")).expect("a place for it");
    }
    let golden = image::open(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display())).into_rgba8();
    assert_eq!([golden.width(), golden.height()], [image.width, image.height], "{name}");
    let info = software().info;
    let share = differing(&image.bytes, golden.as_raw(), NEAR);
    assert!(
        share <= SHARE,
        "{name}: {:.2} % of the texels differ ({} {})",
        100.0 * share,
        info.driver,
        info.driver_info
    );
}

/// The share of RGBA8 texels of which a channel is farther off than `near`.
pub(crate) fn differing(a: &[u8], b: &[u8], near: u8) -> f64 {
    assert_eq!(a.len(), b.len(), "pictures of one size");
    let far = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > near);
    let texels = a.chunks_exact(4).zip(b.chunks_exact(4));
    texels.filter(far).count() as f64 / (a.len() / 4) as f64
}

/// A choice.
pub(crate) fn choice(value: &str) -> ParamValue {
    ParamValue::Choice(value.to_owned())
}

/// A root with files and folders of the repository, each text changed on the way.
pub(crate) fn copy(paths: &[&str], change: impl Fn(&str, String) -> String) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<std::path::PathBuf> = paths.iter().map(Into::into).collect();
    while let Some(path) = open.pop() {
        let (from, to) = (repository.join(&path), root.path().join(&path));
        if from.is_dir() {
            let entries = std::fs::read_dir(&from).expect("a folder of the repository");
            open.extend(entries.map(|entry| path.join(entry.expect("an entry").file_name())));
            continue;
        }
        let text = std::fs::read_to_string(&from).unwrap_or_else(|why| panic!("{}: {why}", from.display()));
        std::fs::create_dir_all(to.parent().expect("a folder above")).expect("a folder");
        std::fs::write(&to, change(&path.to_string_lossy(), text)).expect("a file");
    }
    root
}

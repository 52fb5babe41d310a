//! rondag's own WGSL, compiled in.
//!
//! Fragments are imported by name from any root; entry files stand for the stages of passes that rondag expands itself
//! and are named `rondag:scan/blocks.wgsl`.

/// How paths of compiled-in files start. No path below a root can: a colon is refused there.
pub const PREFIX: &str = "rondag:";

/// Files of the given folder below `shaders`, by the name or path under which they are known.
macro_rules! texts {
    ($folder:literal, [$($name:literal),* $(,)?]) => {
        &[$(($name, include_str!(concat!("../../shaders/", $folder, $name)))),*]
    };
}

/// Fragments of `shaders/lib`.
const LIBRARY: &[(&str, &str)] = texts!(
    "lib/",
    [
        "batch_search.wgsl",
        "batches.wgsl",
        "byte_network.wgsl",
        "color.wgsl",
        "cover.wgsl",
        "depth_order.wgsl",
        "dot_bytes.wgsl",
        "draw_args.wgsl",
        "frustum.wgsl",
        "frustum_box.wgsl",
        "frustum_sees.wgsl",
        "gbuffer_ring.wgsl",
        "gbuffer_surface.wgsl",
        "hash.wgsl",
        "index.wgsl",
        "lod_batch.wgsl",
        "material_word.wgsl",
        "morton.wgsl",
        "mosaic.wgsl",
        "octahedral.wgsl",
        "orrery.wgsl",
        "packed_sphere.wgsl",
        "packed_state.wgsl",
        "placed.wgsl",
        "radix_digit.wgsl",
        "reed.wgsl",
        "scan.wgsl",
        "space.wgsl",
        "studio.wgsl",
        "tallied_args.wgsl",
        "tile_bits.wgsl",
        "tile_bits_shared.wgsl",
        "tile_bits_subgroup.wgsl",
        "tile_cull.wgsl",
        "tile_flags.wgsl",
        "tile_list.wgsl",
        "tile_look_back.wgsl",
        "tile_mask.wgsl",
        "tile_packed.wgsl",
        "tile_scatter.wgsl",
        "tile_seat.wgsl",
        "tile_seat_subgroup.wgsl",
        "tile_size.wgsl",
        "tile_spheres.wgsl",
        "weather.wgsl",
    ]
);

/// Entry files of the stages that rondag adds itself.
const ENTRIES: &[(&str, &str)] = texts!("", ["scan/add.wgsl", "scan/blocks.wgsl"]);

/// The text of an importable fragment.
pub fn fragment(name: &str) -> Option<&'static str> {
    find(LIBRARY, name)
}

/// The names of all importable fragments.
pub fn fragments() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}

/// The text of an entry file, by its path without [`PREFIX`].
pub fn entry(path: &str) -> Option<&'static str> {
    find(ENTRIES, path)
}

/// The paths of all entry files, without [`PREFIX`].
pub fn entries() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|(path, _)| *path)
}

fn find(table: &[(&str, &'static str)], key: &str) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == key).map(|(_, text)| *text)
}

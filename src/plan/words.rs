//! How the planner speaks of passes and resources.

use crate::graph::{Draft, Part, PassId, ResourceId, ResourceKind};

/// `color`, `hiz.mip(3)`, `cascades.layer(2)`: a part, named as a file would where the texture has several.
pub(super) fn part(graph: &Draft, resource: ResourceId, part: Part) -> String {
    let it = &graph.resources[resource];
    let ResourceKind::Texture(texture) = &it.kind else { return it.name.to_string() };
    let mip = if texture.mips > 1 && part.mips < texture.mips { format!(".mip({})", part.mip) } else { String::new() };
    let layer = if texture.layers > 1 && part.layers < texture.layers {
        format!(".layer({})", part.layer)
    } else {
        String::new()
    };
    format!("{}{mip}{layer}", it.name)
}

/// Where a pass stands in the structure of the file.
pub(super) fn pass_path(graph: &Draft, pass: PassId) -> String {
    format!("passes[\"{}\"]", graph.passes[pass].name)
}

/// Where a resource stands in the structure of the file.
pub(super) fn resource_path(graph: &Draft, resource: ResourceId) -> String {
    format!("resources[\"{}\"]", graph.resources[resource].name)
}

/// `a`, `b` and 3 more.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., end] if names.len() <= 4 => format!("{} {last} {end}", some.join(", ")),
        [a, b, c, ..] => format!("{a}, {b}, {c} {last} {} more", names.len() - 3),
        _ => names.join(&format!(" {last} ")),
    }
}

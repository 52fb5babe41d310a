//! Paths as URIs.

use std::fmt::Write as _;

/// The URI of a file as it is shown: relative to `folder`, the working folder, if the file is below it; else as it was
/// typed, an absolute path as `file:`.
pub(super) fn of(shown: &str, folder: &str) -> String {
    if let Some((scheme, path)) = shown.split_once(':')
        && scheme.len() > 1
        && scheme.chars().all(|c| c.is_ascii_lowercase())
    {
        return format!("{scheme}:{}", encoded(path));
    }
    let folder = folder.trim_start_matches(r"\\?\");
    let (shown, folder) = (shown.replace('\\', "/"), folder.replace('\\', "/"));
    let absolute = if is_absolute(&shown) { plain(&shown) } else { plain(&format!("{folder}/{shown}")) };
    let folder = plain(&folder);
    let below = absolute.strip_prefix(&folder).and_then(|rest| rest.strip_prefix('/')).filter(|_| !folder.is_empty());
    match below {
        Some(below) => encoded(below),
        None if is_absolute(&shown) => format!("file:///{}", encoded(absolute.trim_start_matches('/'))),
        None => encoded(&shown),
    }
}

/// Whether it has no scheme.
pub(super) fn is_relative(uri: &str) -> bool {
    !uri.split('/').next().unwrap_or_default().contains(':')
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3) == Some(":/")
}

/// Without `.`, `..` and empty parts.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let parts = parts.join("/");
    if path.starts_with('/') { format!("/{parts}") } else { parts }
}

/// Percent-encodes what may not stand in the path of a URI.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => write!(uri, "%{byte:02X}").expect("strings take everything"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_working_folder() {
        for (shown, folder, uri) in [
            ("graphs/a.ron", "/w/p", "graphs/a.ron"),
            ("graphs/a.ron", "", "graphs/a.ron"),
            ("/w/p/graphs/a.ron", "/w/p", "graphs/a.ron"),
            ("../graphs/a.ron", "/w/p/graphs", "a.ron"),
            ("../shaders/a.wgsl", "/w/p/graphs", "../shaders/a.wgsl"),
            ("/other/a b.ron", "/w/p", "file:///other/a%20b.ron"),
            ("C:\\w\\a.ron", "C:\\w", "a.ron"),
            ("D:\\w\\a.ron", "C:\\w", "file:///D%3A/w/a.ron"),
            ("ä 1%.ron", "/w", "%C3%A4%201%25.ron"),
            ("<stdin>", "/w", "%3Cstdin%3E"),
            ("rondag:scan/blocks.wgsl", "/w", "rondag:scan/blocks.wgsl"),
        ] {
            assert_eq!(of(shown, folder), uri, "{shown} from {folder}");
        }
        assert!(is_relative("a/b.ron") && !is_relative("rondag:a") && !is_relative("file:///a"));
    }
}

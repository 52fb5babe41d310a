//! Paths inside the root.

use super::LoadError;

/// Brings a path into the one spelling under which it is known: relative to the root, `/` between parts, no `.`, no
/// `..`.
///
/// # Errors
/// [`LoadError::Outside`] for an absolute path, a drive letter, a URL, or `..` above the root.
pub fn normalize(path: &str) -> Result<String, LoadError> {
    let outside = || LoadError::Outside { path: path.to_owned() };
    if path.starts_with(['/', '\\']) || path.contains(':') || path.contains('\0') {
        return Err(outside());
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().ok_or_else(outside)?),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// `path` relative to `folder`, both inside the root; normalized by whoever loads it.
pub fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '\\']) { path.to_owned() } else { format!("{folder}/{path}") }
}

/// `path` as seen from `folder`, both below the root and normalized: `../shaders/a.wgsl`.
pub fn seen_from(folder: &str, path: &str) -> String {
    let (mut from, mut to) = (folder, path);
    while let (Some((a, from_rest)), Some((b, to_rest))) = (first(from), to.split_once('/'))
        && a == b
    {
        (from, to) = (from_rest, to_rest);
    }
    "../".repeat(from.split('/').filter(|part| !part.is_empty()).count()) + to
}

fn first(folder: &str) -> Option<(&str, &str)> {
    (!folder.is_empty()).then(|| folder.split_once('/').unwrap_or((folder, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_file_are_one_path() {
        for path in ["a/b.wgsl", "./a/b.wgsl", "a//b.wgsl", "a/c/../b.wgsl", "a\\b.wgsl", "a/b.wgsl/"] {
            assert_eq!(normalize(path).as_deref(), Ok("a/b.wgsl"), "{path}");
        }
    }

    #[test]
    fn nothing_leaves_the_root() {
        for path in [
            "../../../etc/passwd",
            "/etc/passwd",
            "C:\\Windows\\win.ini",
            "file:///etc/passwd",
            "\\\\host\\share\\x",
            "a/../../b",
            "..",
            "a\0b",
        ] {
            assert_eq!(normalize(path), Err(LoadError::Outside { path: path.to_owned() }), "{path}");
        }
    }

    #[test]
    fn paths_are_seen_from_where_one_stands() {
        for (folder, path, seen) in [
            ("", "a/b.ron", "a/b.ron"),
            ("a", "a/b.ron", "b.ron"),
            ("a", "a", "../a"),
            ("a/c", "a/b.ron", "../b.ron"),
            ("graphs", "shaders/x.wgsl", "../shaders/x.wgsl"),
            ("graphs", "graphs2/x.ron", "../graphs2/x.ron"),
            ("a/b", "c.ron", "../../c.ron"),
        ] {
            assert_eq!(seen_from(folder, path), seen, "{path} from {folder}");
        }
    }
}

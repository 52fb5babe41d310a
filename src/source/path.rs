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
            "../../../etc/passwd", "/etc/passwd", "C:\\Windows\\win.ini", "file:///etc/passwd", "\\\\host\\share\\x",
            "a/../../b", "..", "a\0b",
        ] {
            assert_eq!(normalize(path), Err(LoadError::Outside { path: path.to_owned() }), "{path}");
        }
    }
}

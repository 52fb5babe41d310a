//! `--camera`: a camera as a graph writes it, or as `name=value` pairs.

use anyhow::bail;
use rondag::diagnostic::Diagnostic;
use rondag::graph::camera::Camera;
use rondag::source::{FileId, Files};
use rondag::syntax;

/// The camera, or what is wrong with it.
pub(super) fn parse(files: &mut Files, typed: &str) -> anyhow::Result<Result<Camera, Vec<Diagnostic>>> {
    let file: FileId = files.add("<--camera>", format!("(version: 1, passes: [], camera: {})", ron(typed)?));
    let (document, mut found) = syntax::parse(files, file);
    // An empty list of passes is no fault here.
    found.retain(|finding| finding.primary.span.start > 0);
    match document.camera.as_ref() {
        Some(camera) if found.is_empty() => Ok(Ok(Camera::from(camera))),
        _ => Ok(Err(found)),
    }
}

/// `eye=0,2,5 target=0,0,0` as `(eye: (0,2,5), target: (0,0,0))`.
fn ron(typed: &str) -> anyhow::Result<String> {
    if typed.trim_start().starts_with('(') {
        return Ok(typed.to_owned());
    }
    let mut fields = Vec::new();
    for part in typed.split_whitespace() {
        let Some((name, value)) = part.split_once('=') else {
            bail!("`--camera` needs `(eye: …)` or `eye=x,y,z target=x,y,z`, not `{typed}`");
        };
        let list = value.contains(',') && !value.contains('(');
        fields.push(if list { format!("{name}: ({value})") } else { format!("{name}: {value}") });
    }
    Ok(format!("({})", fields.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rondag::source::Memory;
    use rondag::syntax::document::ProjectionDecl;

    #[test]
    fn both_spellings_mean_the_same() {
        let mut files = Files::new(Memory::default());
        let mut camera = |typed| parse(&mut files, typed).unwrap().unwrap();
        let expected = Camera { eye: [0.0, 2.0, -5.5], far: 40.0, ..Camera::default() };
        assert_eq!(camera("eye=0,2,-5.5 far=40"), expected);
        assert_eq!(camera("(eye: (0, 2, -5.5), far: 40)"), expected);
        assert_eq!(camera("projection=Orthographic(3)").projection, ProjectionDecl::Orthographic(3.0));
        assert_eq!(parse(&mut files, "eye=0,2").unwrap().unwrap_err().len(), 1);
        assert_eq!(parse(&mut files, "eyes=0,2,5").unwrap().unwrap_err().len(), 1);
        assert!(parse(&mut files, "over there").is_err());
    }
}

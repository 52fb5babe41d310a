//! What a script does in the place of a person: one step a line.
//!
//! ```text
//! wait 30                    frames
//! sleep 2.5                  seconds
//! settle                     until nothing is being built
//! set compaction=atomic      as `--set`
//! key F1                     as if it were pressed
//! orbit 120 -30               points of the pointer
//! zoom 2                     notches of the wheel
//! resize 801x603             the window
//! select cull                a pass or resource
//! pass cull off              leaves a pass out, or takes it in again (on)
//! apart                      each pass by itself with a time of its own, or merged again
//! write graph.ron FILE       a file's text into a file below the root
//! reloaded                   until something is built after the last `settle` or `write`, well or badly
//! screenshot FILE.png
//! report FILE.json           times of frames, reloads and the panel so far
//! quit
//! ```

use std::path::PathBuf;

use egui::Key;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Step {
    Wait(u32),
    Sleep(f32),
    Settle,
    Set(String, String),
    Key(Key),
    Orbit(f32, f32),
    Zoom(f32),
    Select(String),
    Pass(String, bool),
    Apart,
    Reloaded,
    Report(PathBuf),
    Resize(u32, u32),
    Write { to: PathBuf, from: PathBuf },
    Screenshot(PathBuf),
    Quit,
}

/// A script, or the line that makes no sense.
///
/// # Errors
/// The number of the line and what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Vec<Step>, String> {
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.split('#').next().unwrap_or_default().trim()));
    let step = |(at, line): (usize, &str)| step(line).ok_or_else(|| format!("line {at} of the script: `{line}`"));
    lines.filter(|(_, line)| !line.is_empty()).map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let pair = |at: char| rest.split_once(at).map(|(a, b)| (a.trim(), b.trim()));
    Some(match word {
        "wait" => Step::Wait(rest.parse().ok()?),
        "sleep" => Step::Sleep(rest.parse().ok().filter(|it: &f32| it.is_finite() && *it >= 0.0)?),
        "settle" => Step::Settle,
        "set" => pair('=').map(|(name, value)| Step::Set(name.to_owned(), value.to_owned()))?,
        "key" => Step::Key(Key::from_name(rest)?),
        "orbit" => pair(' ').and_then(|(x, y)| Some(Step::Orbit(x.parse().ok()?, y.parse().ok()?)))?,
        "zoom" => Step::Zoom(rest.parse().ok()?),
        "pass" => match pair(' ')? {
            (name, "on") => Step::Pass(name.to_owned(), true),
            (name, "off") => Step::Pass(name.to_owned(), false),
            _ => return None,
        },
        "apart" => Step::Apart,
        "reloaded" => Step::Reloaded,
        "report" if !rest.is_empty() => Step::Report(rest.into()),
        "select" => Step::Select(rest.to_owned()),
        "resize" => pair('x').and_then(|(w, h)| Some(Step::Resize(w.parse().ok()?, h.parse().ok()?)))?,
        "write" => pair(' ').map(|(to, from)| Step::Write { to: to.into(), from: from.into() })?,
        "screenshot" if !rest.is_empty() => Step::Screenshot(rest.into()),
        "quit" => Step::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_line_by_line() {
        let steps = parse("wait 3 # frames\n\nset a = b\nkey F1\norbit 10 -2.5\nquit").unwrap();
        let set = Step::Set("a".to_owned(), "b".to_owned());
        assert_eq!(steps, [Step::Wait(3), set, Step::Key(Key::F1), Step::Orbit(10.0, -2.5), Step::Quit]);
        assert_eq!(parse("wait\n").unwrap_err(), "line 1 of the script: `wait`");
        for wrong in ["key Nonsense", "dance", "screenshot", "sleep -1", "pass a maybe"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

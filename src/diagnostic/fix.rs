//! Fixes, applied.

use std::collections::BTreeMap;

use crate::source::{FileId, Files, Span};

use super::{Diagnostic, Edit};

/// The edits of one round of fixes, by file and in order of their places.
#[derive(Debug, Default)]
pub struct Fixes<'a> {
    /// No two of one file overlap or touch.
    pub edits: BTreeMap<FileId, Vec<&'a Edit>>,
    /// How many fixes they belong to.
    pub count: usize,
}

/// The fixes of a list that can be applied together: each whole, each only if it stays clear of those before it in the list.
/// The others come in the next round, on the new text. `wanted` says which may be applied at all.
pub fn fixes<'a>(found: impl IntoIterator<Item = &'a Diagnostic>, wanted: impl Fn(&super::Fix) -> bool) -> Fixes<'a> {
    let mut fixes = Fixes::default();
    for fix in found.into_iter().filter_map(|finding| finding.fix.as_ref()).filter(|fix| wanted(fix)) {
        let taken = |edit: &Edit| fixes.edits.get(&edit.span.file).is_some_and(|of| of.iter().any(|o| touch(edit, o)));
        let own = fix.edits.iter().enumerate();
        let clear = own.clone().all(|(at, edit)| fix.edits[..at].iter().all(|other| !touch(edit, other)));
        if fix.edits.is_empty() || !clear || fix.edits.iter().any(taken) {
            continue;
        }
        fixes.count += 1;
        for edit in &fix.edits {
            fixes.edits.entry(edit.span.file).or_default().push(edit);
        }
    }
    for edits in fixes.edits.values_mut() {
        edits.sort_by_key(|edit| edit.span);
    }
    fixes
}

fn touch(a: &Edit, b: &Edit) -> bool {
    let (a, b): (Span, Span) = (a.span, b.span);
    a.file == b.file && a.start <= b.end && b.start <= a.end
}

/// A file's text after edits that are in order and do not overlap.
pub fn edited(files: &Files, file: FileId, edits: &[&Edit]) -> String {
    let old = &files.get(file).text;
    let mut text = String::with_capacity(old.len() + 16 * edits.len());
    let mut at = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        text.push_str(&old[at..start]);
        text.push_str(&edit.text);
        at = end;
    }
    text.push_str(&old[at..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::rule;
    use crate::source::Memory;

    rule! {
        RULE = Error "unknown-name": "for tests";
    }

    #[test]
    fn fixes_that_meet_wait_for_the_next_round() {
        let mut files = Files::new(Memory::new([("a.ron", "abcdef")]));
        let file = files.load("a.ron").unwrap();
        let fix = |edits: &[(usize, usize, &str)]| {
            let edit = |(start, end, text): &(usize, usize, &str)| Edit {
                span: Span::new(file, *start, *end),
                text: (*text).to_owned(),
            };
            let edits = edits.iter().map(edit).collect();
            Diagnostic::new(&RULE, "m", Span::new(file, 0, 0), "").fix("do it", true, edits)
        };
        let found = [
            fix(&[(4, 5, "E"), (0, 1, "A")]),
            fix(&[(4, 4, "!")]),
            fix(&[(2, 3, "")]),
            fix(&[(3, 3, "?")]),
            fix(&[(6, 6, "."), (5, 5, "<")]),
            fix(&[(6, 6, "."), (6, 6, ".")]),
            fix(&[(6, 6, ".")]),
        ];
        let chosen = fixes(&found, |_| true);
        assert_eq!(chosen.count, 3);
        assert_eq!(edited(&files, file, &chosen.edits[&file]), "AbdEf.");
        assert_eq!(fixes(&found, |fix| !fix.safe).count, 0);
    }
}

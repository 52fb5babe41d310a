//! Levels that the command line sets.

use anyhow::bail;
use rondag::lint::Setting;
use rondag::syntax::document::LintLevel;

use super::super::args::Levels;
use super::super::explain;

/// The settings; a code that no rule has, or that is given two levels, is bad usage.
pub(super) fn settings(args: &Levels) -> anyhow::Result<Vec<Setting>> {
    let each = |codes: &'_ [String], level| codes.iter().map(move |code| (code.clone(), level)).collect::<Vec<_>>();
    let all =
        [each(&args.allow, LintLevel::Allow), each(&args.warn, LintLevel::Warn), each(&args.deny, LintLevel::Deny)];
    let mut settings: Vec<Setting> = Vec::new();
    for (code, level) in all.concat() {
        explain::find(&code)?;
        match settings.iter().find(|setting| setting.code == code) {
            Some(other) if other.level != level => bail!("`{code}` is given two levels"),
            Some(_) => {}
            None => settings.push(Setting { code, level, when: None, span: None }),
        }
    }
    Ok(settings)
}

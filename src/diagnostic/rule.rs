//! Rules: what a code means.

use super::Level;

/// A kind of finding: its code, default level and manual.
///
/// Defined with `rule!`, so that the manual, `explain`, the table in the README and SARIF's rules are one truth.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Kebab-case; reads well after "allow"; never reused.
    pub code: &'static str,
    /// Unless configured otherwise.
    pub level: Level,
    /// One line.
    pub summary: &'static str,
    /// The manual in Markdown: what it does, why it is bad, an example, what to use instead.
    pub docs: &'static str,
}

/// Defines rules as constants. The manual is `docs/rules/CODE.md`; a test runs its examples.
macro_rules! rule {
    ($($vis:vis $name:ident = $level:ident $code:literal : $summary:literal;)*) => {
        $(#[doc = $summary] $vis static $name: $crate::diagnostic::Rule = $crate::diagnostic::Rule {
            code: $code,
            level: $crate::diagnostic::Level::$level,
            summary: $summary,
            docs: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/rules/", $code, ".md")),
        };)*
    };
}
pub(crate) use rule;

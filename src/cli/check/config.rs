//! `rondag.toml`: what holds for all graphs of a root.
//!
//! ```toml
//! [check]
//! profile = "webgpu"            # or "adapter", or a file beside this one
//! deny-warnings = true
//! exclude = ["graphs/old/*"]    # as in a .gitignore: not looked for in folders
//!
//! [lints]
//! dead-pass = "deny"
//! unused-usage = { level = "allow", when = "debug" }
//! ```

use std::path::Path;

use anyhow::Context as _;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rondag::lint::{self, Setting};
use rondag::source::{FileId, Files, LoadError, Memory, Span};
use rondag::syntax::document::LintLevel;
use rondag::syntax::expr::Expr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::toml::Toml;

/// The file that marks a root.
pub(in crate::cli) const NAME: &str = "rondag.toml";

/// What it says.
#[derive(Debug, Default)]
pub(super) struct Config {
    pub profile: Option<String>,
    pub deny_warnings: bool,
    pub lints: Vec<Setting>,
    exclude: Option<Gitignore>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl Config {
    /// Reads the file of a root, if there is one.
    pub(super) fn read(root: &Path, files: &mut Files) -> anyhow::Result<Self> {
        match files.load(NAME) {
            Err(LoadError::Missing { .. }) => Ok(Self::default()),
            Err(error) => Err(error.into()),
            Ok(file) => Reader { root, file, toml: toml(files, file) }.config(),
        }
    }

    /// Whether a graph at this path below the root is left out of folders.
    pub(super) fn excludes(&self, path: &str) -> bool {
        let matched = self.exclude.as_ref().map(|exclude| exclude.matched_path_or_any_parents(path, false));
        matched.is_some_and(|matched| matched.is_ignore())
    }
}

fn toml(files: &Files, file: FileId) -> Toml<'_> {
    let file = files.get(file);
    Toml { shown: &file.display, text: &file.text }
}

struct Reader<'t> {
    root: &'t Path,
    file: FileId,
    toml: Toml<'t>,
}

impl Reader<'_> {
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = Config::default();
        for (name, value) in &self.toml.table()? {
            match &**name.get_ref() {
                "check" => self.check(&mut config, self.table("check", value)?)?,
                "lints" => config.lints = self.lints(self.table("lints", value)?)?,
                _ => return Err(self.toml.unknown("table", name, ["check", "lints"].into_iter())),
            }
        }
        Ok(config)
    }

    fn check(&self, config: &mut Config, table: &DeTable<'_>) -> anyhow::Result<()> {
        for (name, value) in table {
            match &**name.get_ref() {
                "profile" => config.profile = Some(self.text("profile", value)?.to_owned()),
                "deny-warnings" => {
                    let set = value.get_ref().as_bool();
                    config.deny_warnings =
                        set.ok_or_else(|| self.toml.mistyped("deny-warnings", value, "`true` or `false`"))?;
                }
                "exclude" => config.exclude = Some(self.exclude(value)?),
                _ => return Err(self.toml.unknown("key", name, ["profile", "deny-warnings", "exclude"].into_iter())),
            }
        }
        Ok(())
    }

    fn exclude(&self, value: &Value<'_>) -> anyhow::Result<Gitignore> {
        let patterns = value.get_ref().as_array();
        let patterns = patterns.ok_or_else(|| self.toml.mistyped("exclude", value, "a list of patterns"))?;
        let mut builder = GitignoreBuilder::new(self.root);
        for pattern in patterns {
            let added = builder.add_line(None, self.text("exclude", pattern)?);
            added.map_err(|fault| self.toml.fault(&pattern.span(), &format!("this is no pattern: {fault}")))?;
        }
        builder.build().with_context(|| format!("`exclude` of `{}` is too much", self.toml.shown))
    }

    fn lints(&self, table: &DeTable<'_>) -> anyhow::Result<Vec<Setting>> {
        table.iter().map(|(code, value)| self.lint(code, value)).collect()
    }

    fn lint(&self, code: &Spanned<toml::de::DeString<'_>>, value: &Value<'_>) -> anyhow::Result<Setting> {
        let name: &str = code.get_ref();
        if lint::rule(name).is_none() {
            return Err(self.toml.unknown("rule", code, lint::rules().map(|rule| rule.code)));
        }
        let (level, when) = match value.get_ref() {
            DeValue::Table(table) => self.long(name, value, table)?,
            _ => (self.level(name, value)?, None),
        };
        let span = Span::new(self.file, code.span().start, code.span().end);
        Ok(Setting { code: name.to_owned(), level, when, span: Some(span) })
    }

    /// `{ level = "allow", when = "…" }`
    fn long(&self, code: &str, whole: &Value<'_>, table: &DeTable<'_>) -> anyhow::Result<(LintLevel, Option<Expr>)> {
        let (mut level, mut when) = (None, None);
        for (name, value) in table {
            match &**name.get_ref() {
                "level" => level = Some(self.level(code, value)?),
                "when" => when = Some(self.condition(value)?),
                _ => return Err(self.toml.unknown("key", name, ["level", "when"].into_iter())),
            }
        }
        let level = level.ok_or_else(|| self.toml.mistyped(code, whole, "a `level`"))?;
        Ok((level, when))
    }

    fn level(&self, code: &str, value: &Value<'_>) -> anyhow::Result<LintLevel> {
        match self.text(code, value)? {
            "allow" => Ok(LintLevel::Allow),
            "warn" => Ok(LintLevel::Warn),
            "deny" => Ok(LintLevel::Deny),
            other => {
                let level = Spanned::new(value.span(), other);
                Err(self.toml.unknown("level", &level, ["allow", "warn", "deny"].into_iter()))
            }
        }
    }

    /// An expression, read by the reader of graphs: it stands in `lints` of a graph that is made for it.
    fn condition(&self, value: &Value<'_>) -> anyhow::Result<Expr> {
        let text = self.text("when", value)?;
        let mut files = Files::new(Memory::default());
        let code = lint::rules().next().expect("there are rules").code;
        let graph = format!("(version: 1, passes: [], lints: {{ \"{code}\": Allow(when: {text:?}) }})");
        let file = files.add("when.ron", graph);
        let (mut document, found) = rondag::syntax::parse(&files, file);
        match (found.first(), document.lints.pop().and_then(|lint| lint.when)) {
            (None, Some(when)) => Ok(when),
            (fault, _) => {
                let why = fault.map_or("it says nothing", |fault| fault.message.as_str());
                Err(self.toml.fault(&value.span(), &format!("`when` cannot be read: {why}")))
            }
        }
    }

    fn table<'v, 't>(&self, name: &str, value: &'v Value<'t>) -> anyhow::Result<&'v DeTable<'t>> {
        value.get_ref().as_table().ok_or_else(|| self.toml.mistyped(name, value, "a table"))
    }

    fn text<'v>(&self, name: &str, value: &'v Value<'_>) -> anyhow::Result<&'v str> {
        value.get_ref().as_str().ok_or_else(|| self.toml.mistyped(name, value, "a text"))
    }
}

//! TOML files whose faults are told in one line with their place.

use std::ops::Range;

use rondag::diagnostic::did_you_mean;
use rondag::source::Files;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a TOML file and how it is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Toml<'t> {
    pub shown: &'t str,
    pub text: &'t str,
}

impl<'t> Toml<'t> {
    /// The entries of the file.
    pub(super) fn table(self) -> anyhow::Result<DeTable<'t>> {
        // A byte order mark is no TOML, but editors write it. A blank keeps all offsets.
        let parsed = DeTable::parse(self.text.strip_prefix('\u{feff}').unwrap_or(self.text));
        parsed.map(Spanned::into_inner).map_err(|fault| {
            let message = fault.message().lines().collect::<Vec<_>>().join(", ");
            self.fault(&fault.span().unwrap_or(0..0), &message)
        })
    }

    /// A fault at a place.
    pub(super) fn fault(self, at: &Range<usize>, message: &str) -> anyhow::Error {
        let mut files = Files::new(rondag::source::Memory::default());
        let file = files.add("file.toml", self.text.strip_prefix('\u{feff}').unwrap_or(self.text).to_owned());
        let at = files.get(file).position(at.start as u32);
        anyhow::anyhow!("{}:{}:{}: {message}", self.shown, at.line, at.column)
    }

    /// The name is none of those that are known here.
    pub(super) fn unknown<'k>(
        self,
        what: &str,
        name: &Spanned<impl AsRef<str>>,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> anyhow::Error {
        let text = name.get_ref().as_ref();
        let cure = did_you_mean(text, known.clone()).unwrap_or_else(|| {
            let known: Vec<String> = known.take(12).map(|name| format!("`{name}`")).collect();
            format!("known are {}", known.join(", "))
        });
        self.fault(&name.span(), &format!("no {what} is called `{text}`; {cure}"))
    }

    /// The value has another type than is needed.
    pub(super) fn mistyped(self, name: &str, value: &Spanned<DeValue<'_>>, needed: &str) -> anyhow::Error {
        let is = value.get_ref().type_str();
        self.fault(&value.span(), &format!("`{name}` needs {needed}, not a value of the type {is}"))
    }
}

//! Names that stand for one of a few: read by serde, so that the names are those of the Rust types.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, Visitor};
use serde::forward_to_deserialize_any;

use crate::diagnostic::{Edit, nearest};
use crate::source::Sp;

use super::super::reader::excerpt;
use super::super::rules;
use super::super::tree::{Kind, Node};
use super::Lower;
use super::fields::join;

impl Lower<'_, '_> {
    /// One of the names of `T`.
    pub(super) fn leaf<T: DeserializeOwned>(&mut self, node: &Node<'_>) -> Option<Sp<T>> {
        match T::deserialize(Leaf(node)) {
            Ok(value) => Some(Sp::new(value, self.span(node))),
            Err(LeafError::Unknown(expected)) => {
                let headline = |who: &str, name: &str| format!("{who} cannot be `{name}`");
                self.misnamed(node, headline, expected);
                None
            }
            Err(LeafError::NoName(expected)) => {
                self.no_name(node, &format!("one of {}", join(expected)), expected);
                None
            }
            Err(LeafError::Custom(said)) => {
                self.mistyped(node, &said);
                None
            }
        }
    }

    /// Reports that `node` is no bare name; quotes around one of `expected` are to go.
    pub(super) fn no_name(&mut self, node: &Node<'_>, wanted: &str, expected: &[&str]) {
        let Some(name) = node.text().filter(|text| expected.contains(text)) else {
            self.mistyped(node, wanted);
            return;
        };
        let span = self.span(node);
        let edit = Edit { span, text: name.to_owned() };
        let headline = format!("`{name}` stands in quotes where a bare name is needed");
        self.report(&rules::WRONG_TYPE, span, headline, "expected no quotes", |d| {
            d.fix("remove the quotes", true, vec![edit])
        });
    }

    /// Reports that the name of `node` is none of `expected`, or that it has none.
    pub(super) fn unknown_name(&mut self, node: &Node<'_>, what: &str, expected: &[&str]) {
        if node.name.is_none() {
            let example = expected.first().copied().unwrap_or_default();
            self.mistyped(node, &format!("a {what}, such as `{example}`"));
            return;
        }
        self.misnamed(node, |_, name| format!("there is no {what} `{name}`"), expected);
    }

    fn misnamed(&mut self, node: &Node<'_>, say: impl FnOnce(&str, &str) -> String, expected: &[&str]) {
        let Some(name) = node.name else { return };
        let span = self.ident_span(name);
        let near = self.found.has_room().then(|| nearest(name, expected.iter().copied())).flatten();
        let headline = say(&self.who(), &excerpt(name));
        self.report(&rules::UNKNOWN_KIND, span, headline, "unknown name", |d| match near {
            Some(near) => d.help(format!("did you mean `{near}`?")).fix(
                format!("write `{near}`"),
                false,
                vec![Edit { span, text: near.to_owned() }],
            ),
            None if expected.len() <= 16 => d.help(format!("write one of {}", join(expected))),
            None => d,
        });
    }
}

/// Lends a node to serde as the name of a variant without contents.
struct Leaf<'a, 'n>(&'a Node<'n>);

#[derive(Debug)]
enum LeafError {
    Unknown(&'static [&'static str]),
    NoName(&'static [&'static str]),
    Custom(String),
}

impl fmt::Display for LeafError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for LeafError {}

impl de::Error for LeafError {
    fn custom<T: fmt::Display>(said: T) -> Self {
        Self::Custom(said.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::Unknown(expected)
    }
}

impl<'de> de::Deserializer<'de> for Leaf<'_, '_> {
    type Error = LeafError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, LeafError> {
        Err(de::Error::custom("a name"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, LeafError> {
        match (self.0.name, &self.0.kind) {
            (Some(name), Kind::Unit) => visitor.visit_enum(StrDeserializer::new(name)),
            _ => Err(LeafError::NoName(variants)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

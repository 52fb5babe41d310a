//! The rules of the syntax layer.

use crate::diagnostic::{Rule, rule};

rule! {
    pub SYNTAX = Error "syntax": "the text is not RON";
    pub NESTING_LIMIT = Error "nesting-limit": "brackets or expressions are nested too deep";
    pub TOO_LARGE = Error "too-large": "a graph file is too large to be read";
    pub TOO_MANY_FINDINGS = Error "too-many-findings": "a file has more findings than are shown";
    pub UNKNOWN_FIELD = Error "unknown-field": "a struct has no field of this name";
    pub MISSING_FIELD = Error "missing-field": "a field that is needed is not there";
    pub CONFLICTING_FIELDS = Error "conflicting-fields": "two fields exclude each other";
    pub DUPLICATE_NAME = Error "duplicate-name": "a name is given twice";
    pub WRONG_TYPE = Error "wrong-type": "a value has the wrong type";
    pub UNKNOWN_KIND = Error "unknown-kind": "no such kind, format or flag";
    pub UNSUPPORTED_VERSION = Error "unsupported-version": "the format's version is not 1";
    pub BAD_EXPRESSION = Error "bad-expression": "an expression cannot be read";
    pub INVALID_NAME = Error "invalid-name": "a declared name is no identifier";
    pub RESERVED_NAME = Error "reserved-name": "a declared name is taken by the format or by WGSL";
    pub PARAM_RANGE = Error "param-range": "a param's default and range disagree";
    pub OUT_OF_RANGE = Error "out-of-range": "a number is outside of what its place allows";
}

/// Every rule of this layer.
pub static ALL: &[&Rule] = &[
    &SYNTAX,
    &NESTING_LIMIT,
    &TOO_LARGE,
    &TOO_MANY_FINDINGS,
    &UNKNOWN_FIELD,
    &MISSING_FIELD,
    &CONFLICTING_FIELDS,
    &DUPLICATE_NAME,
    &WRONG_TYPE,
    &UNKNOWN_KIND,
    &UNSUPPORTED_VERSION,
    &BAD_EXPRESSION,
    &INVALID_NAME,
    &RESERVED_NAME,
    &PARAM_RANGE,
    &OUT_OF_RANGE,
];

//! The rules of the syntax layer.

use crate::diagnostic::{Rule, rule};

rule! {
    /// ## What it does
    /// Reports text that is not RON: a bracket that is never closed, a missing comma, a string without an end, a number
    /// that is none.
    ///
    /// ## Why is this bad?
    /// What stands behind the fault may be read as something else than its author meant.
    ///
    /// ## Example
    /// ```ron
    /// ( version: 1 passes: [] )
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// ( version: 1, passes: [] )
    /// ```
    pub SYNTAX = Error "syntax": "the text is not RON";

    /// ## What it does
    /// Reports brackets nested deeper than 128, expressions deeper than 64 and expressions longer than 4096 bytes.
    ///
    /// ## Why is this bad?
    /// No frame needs them, and every reader of the file would have to cope with them.
    ///
    /// ## Example
    /// A file that begins with a thousand `[`.
    ///
    /// ## Use instead
    /// Move inner parts into a graph of their own and `Include` it.
    pub NESTING_LIMIT = Error "nesting-limit": "brackets or expressions are nested too deep";

    /// ## What it does
    /// Reports a graph file above 8 MiB, some 27,000 passes. It is not read.
    ///
    /// ## Why is this bad?
    /// Reading takes many times the memory of the text, and no person wrote it.
    ///
    /// ## Example
    /// A file with the initial values of a buffer of a million numbers.
    ///
    /// ## Use instead
    /// Put data into a file of its own and name it: `Buffer(file: "values.bin")`. Write passes that are alike as a `Repeat`.
    pub TOO_LARGE = Error "too-large": "a graph file is too large to be read";

    /// ## What it does
    /// Says that a file has more findings than are shown.
    ///
    /// ## Why is this bad?
    /// It is probably no graph file.
    ///
    /// ## Example
    /// A list of 200,000 misspelt passes.
    ///
    /// ## Use instead
    /// Mend the first ones and check again.
    pub TOO_MANY_FINDINGS = Error "too-many-findings": "a file has more findings than are shown";

    /// ## What it does
    /// Reports a field that the struct, pass or resource does not have.
    ///
    /// ## Why is this bad?
    /// It is nearly always a misspelt name, and leaving it out in silence would use a default instead.
    ///
    /// ## Example
    /// ```ron
    /// "flags": Buffer(count: 64, usagess: [Storage])
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "flags": Buffer(count: 64, usage: [Storage])
    /// ```
    pub UNKNOWN_FIELD = Error "unknown-field": "a struct has no field of this name";

    /// ## What it does
    /// Reports a field that has to be there and is not.
    ///
    /// ## Why is this bad?
    /// There is no value that would be right for every graph.
    ///
    /// ## Example
    /// ```ron
    /// Dispatch(name: "cull", items: 64)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// Dispatch(name: "cull", shader: "cull.wgsl", items: 64)
    /// ```
    pub MISSING_FIELD = Error "missing-field": "a field that is needed is not there";

    /// ## What it does
    /// Reports fields that say the same thing twice, such as `count` and `size` of a buffer.
    ///
    /// ## Why is this bad?
    /// If they differ, one of them is wrong, and nothing says which.
    ///
    /// ## Example
    /// ```ron
    /// "flags": Buffer(count: 64, size: 256)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "flags": Buffer(count: 64)
    /// ```
    pub CONFLICTING_FIELDS = Error "conflicting-fields": "two fields exclude each other";

    /// ## What it does
    /// Reports a name that is given twice: a field, a key, a pass of one list, a param and a resource of one file.
    ///
    /// ## Why is this bad?
    /// Plain RON keeps the last and drops the others in silence.
    ///
    /// ## Example
    /// ```ron
    /// resources: { "list": Buffer(count: 64), "list": Buffer(count: 128) }
    /// ```
    ///
    /// ## Use instead
    /// One name for one thing.
    pub DUPLICATE_NAME = Error "duplicate-name": "a name is given twice";

    /// ## What it does
    /// Reports a value of the wrong type, such as a list where a number is needed.
    ///
    /// ## Why is this bad?
    /// Nothing can be made of it.
    ///
    /// ## Example
    /// ```ron
    /// usage: "Storage"
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// usage: [Storage]
    /// ```
    pub WRONG_TYPE = Error "wrong-type": "a value has the wrong type";

    /// ## What it does
    /// Reports a name that is none of the names this place knows: a kind of pass or resource, a format, a flag.
    ///
    /// ## Why is this bad?
    /// Nothing can be made of it.
    ///
    /// ## Example
    /// ```ron
    /// "color": Texture(format: Rgba8, size: Surface)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "color": Texture(format: Rgba8UnormSrgb, size: Surface)
    /// ```
    pub UNKNOWN_KIND = Error "unknown-kind": "no such kind, format or flag";

    /// ## What it does
    /// Reports a `version` other than 1.
    ///
    /// ## Why is this bad?
    /// The file was written for another rondag and may mean something else here.
    ///
    /// ## Example
    /// ```ron
    /// ( version: 2 )
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// ( version: 1 )
    /// ```
    pub UNSUPPORTED_VERSION = Error "unsupported-version": "the format's version is not 1";

    /// ## What it does
    /// Reports an expression, reference or path that cannot be read.
    ///
    /// ## Why is this bad?
    /// The size, count or value that it stands for is unknown.
    ///
    /// ## Example
    /// ```ron
    /// count: "2 * (instances"
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// count: "2 * instances"
    /// ```
    pub BAD_EXPRESSION = Error "bad-expression": "an expression cannot be read";

    /// ## What it does
    /// Reports a declared name that is no identifier: a letter or `_`, then letters, digits and `_`.
    ///
    /// ## Why is this bad?
    /// References could not tell it from their own signs: `.mip(0)`, `[0]`, `{i}`, `pass/inner`.
    ///
    /// ## Example
    /// ```ron
    /// "hi.z": Texture(format: R32Float, size: Surface)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "hi_z": Texture(format: R32Float, size: Surface)
    /// ```
    pub INVALID_NAME = Error "invalid-name": "a declared name is no identifier";

    /// ## What it does
    /// Reports a param, resource or `Repeat` variable called `camera`, `frame`, `surface` or `draw_index`, or like a
    /// WGSL keyword.
    ///
    /// ## Why is this bad?
    /// The first four are names that every file sees already; a keyword can be no variable of a shader.
    ///
    /// ## Example
    /// ```ron
    /// resources: { "surface": Texture(format: Rgba8Unorm, size: Surface) }
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// resources: { "surface_": Texture(format: Rgba8Unorm, size: Surface) }
    /// ```
    pub RESERVED_NAME = Error "reserved-name": "a declared name is taken by the format or by WGSL";

    /// ## What it does
    /// Reports a param whose default lies outside of its range, whose `min` is above its `max`, or whose choices do not
    /// hold its default.
    ///
    /// ## Why is this bad?
    /// The slider could never come back to where it starts.
    ///
    /// ## Example
    /// ```ron
    /// "levels": Int(default: 16, min: 1, max: 12)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "levels": Int(default: 12, min: 1, max: 12)
    /// ```
    pub PARAM_RANGE = Error "param-range": "a param's default and range disagree";

    /// ## What it does
    /// Reports a written number outside of what its place allows: of the camera, a mesh, a depth bias, a number beyond
    /// 64 bits or not finite.
    ///
    /// ## Why is this bad?
    /// Nothing could be drawn with it.
    ///
    /// ## Example
    /// ```ron
    /// camera: (near: 0, far: 100)
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// camera: (near: 0.1, far: 100)
    /// ```
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

//! The faults of WGSL files.

use crate::diagnostic::{Diagnostic, Rule, rule};
use crate::source::{LoadError, Span};

rule! {
    pub WGSL_SYNTAX = Error "wgsl-syntax": "a shader does not parse";
    pub WGSL_INVALID = Error "wgsl-invalid": "a shader parses but is not valid";
    pub WGSL_LIMIT = Error "wgsl-limit": "a shader nests too deeply to compile";
    pub WGSL_COMPILER_FAULT = Error "wgsl-compiler-fault": "the compiler itself failed on a shader";
    pub IMPORT_SYNTAX = Error "import-syntax": "a directive is not a well-formed import";
    pub MISSING_IMPORT = Error "missing-import": "an import names no fragment";
    pub IMPORT_CYCLE = Error "import-cycle": "a fragment imports itself";
    pub IMPORT_LIMIT = Error "import-limit": "a shader is too large with what it imports";
    pub SHADOWS_BUILTIN = Error "shadows-builtin": "a file has the name of a built-in fragment";
    pub MISSING_FILE = Error "missing-file": "a file does not exist";
    pub OUTSIDE_ROOT = Error "outside-root": "a path leaves the project root";
    pub UNREADABLE_FILE = Error "unreadable-file": "a file cannot be read";
}

/// Every rule of this layer.
pub static ALL: &[&Rule] = &[
    &WGSL_SYNTAX,
    &WGSL_INVALID,
    &WGSL_LIMIT,
    &WGSL_COMPILER_FAULT,
    &IMPORT_SYNTAX,
    &MISSING_IMPORT,
    &IMPORT_CYCLE,
    &IMPORT_LIMIT,
    &SHADOWS_BUILTIN,
    &MISSING_FILE,
    &OUTSIDE_ROOT,
    &UNREADABLE_FILE,
];

/// Why the file that stands as `written` at `span` could not be had. Nothing of the file's contents is shown.
pub fn load_fault(error: &LoadError, written: &str, span: Span) -> Diagnostic {
    match error {
        LoadError::Missing { path } => {
            Diagnostic::new(&MISSING_FILE, format!("`{written}` does not exist"), span, format!("looked for `{path}`"))
        }
        LoadError::Outside { .. } => {
            let message = format!("`{written}` is outside the project root");
            Diagnostic::new(&OUTSIDE_ROOT, message, span, "leaves the root")
                .help("use a path below the root, or choose a larger root with `--root`")
        }
        LoadError::NotAFile { .. } | LoadError::TooLarge { .. } | LoadError::NotText { .. } | LoadError::Io { .. } => {
            Diagnostic::new(&UNREADABLE_FILE, error.to_string(), span, "needed here")
        }
    }
}

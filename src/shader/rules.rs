//! The faults of WGSL files.

use crate::diagnostic::{Diagnostic, Rule, rule};
use crate::source::{LoadError, Span};

rule! {
    /// ## What it does
    /// Reports text that naga, the WGSL compiler of wgpu, cannot read.
    ///
    /// ## Why is this bad?
    /// No pipeline can be made of it.
    ///
    /// ## Example
    /// `let x = y;` where nothing is called `y`.
    ///
    /// ## Use instead
    /// What the message asks for; the WGSL specification has the grammar.
    pub WGSL_SYNTAX = Error "wgsl-syntax": "a shader does not parse";

    /// ## What it does
    /// Reports a module that parses and yet breaks a rule of WGSL.
    ///
    /// ## Why is this bad?
    /// wgpu refuses it when the pipeline is made.
    ///
    /// ## Example
    /// A `workgroupBarrier()` that only some invocations reach.
    ///
    /// ## Use instead
    /// What the message asks for.
    pub WGSL_INVALID = Error "wgsl-invalid": "a shader parses but is not valid";

    /// ## What it does
    /// Refuses WGSL that nests too deeply, has an endless expression, or a struct of more than 10,000 members.
    ///
    /// ## Why is this bad?
    /// Compilers walk such text recursively and run out of stack.
    ///
    /// ## Example
    /// A thousand opening parentheses.
    ///
    /// ## Use instead
    /// Functions and variables for the inner parts.
    pub WGSL_LIMIT = Error "wgsl-limit": "a shader nests too deeply to compile";

    /// ## What it does
    /// Reports that the WGSL compiler itself failed on a shader.
    ///
    /// ## Why is this bad?
    /// The fault is in the compiler, but the shader cannot be used.
    ///
    /// ## Example
    /// A shader that makes naga panic.
    ///
    /// ## Use instead
    /// Another way to write it; a report to naga helps everyone.
    pub WGSL_COMPILER_FAULT = Error "wgsl-compiler-fault": "the compiler itself failed on a shader";

    /// ## What it does
    /// Reports lines that begin with `#` and are not `#import "name.wgsl"`.
    ///
    /// ## Why is this bad?
    /// There is no preprocessor: `#define` and `#ifdef` mean nothing here.
    ///
    /// ## Example
    /// `#import <index.wgsl>`
    ///
    /// ## Use instead
    /// `#import "index.wgsl"` on a line of its own; `override` for constants that vary.
    pub IMPORT_SYNTAX = Error "import-syntax": "a directive is not a well-formed import";

    /// ## What it does
    /// Reports imports that name no fragment.
    ///
    /// ## Why is this bad?
    /// What the fragment declares is missing.
    ///
    /// ## Example
    /// `#import "indx.wgsl"`
    ///
    /// ## Use instead
    /// A file of the root's `shaders/lib`, or one of rondag's own fragments.
    pub MISSING_IMPORT = Error "missing-import": "an import names no fragment";

    /// ## What it does
    /// Reports fragments that import themselves, directly or through others, with the whole chain.
    ///
    /// ## Why is this bad?
    /// No order of the files satisfies it.
    ///
    /// ## Example
    /// `a.wgsl` imports `b.wgsl`, which imports `a.wgsl`.
    ///
    /// ## Use instead
    /// A third fragment with what both need.
    pub IMPORT_CYCLE = Error "import-cycle": "a fragment imports itself";

    /// ## What it does
    /// Stops at 256 files, 4 MiB, 250,000 tokens or 2,048 declarations a shader, imports included.
    ///
    /// ## Why is this bad?
    /// Small files can expand without bound, and compilers take time with the square of what they read.
    ///
    /// ## Example
    /// A chain of 300 imports.
    ///
    /// ## Use instead
    /// Fewer, larger fragments.
    pub IMPORT_LIMIT = Error "import-limit": "a shader is too large with what it imports";

    /// ## What it does
    /// Reports a file in `shaders/lib` that has the name of one of rondag's own fragments and differs from it.
    ///
    /// ## Why is this bad?
    /// The same import would mean different code in different roots.
    ///
    /// ## Example
    /// A `shaders/lib/index.wgsl` of one's own.
    ///
    /// ## Use instead
    /// Another name.
    pub SHADOWS_BUILTIN = Error "shadows-builtin": "a file has the name of a built-in fragment";

    /// ## What it does
    /// Reports paths that lead to nothing.
    ///
    /// ## Why is this bad?
    /// What should stand there is needed.
    ///
    /// ## Example
    /// `shader: "cull/spere.wgsl"`
    ///
    /// ## Use instead
    /// A path that exists: shaders are relative to `shaders` below the root, included graphs to the folder of the top
    /// graph, data files to the root.
    pub MISSING_FILE = Error "missing-file": "a file does not exist";

    /// ## What it does
    /// Reports paths that leave the root: absolute ones, `..` above it, drive letters, URLs, links that lead out.
    ///
    /// ## Why is this bad?
    /// A graph is untrusted text and must not read what its reader did not hand it.
    ///
    /// ## Example
    /// `shader: "../../../etc/passwd"`
    ///
    /// ## Use instead
    /// A file below the root, or a larger root: `--root DIR`.
    pub OUTSIDE_ROOT = Error "outside-root": "a path leaves the project root";

    /// ## What it does
    /// Reports files that exist and cannot be used: folders, devices, text that is not UTF-8, files above 64 MiB.
    ///
    /// ## Why is this bad?
    /// What should stand there is needed.
    ///
    /// ## Example
    /// `shader: "cull"`, which is a folder.
    ///
    /// ## Use instead
    /// A regular UTF-8 file.
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

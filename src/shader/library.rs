//! All shaders of a program, each loaded once.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::fault::Places;
use super::import::{Stitched, stitch};
use super::rules::load_fault;
use super::{Shader, builtin, features, reflect};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Files, LoadError, Span, join};

/// Shaders by path. It belongs to one [`Files`]: spans in a shader point into it.
#[derive(Debug, Default)]
pub struct Shaders {
    /// Absent for a shader that failed and was reported.
    by_path: BTreeMap<String, Option<Arc<Shader>>>,
    /// Faults of shared fragments are said once, not once a shader.
    reported: BTreeSet<(&'static str, Span)>,
}

impl Shaders {
    /// Nothing loaded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads the shader at `path` below `shaders`, or one of rondag's own (`rondag:scan/blocks.wgsl`). `at` is where the
    /// graph names it.
    ///
    /// A file that cannot be had is reported at each place that names it, a faulty shader once; afterwards it is absent
    /// without a word.
    pub fn load(
        &mut self,
        files: &mut Files,
        path: &str,
        at: Span,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Arc<Shader>> {
        let file = match open(files, path) {
            Ok(file) => file,
            Err(error) => {
                found.push(load_fault(&error, path, at));
                return None;
            }
        };
        let key = files.get(file).path.clone();
        if let Some(known) = self.by_path.get(&key) {
            return known.clone();
        }
        let mut faults = Vec::new();
        let shader = build(files, file, at, &mut faults).map(Arc::new);
        faults.retain(|fault| self.reported.insert((fault.rule.code, fault.primary.span)));
        found.append(&mut faults);
        self.by_path.insert(key, shader.clone());
        shader
    }

    /// All shaders that are good, in order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Shader>> {
        self.by_path.values().flatten()
    }
}

fn open(files: &mut Files, path: &str) -> Result<FileId, LoadError> {
    let Some(own) = path.strip_prefix(builtin::PREFIX) else {
        return files.load(&join("shaders", path));
    };
    let text = builtin::entry(own).ok_or_else(|| LoadError::Missing { path: path.to_owned() })?;
    Ok(files.add(path, text.to_owned()))
}

/// Stitches, parses, validates, reflects.
fn build(files: &mut Files, file: FileId, named: Span, found: &mut Vec<Diagnostic>) -> Option<Shader> {
    let Stitched { text, lines, closure, subgroups } = stitch(files, file, found)?;
    let places = Places { lines: &lines, entry: Span::new(file, 0, 0), named };
    // The guard keeps naga's stack; what it still trips over is naga's own fault and must not take the tool with it.
    let compiled =
        catch_unwind(AssertUnwindSafe(|| compile(&text, &places))).unwrap_or_else(|_| Err(Box::new(places.crashed())));
    let (module, info, mut needed) = match compiled {
        Ok(compiled) => compiled,
        Err(fault) => {
            found.push(*fault);
            return None;
        }
    };
    needed.set(wgpu_types::Features::SUBGROUP, subgroups || needed.contains(wgpu_types::Features::SUBGROUP));
    let interface = reflect::interface(&module, &info, needed, &text, &lines);
    let path = files.get(file).path.clone();
    let path = path.strip_prefix("shaders/").map(str::to_owned).unwrap_or(path);
    Some(Shader { file, path, text, lines, closure, module, info, interface })
}

type Compiled = (naga::Module, naga::valid::ModuleInfo, wgpu_types::Features);

fn compile(text: &str, places: &Places) -> Result<Compiled, Box<Diagnostic>> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| Box::new(places.syntax(&error)))?;
    let (info, needed) = features::validate(&module).map_err(|error| Box::new(places.invalid(&error)))?;
    Ok((module, info, needed))
}

//! All shaders of a program, each loaded once.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::declare::Declared;
use super::fault::Places;
use super::import::{Stitched, stitch};
use super::rules::{WGSL_LIMIT, load_fault};
use super::scan::{Scanner, Token};
use super::weigh::{MAX_MEMBERS, too_heavy};
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
/// The guard keeps naga's stack; what it still trips over is naga's own fault and must not take the tool with it.
fn guarded<T>(places: &Places<'_>, compile: impl FnOnce() -> Result<T, Box<Diagnostic>>) -> Result<T, Box<Diagnostic>> {
    catch_unwind(AssertUnwindSafe(compile)).unwrap_or_else(|_| Err(Box::new(places.crashed())))
}

fn build(files: &mut Files, file: FileId, named: Span, found: &mut Vec<Diagnostic>) -> Option<Shader> {
    let Stitched { text, lines, closure, enabled } = stitch(files, file, found)?;
    let tokens: Vec<Token> = Scanner::new(&text).collect();
    if let Some(name) = too_heavy(&text, &tokens) {
        let message = format!("`{}` has more than {MAX_MEMBERS} members", &text[name.clone()]);
        let fault = Diagnostic::new(&WGSL_LIMIT, message, lines.span(name), "counting those of the structs in it");
        found.push(fault.also(named, "the graph names it here"));
        return None;
    }
    let places = Places { lines: &lines, entry: Span::new(file, 0, 0), shown: &files.get(file).display, named };
    let declared = Declared::find(&text, &tokens);
    let (module, info, needed) = match guarded(&places, || compile(&text, &declared, &places)) {
        Ok(compiled) => compiled,
        Err(fault) => {
            found.push(*fault);
            return None;
        }
    };
    let needed = needed | features::enabled(&enabled) | features::bound(&module);
    let interface = reflect::interface(&module, &info, needed, &declared, &lines);
    let path = files.get(file).path.clone();
    let path = path.strip_prefix("shaders/").map(str::to_owned).unwrap_or(path);
    Some(Shader { file, path, text, lines, closure, module, info, interface })
}

type Compiled = (naga::Module, naga::valid::ModuleInfo, wgpu_types::Features);

fn compile(text: &str, declared: &Declared, places: &Places) -> Result<Compiled, Box<Diagnostic>> {
    let module = naga::front::wgsl::parse_str(text).map_err(|error| Box::new(places.syntax(&error)))?;
    if let Some(fault) = far_location(&module, declared, places) {
        return Err(Box::new(fault));
    }
    let (info, needed) = features::validate(&module).map_err(|error| Box::new(places.invalid(&error)))?;
    Ok((module, info, needed))
}

/// The highest location that is tried: naga's validation takes memory in proportion. Devices end at 32 or so.
const MAX_LOCATION: u32 = 1_023;

/// A location that is out of all proportion.
fn far_location(module: &naga::Module, declared: &Declared, places: &Places) -> Option<Diagnostic> {
    let far = |binding: Option<&naga::Binding>| match binding {
        Some(naga::Binding::Location { location, .. }) if *location > MAX_LOCATION => Some(*location),
        _ => None,
    };
    let members = module.types.iter().filter_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, .. } => Some((ty.name.as_deref()?, members)),
        _ => None,
    });
    let in_structs = members.flat_map(|(owner, members)| {
        members.iter().map(move |member| (owner, member.name.as_deref().unwrap_or_default(), member.binding.as_ref()))
    });
    let in_entries = module.entry_points.iter().flat_map(|entry| {
        let owner = entry.name.as_str();
        let arguments = entry.function.arguments.iter();
        let result = entry.function.result.iter().map(move |result| (owner, "", result.binding.as_ref()));
        arguments.map(move |arg| (owner, arg.name.as_deref().unwrap_or_default(), arg.binding.as_ref())).chain(result)
    });
    let (owner, part, location) =
        in_structs.chain(in_entries).find_map(|(owner, part, binding)| Some((owner, part, far(binding)?)))?;
    let span = places.lines.span(declared.part(owner, part));
    let message = format!("`@location({location})` is above {MAX_LOCATION}");
    Some(
        Diagnostic::new(&WGSL_LIMIT, message, span, "no device has so many")
            .also(places.named, "the graph names it here"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    #[test]
    fn a_compiler_that_panics_is_a_finding() {
        let mut files = Files::new(Memory::new([("shaders/x.wgsl", "const A = 1;")]));
        let file = files.load("shaders/x.wgsl").expect("it is there");
        let Stitched { lines, .. } = stitch(&mut files, file, &mut Vec::new()).expect("it imports nothing");
        let named = Span::new(file, 0, 5);
        let places = Places { lines: &lines, entry: Span::new(file, 0, 0), shown: "shaders/x.wgsl", named };
        let fault = guarded::<()>(&places, || panic!("as naga would")).expect_err("it failed");
        assert_eq!((fault.rule.code, fault.primary.span.file), ("wgsl-compiler-fault", file));
        assert!(guarded(&places, || Ok(())).is_ok());
    }
}

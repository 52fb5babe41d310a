//! Passes.

use std::collections::HashMap;

use crate::source::{Name, Sp, Span};

use super::super::document::{DispatchDecl, PassDecl, PassKindDecl, ProgramDecl, WorkDecl};
use super::super::expr::{Expr, Reference};
use super::super::tree::{Kind, Node};
use super::fields::{Fields, What};
use super::{Lower, Step};

type Reader<'n, 'f> = fn(&mut Lower<'n, 'f>, &mut Fields<'n>) -> Option<PassKindDecl>;

impl<'n, 'f> Lower<'n, 'f> {
    const PASS_KINDS: [(&'static str, Reader<'n, 'f>); 8] = [
        ("Dispatch", |l, fields| l.dispatch(fields)),
        ("Render", |l, fields| Some(PassKindDecl::Render(l.render(fields)))),
        ("Include", |l, fields| l.include(fields)),
        ("Repeat", |l, fields| l.repeat(fields)),
        ("Scan", |l, fields| l.scan(fields)),
        ("ClearBuffer", |l, fields| l.clear_buffer(fields)),
        ("CopyBuffer", |l, fields| l.copy_buffer(fields)),
        ("CopyTexture", |l, fields| l.copy_texture(fields)),
    ];

    /// `passes: […]`
    pub(super) fn passes(&mut self, node: &'n Node<'n>) -> Option<Vec<PassDecl>> {
        let Kind::List(items) = &node.kind else {
            self.mistyped(node, "a list of passes");
            return None;
        };
        // Only asked, never walked.
        let mut seen: HashMap<&str, Span> = HashMap::with_capacity(items.len());
        let mut passes = Vec::with_capacity(items.len().min(1 << 14));
        for (index, item) in items.iter().enumerate() {
            let name = written_name(item);
            let step = name.map_or(Step::Index(index), Step::Key);
            let mut pass = self.inside(step, |l| l.pass(item));
            if let (Some(name), Some(written)) = (name, &pass.name)
                && let span = written.span
                && let before = *seen.entry(name).or_insert(span)
                && before != span
            {
                self.inside(step, |l| l.duplicate(name, span, before, "pass name"));
                pass.poisoned = true;
            }
            passes.push(pass);
            if self.found.is_overflowing() {
                break;
            }
        }
        Some(passes)
    }

    fn pass(&mut self, node: &'n Node<'n>) -> PassDecl {
        let faults = self.found.faults();
        let mut pass = PassDecl {
            name: None,
            when: None,
            run: None,
            after: Vec::new(),
            kind: PassKindDecl::Poison,
            keyword: self.head(node),
            span: self.span(node),
            poisoned: false,
        };
        let known = node.name.and_then(|n| Self::PASS_KINDS.into_iter().find(|(name, _)| *name == n));
        if known.is_none() {
            let names = Self::PASS_KINDS.map(|(name, _)| name);
            self.unknown_name(node, "kind of pass", &names);
        }
        let read = known.map(|(_, read)| read);
        if known.is_some() || matches!(node.kind, Kind::Struct(_)) {
            self.pass_fields(node, read, &mut pass);
        }
        pass.poisoned = self.found.faults() > faults;
        pass
    }

    /// The common fields, then those of the kind. Of an unknown kind only the common ones are read.
    fn pass_fields(&mut self, node: &'n Node<'n>, read: Option<Reader<'n, 'f>>, pass: &mut PassDecl) {
        let what = node.name.map_or(What::Place("a pass"), What::Kind);
        let Some(mut fields) = self.fields(node, what) else { return };
        pass.name = self.optional(&mut fields, "name", |l, n| {
            let name = l.text(n)?;
            l.check_identifier(&name.value, name.span, "pass");
            Some(name)
        });
        pass.when = self.optional(&mut fields, "when", Self::expr);
        pass.run = self.optional(&mut fields, "run", |l, n| l.leaf(n));
        pass.after =
            self.optional(&mut fields, "after", |l, n| l.list(n, "pass names", Self::text)).unwrap_or_default();
        let Some(read) = read else { return };
        if let Some(kind) = read(self, &mut fields) {
            pass.kind = kind;
        }
        self.finish(&fields);
    }

    fn clear_buffer(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let target = self.required(f, "target", Self::reference);
        let offset = self.optional(f, "offset", Self::expr);
        let size = self.optional(f, "size", Self::expr);
        Some(PassKindDecl::ClearBuffer { target: target?, offset, size })
    }

    fn copy_buffer(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let source = self.required(f, "source", Self::reference);
        let target = self.required(f, "target", Self::reference);
        let source_offset = self.optional(f, "source_offset", Self::expr).map(Box::new);
        let target_offset = self.optional(f, "target_offset", Self::expr).map(Box::new);
        let size = self.optional(f, "size", Self::expr);
        Some(PassKindDecl::CopyBuffer { source: source?, target: target?, source_offset, target_offset, size })
    }

    fn copy_texture(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let source = self.required(f, "source", Self::reference);
        let target = self.required(f, "target", Self::reference);
        let source_offset = self.optional(f, "source_offset", |l, n| l.pair(n, "`(x, y)`")).map(Box::new);
        let target_offset = self.optional(f, "target_offset", |l, n| l.pair(n, "`(x, y)`")).map(Box::new);
        let size = self.optional(f, "size", |l, n| l.pair(n, "`(width, height)`")).map(Box::new);
        Some(PassKindDecl::CopyTexture { source: source?, target: target?, source_offset, target_offset, size })
    }

    fn scan(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let input = self.required(f, "input", Self::reference);
        let output = self.required(f, "output", Self::reference);
        Some(PassKindDecl::Scan { input: input?, output: output? })
    }

    fn repeat(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let var = self.required(f, "var", |l, n| {
            let var = l.text(n)?;
            l.check_declared(&var.value, var.span, "`Repeat` variable");
            Some(var)
        });
        let count = self.required(f, "count", Self::expr);
        let passes = self.required(f, "passes", Self::passes);
        Some(PassKindDecl::Repeat { var: var?, count: count?, passes: passes? })
    }

    fn include(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let graph = self.required(f, "graph", Self::template);
        let bind = self.optional(f, "bind", Self::bind).unwrap_or_default();
        let set = self.optional(f, "set", |l, n| l.value_map(n, "value")).unwrap_or_default();
        let requires = self.optional(f, "requires", |l, n| l.list(n, "features", Self::bare_name)).unwrap_or_default();
        Some(PassKindDecl::Include { graph: graph?, bind, set, requires })
    }

    fn dispatch(&mut self, f: &mut Fields<'n>) -> Option<PassKindDecl> {
        let program = self.program(f);
        let work = self.work(f);
        Some(PassKindDecl::Dispatch(DispatchDecl { program: program?, work }))
    }

    /// Exactly one of `items`, `groups`, `indirect`.
    fn work(&mut self, f: &mut Fields<'n>) -> WorkDecl {
        let items = self.optional(f, "items", |l, n| l.extent(n).map(|extent| (extent, l.span(n))));
        let groups = self.optional(f, "groups", |l, n| l.extent(n).map(|extent| (extent, l.span(n))));
        let indirect = self.optional(f, "indirect", Self::reference);
        let ways = ["items", "groups", "indirect"];
        let given: Vec<&'static str> = ways.into_iter().filter(|way| f.key(way).is_some()).collect();
        match given.as_slice() {
            [] => f.miss("items", " (or `groups`, `indirect`)"),
            [first, rest @ ..] => rest.iter().for_each(|other| self.exclude(f, first, other)),
        }
        match (items, groups, indirect) {
            (Some((items, span)), ..) => WorkDecl::Items(items, span),
            (_, Some((groups, span)), _) => WorkDecl::Groups(groups, span),
            (.., Some(indirect)) => WorkDecl::Indirect(indirect),
            _ => WorkDecl::Poison,
        }
    }

    /// A number, or one to three of them.
    fn extent(&mut self, node: &'n Node<'n>) -> Option<Vec<Expr>> {
        match &node.kind {
            Kind::Tuple(items) if node.name.is_none() && (1..=3).contains(&items.len()) => {
                let read = |(i, n)| self.inside(Step::Index(i), |l| l.expr(n));
                items.iter().enumerate().map(read).collect()
            }
            Kind::Tuple(_) | Kind::List(_) => {
                self.mistyped(node, "one to three numbers `(x, y, z)`");
                None
            }
            _ => self.expr(node).map(|expr| vec![expr]),
        }
    }

    /// Two expressions.
    pub(super) fn pair(&mut self, node: &'n Node<'n>, wanted: &str) -> Option<[Expr; 2]> {
        let [x, y] = self.tuple::<2>(node, wanted)?;
        let x = self.inside(Step::Index(0), |l| l.expr(x))?;
        let y = self.inside(Step::Index(1), |l| l.expr(y))?;
        Some([x, y])
    }

    /// What a shader is given.
    pub(super) fn program(&mut self, f: &mut Fields<'n>) -> Option<ProgramDecl> {
        let shader = self.required(f, "shader", Self::template);
        let entry = self.optional(f, "entry", Self::entry).unwrap_or_default();
        let faults = self.found.faults();
        let bind = self.optional(f, "bind", Self::bind).unwrap_or_default();
        let set = self.optional(f, "set", |l, n| l.value_map(n, "value")).unwrap_or_default();
        let partial = self.found.faults() > faults;
        Some(ProgramDecl { shader: shader?, entry, bind, set, partial })
    }

    /// `"vs"` or `["vs", "fs"]`
    fn entry(&mut self, node: &'n Node<'n>) -> Option<Vec<Sp<Name>>> {
        match node.kind {
            Kind::List(_) => self.list(node, "entry points", Self::text),
            _ => self.text(node).map(|entry| vec![entry]),
        }
    }

    /// Resources by name.
    fn bind(&mut self, node: &'n Node<'n>) -> Option<Vec<(Sp<Name>, Reference)>> {
        self.map(node, "binding", |l, name, node| l.reference(node).map(|reference| (name, reference)))
    }

    /// Values by name.
    pub(super) fn value_map(&mut self, node: &'n Node<'n>, what: &str) -> Option<Vec<(Sp<Name>, Expr)>> {
        self.map(node, what, |l, name, node| l.value(node).map(|value| (name, value)))
    }
}

/// The name of a pass, before anything else of it is read.
fn written_name<'n>(node: &'n Node<'n>) -> Option<&'n str> {
    let Kind::Struct(fields) = &node.kind else { return None };
    fields.iter().find(|field| field.key == "name")?.value.text()
}

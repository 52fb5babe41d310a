//! Frames in a few lines. Each line is a resource, an output or a pass; the text itself is the file that spans point into.
//!
//! ```text
//! buffer counts 64                    kind, name, bytes (`?` unknown); then: persistent, history, in, out, inout, values
//! texture color 64x32 mips=4 layers=2 samples=4 format=r32
//! output color
//! clear reset: =counts
//! dispatch cull: <objects >list +counts      < read, > write, = replace, ~ read and write, + add, * indirect
//! dispatch down: <hiz.mip(0) >hiz.mip(1) once empty sometimes poisoned after=reset
//! render draw: <list =color ~depth          in a render pass, = and ~ on a texture attach it; `draw` gives it a draw
//! ```

use rondag::graph::{
    Access, Buffer, ColorAttachment, DepthAttachment, Dispatch, Draft, Draw, DrawState, Effect, Formula, FrameField,
    Groups, Initial, Lifetime, Part, Pass, PassId, PassKind, PortKind, Program, Render, Resource, ResourceId,
    ResourceKind, Run, ShaderId, Texture, Usage,
};
use rondag::id::Id as _;
use rondag::plan::Plan;
use rondag::source::{FileId, Files, Memory, Span};
use rondag::syntax::document as doc;

/// A draft and the text it was made from.
pub(crate) struct Frame {
    pub(crate) draft: Draft,
    pub(crate) files: Files,
}

impl Frame {
    pub(crate) fn pass(&self, name: &str) -> PassId {
        let found = self.draft.passes.entries().find(|(_, pass)| pass.name == name);
        found.unwrap_or_else(|| panic!("no pass `{name}`")).0
    }

    pub(crate) fn resource(&self, name: &str) -> ResourceId {
        let found = self.draft.resources.entries().find(|(_, resource)| resource.name == name);
        found.unwrap_or_else(|| panic!("no resource `{name}`")).0
    }

    /// The names of the recorded passes, in order.
    pub(crate) fn order(&self, plan: &Plan) -> String {
        plan.order.iter().map(|pass| self.draft.passes[*pass].name.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Reads a frame. Panics on what it does not know: it is a test's own text.
pub(crate) fn frame(text: &str) -> Frame {
    let mut files = Files::new(Memory::default());
    let file = files.add("frame", text.to_owned());
    let mut draft = Draft { name: "frame".to_owned(), surface: [64, 32], ..Draft::default() };
    let mut reader = Reader { file, draft: &mut draft };
    let words_of = |wanted: &[&str]| {
        let mut lines = Vec::new();
        let mut at = 0;
        for line in text.lines() {
            let mut words: Vec<(usize, &str)> = Vec::new();
            for word in line.split_whitespace() {
                words.push((at + word.as_ptr() as usize - line.as_ptr() as usize, word));
            }
            if words.first().is_some_and(|(_, first)| wanted.contains(first)) {
                lines.push(words);
            }
            at += line.len() + 1;
        }
        lines
    };
    for line in words_of(&["buffer", "texture"]) {
        reader.resource(&line);
    }
    for line in words_of(&["output"]) {
        reader.output(&line);
    }
    let passes = words_of(&["clear", "copy", "dispatch", "render"]);
    for line in &passes {
        reader.name(line);
    }
    for (at, line) in passes.iter().enumerate() {
        reader.pass(PassId::from_index(at), line);
    }
    Frame { draft, files }
}

struct Reader<'a> {
    file: FileId,
    draft: &'a mut Draft,
}

type Word<'t> = (usize, &'t str);

impl Reader<'_> {
    fn span(&self, (at, word): Word<'_>) -> Span {
        Span::new(self.file, at, at + word.len())
    }

    fn find(&self, name: &str) -> ResourceId {
        let found = self.draft.resources.entries().find(|(_, resource)| resource.name == name);
        found.unwrap_or_else(|| panic!("no resource `{name}`")).0
    }

    fn resource(&mut self, line: &[Word<'_>]) {
        let value = |key: &str| line.iter().find_map(|(_, word)| word.strip_prefix(key)?.strip_prefix('='));
        let number = |key: &str| value(key).map_or(1, |text| text.parse().expect("a number"));
        let is = |word: &str| line.iter().any(|(_, it)| *it == word);
        let kind = if line[0].1 == "buffer" {
            let size = line[2].1.parse().ok();
            let initial = is("values").then(|| Initial::Bytes(vec![0; 4].into()));
            ResourceKind::Buffer(Buffer {
                count: size.map(|size| size / 4),
                stride: Some(4),
                size,
                initial,
                ..Buffer::default()
            })
        } else {
            let size = line[2].1.split_once('x').map(|(w, h)| [w, h].map(|side| side.parse().expect("a side")));
            let format = match value("format") {
                Some("r32") => wgpu_types::TextureFormat::R32Float,
                Some("depth") => wgpu_types::TextureFormat::Depth32Float,
                _ => wgpu_types::TextureFormat::Rgba8Unorm,
            };
            let (mips, layers, samples) = (number("mips"), number("layers"), number("samples"));
            ResourceKind::Texture(Texture { format: Some(format), size, mips, layers, samples })
        };
        let lifetime = match () {
            () if is("persistent") => Lifetime::Persistent,
            () if is("history") => Lifetime::History,
            () => Lifetime::Transient,
        };
        let ports = [("in", PortKind::In), ("out", PortKind::Out), ("inout", PortKind::InOut)];
        let port = ports.into_iter().find(|(word, _)| is(word)).map(|(_, kind)| kind);
        self.draft.resources.push(Resource {
            name: line[1].1.into(),
            kind,
            lifetime,
            port,
            declared_usage: None,
            span: self.span(line[1]),
            poisoned: is("poisoned"),
        });
    }

    fn output(&mut self, line: &[Word<'_>]) {
        let id = self.find(line[1].1);
        self.draft.outputs.push((id, self.span(line[1])));
    }

    fn name(&mut self, line: &[Word<'_>]) {
        let name = line[1].1.trim_end_matches(':');
        self.draft.passes.push(Pass {
            name: name.into(),
            kind: PassKind::Render(Render { color: Vec::new(), depth: None, draws: Vec::new() }),
            run: Run::EachFrame,
            condition: None,
            after: Vec::new(),
            accesses: Vec::new(),
            empty: false,
            span: self.span((line[1].0, name)),
            poisoned: false,
        });
    }

    fn pass(&mut self, id: PassId, line: &[Word<'_>]) {
        let class = line[0].1;
        let mut draws = Vec::new();
        for word in &line[2..] {
            match word.1 {
                "once" => self.draft.passes[id].run = Run::Once,
                "empty" => self.draft.passes[id].empty = true,
                "poisoned" => self.draft.passes[id].poisoned = true,
                "sometimes" => self.draft.passes[id].condition = Some(Box::new(Formula::Frame(FrameField::Index))),
                "draw" => draws.push(a_draw(self.span(*word))),
                text if text.starts_with("after=") => {
                    let name = &text[6..];
                    let found = self.draft.passes.entries().find(|(_, pass)| pass.name == name);
                    let before = found.unwrap_or_else(|| panic!("no pass `{name}`")).0;
                    let span = self.span((word.0 + 6, name));
                    self.draft.passes[id].after.push((before, span));
                }
                _ => {
                    let access = self.access(class, *word);
                    self.draft.passes[id].accesses.push(access);
                }
            }
        }
        let accesses = self.draft.passes[id].accesses.clone();
        self.draft.passes[id].kind = kind(class, &accesses, draws);
    }

    fn access(&self, class: &str, word: Word<'_>) -> Access {
        let (name, suffixes) = word.1[1..].split_once('.').unwrap_or((&word.1[1..], ""));
        let resource = self.find(name);
        let kind = &self.draft.resources[resource].kind;
        let mut part = match kind {
            ResourceKind::Texture(texture) => Part { mip: 0, mips: texture.mips, layer: 0, layers: texture.layers },
            _ => Part::ONE,
        };
        for suffix in suffixes.split('.') {
            let argument = |key: &str| suffix.strip_prefix(key)?.trim_matches(['(', ')']).parse().ok();
            if let Some(mip) = argument("mip") {
                (part.mip, part.mips) = (mip, 1);
            }
            if let Some(layer) = argument("layer") {
                (part.layer, part.layers) = (layer, 1);
            }
        }
        let effect = match word.1.as_bytes()[0] {
            b'<' | b'*' => Effect::Read,
            b'>' => Effect::Write,
            b'=' => Effect::Replace,
            b'~' => Effect::ReadWrite,
            b'+' => Effect::Accumulate,
            other => panic!("`{}` is no access in {}", other as char, word.1),
        };
        let texture = matches!(kind, ResourceKind::Texture(_));
        let depth =
            matches!(kind, ResourceKind::Texture(t) if t.format == Some(wgpu_types::TextureFormat::Depth32Float));
        let usage = match (class, effect) {
            _ if word.1.starts_with('*') => Usage::Indirect,
            ("clear" | "copy", Effect::Read) => Usage::CopySrc,
            ("clear" | "copy", _) => Usage::CopyDst,
            ("render", Effect::Replace | Effect::ReadWrite) if depth => Usage::DepthAttachment,
            ("render", Effect::Replace | Effect::ReadWrite) if texture => Usage::ColorAttachment,
            (_, Effect::Read) if texture => Usage::Sampled,
            _ if texture => Usage::StorageTexture,
            (_, Effect::Read) => Usage::StorageRead,
            _ => Usage::StorageWrite,
        };
        let previous = suffixes.split('.').any(|suffix| suffix == "previous");
        Access { resource, part, previous, usage, effect, span: self.span((word.0 + 1, &word.1[1..])), variable: None }
    }
}

fn kind(class: &str, accesses: &[Access], draws: Vec<Draw>) -> PassKind {
    let target = accesses.iter().find(|it| it.effect.writes()).map(|it| it.resource);
    match class {
        "dispatch" => {
            PassKind::Dispatch(Dispatch { program: a_program(), groups: Groups::Fixed([1, 1, 1]), items: None })
        }
        "render" => {
            let attached = |usage| accesses.iter().filter(move |it: &&Access| it.usage == usage);
            let clears = |it: &Access| it.effect == Effect::Replace;
            let color = attached(Usage::ColorAttachment).map(|it| ColorAttachment {
                resource: it.resource,
                part: it.part,
                clear: clears(it).then_some([f64::from(it.span.start), 0.0, 0.0, 1.0]),
                resolve: None,
                span: it.span,
            });
            let depth = attached(Usage::DepthAttachment).next().map(|it| DepthAttachment {
                resource: it.resource,
                part: it.part,
                clear: clears(it).then_some(1.0),
                read_only: false,
                span: it.span,
            });
            PassKind::Render(Render { color: color.collect(), depth, draws })
        }
        _ => PassKind::ClearBuffer { target: target.expect("a clear or copy writes"), offset: 0, size: None },
    }
}

fn a_program() -> Program {
    Program { shader: ShaderId::from_index(0), entries: vec![0], constants: Vec::new(), bindings: Vec::new() }
}

fn a_draw(span: Span) -> Draw {
    Draw {
        program: a_program(),
        vertex_buffers: Vec::new(),
        index_buffer: None,
        state: DrawState {
            topology: doc::Topology::TriangleList,
            cull: None,
            blend: doc::Blend::Replace,
            depth_compare: doc::Compare::Less,
            depth_write: true,
            depth_bias: 0,
            depth_slope: 0.0,
        },
        call: rondag::graph::Call::Draw { vertices: Some(3), instances: Some(1), first_vertex: 0, first_instance: 0 },
        span,
    }
}

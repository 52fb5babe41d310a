//! Random frames as text: mostly legal in form, often wrong in meaning.

use std::fmt::Write as _;

use crate::checked::FILL;

/// What the frames' passes run.
pub(super) const SHADERS: &[(&str, &str)] = &[
    ("shaders/fill.wgsl", FILL),
    (
        "shaders/copy.wgsl",
        "@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_: array<u32>;
@compute @workgroup_size(8, 8) fn copy(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&target_) { target_[id.x] = source[id.x]; }
}",
    ),
    (
        "shaders/count.wgsl",
        "@group(0) @binding(0) var<storage, read> list: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> counter: atomic<u32>;
@compute @workgroup_size(64) fn count(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) && list[id.x].x != 0u { atomicAdd(&counter, 1u); }
}",
    ),
    (
        "shaders/arguments.wgsl",
        "struct Draw { vertices: u32, instances: u32, first_vertex: u32, first_instance: u32 }
@group(0) @binding(0) var<storage, read_write> args: array<Draw>;
@compute @workgroup_size(1) fn arguments() { args[0] = Draw(3u, 1u, 0u, 0u); }",
    ),
    (
        "shaders/triangle.wgsl",
        "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade() -> @location(0) vec4f { return vec4f(1.0); }",
    ),
    (
        "shaders/ids.wgsl",
        "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade() -> @location(0) vec4u { return vec4u(1u); }",
    ),
    (
        "shaders/depth.wgsl",
        "@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }",
    ),
    (
        "shaders/mesh.wgsl",
        "struct In { @location(0) position: vec3f, @location(1) normal: vec3f }
struct Out { @builtin(position) at: vec4f, @location(0) normal: vec3f }
@vertex fn corner(v: In) -> Out { return Out(vec4f(v.position, 1.0), v.normal); }
@fragment fn shade(v: Out) -> @location(0) vec4f { return vec4f(v.normal, 1.0); }",
    ),
    (
        "shaders/show.wgsl",
        "@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var filtering: sampler;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f { return textureSample(image, filtering, at.xy); }",
    ),
    (
        "shaders/fetch.wgsl",
        "@group(0) @binding(0) var image: texture_2d<f32>;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f { return textureLoad(image, vec2u(at.xy), 0); }",
    ),
    (
        "shaders/shadow.wgsl",
        "@group(0) @binding(0) var image: texture_depth_2d;
@group(0) @binding(1) var comparing: sampler_comparison;
@vertex fn corner(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i), 0.0, 0.5, 1.0); }
@fragment fn shade(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return vec4f(textureSampleCompare(image, comparing, at.xy, 0.5));
}",
    ),
    (
        "shaders/store.wgsl",
        "@group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn store(@builtin(global_invocation_id) id: vec3u) {
    if all(id.xy < textureDimensions(image)) { textureStore(image, id.xy, vec4f(1.0)); }
}",
    ),
    (
        "shaders/array.wgsl",
        "@group(0) @binding(0) var image: texture_2d_array<f32>;
@group(0) @binding(1) var<storage, read_write> list: array<f32>;
@compute @workgroup_size(64) fn sum(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) { list[id.x] = textureLoad(image, vec2u(id.x, 0u), 0, 0).x; }
}",
    ),
    (
        "shaders/samples.wgsl",
        "@group(0) @binding(0) var image: texture_multisampled_2d<f32>;
@group(0) @binding(1) var<storage, read_write> list: array<f32>;
@compute @workgroup_size(64) fn sum(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&list) { list[id.x] = textureLoad(image, vec2u(id.x, 0u), 0).x; }
}",
    ),
];

const FORMATS: [&str; 18] = [
    "Rgba8Unorm",
    "Rgba8Unorm",
    "Rgba16Float",
    "Depth32Float",
    "Bgra8Unorm",
    "Rgba8Unorm",
    "Rgba8UnormSrgb",
    "Bgra8Unorm",
    "Rgba16Float",
    "R32Float",
    "R32Uint",
    "Rgba32Uint",
    "Rg16Float",
    "R8Unorm",
    "Rgba8Snorm",
    "Rgb9e5Ufloat",
    "Depth32Float",
    "Depth24Plus",
];

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// True in one of `n` cases.
    fn rarely(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// The text in one of `n` cases.
    fn maybe<'t>(&mut self, n: usize, text: &'t str) -> &'t str {
        if self.rarely(n) { text } else { "" }
    }
}

/// Fixed-function state of a draw.
const STATES: [&str; 14] = [
    "",
    "",
    "",
    "",
    "",
    "",
    ", blend: Alpha",
    ", cull: Back",
    ", topology: TriangleStrip",
    ", topology: LineList",
    ", topology: PointList, cull: Front",
    ", depth: (compare: Always, write: false)",
    ", depth: (compare: GreaterEqual, bias: 2, slope: 1.5)",
    ", topology: LineStrip, depth: (bias: 2)",
];

struct Made {
    random: Random,
    buffers: Vec<String>,
    /// With format, samples, mips, layers.
    textures: Vec<(String, String, usize, usize, usize)>,
    text: String,
}

/// A frame: the same for the same seed.
pub(super) fn frame(seed: u64) -> String {
    let mut made = Made {
        random: Random(seed.wrapping_mul(0x1234_5678_9abc_def1)),
        buffers: Vec::new(),
        textures: Vec::new(),
        text: String::from("(version: 1,\nresources: {\n"),
    };
    made.resources();
    made.text += "},\npasses: [\n";
    made.begin();
    for index in 0..=made.random.below(5) {
        made.pass(index);
    }
    made.text += "],\noutputs: [";
    for name in made.buffers.iter().chain(made.textures.iter().map(|(name, ..)| name)).filter(|name| *name != "args") {
        let _ = write!(made.text, "\"{name}\", ");
    }
    made.text += "],\n)\n";
    made.text
}

impl Made {
    fn resources(&mut self) {
        let r = &mut self.random;
        for index in 0..2 + r.below(2) {
            let count = r.one(&["1", "3", "4", "64", "100", "257"]);
            let lifetime = r.one(&["", "", "", ", lifetime: Persistent", ", lifetime: History"]);
            let usage =
                r.one(&["", "", "", "", "", "", "", ", usage: [Storage, CopyDst, CopySrc]", ", usage: [Storage]"]);
            let _ = writeln!(self.text, "\"b{index}\": Buffer(count: {count}, stride: 4{lifetime}{usage}),");
            self.buffers.push(format!("b{index}"));
        }
        for index in 0..=r.below(3) {
            let format = r.one(&FORMATS);
            let size = r.one(&["Surface", "(64, 64)", "(64, 64)", "(64, 64)", "(33, 7)"]);
            let single = ["R32Uint", "Rgba32Uint", "R32Float", "Rgba8Snorm", "Rgb9e5Ufloat"].contains(&format);
            let samples = if r.rarely(if single { 40 } else { 5 }) { 4 } else { 1 };
            let several = samples == 4 && !r.rarely(8);
            let mips = if r.rarely(4) && !several { 1 + r.below(4) } else { 1 };
            let layers = if r.rarely(5) && !several { 1 + r.below(3) } else { 1 };
            let lifetime = r.one(&["", "", "", ", lifetime: Persistent"]);
            let usage = r.one(&["", "", "", "", "", "", "", "", "", ", usage: [Sampled, Attachment]"]);
            let _ = writeln!(
                self.text,
                "\"t{index}\": Texture(format: {format}, size: {size}, mips: {mips}, layers: {layers}, samples: {samples}{lifetime}{usage}),"
            );
            self.textures.push((format!("t{index}"), format.to_owned(), samples, mips, layers));
        }
        let filter = r.one(&["Linear", "Nearest"]);
        let _ =
            writeln!(self.text, "\"filtering\": Sampler(filter: {filter}),\n\"comparing\": Sampler(compare: Less),");
        self.text += "\"args\": Buffer(count: 2, stride: 16),\n\"pack\": Meshes([Cube, Plane]),\n";
    }

    /// Writes everything that can be written simply, most of the time.
    fn begin(&mut self) {
        for name in self.buffers.clone() {
            if !self.random.rarely(8) {
                let way = self.random.below(2);
                let _ = match way {
                    0 => writeln!(self.text, "ClearBuffer(name: \"clear_{name}\", target: \"{name}\"),"),
                    _ => writeln!(
                        self.text,
                        "Dispatch(name: \"fill_{name}\", shader: \"fill.wgsl\", items: 300, bind: {{ \"list\": \"{name}\" }}),"
                    ),
                };
            }
        }
        for (name, format, _, mips, layers) in self.textures.clone() {
            let renders = !matches!(format.as_str(), "Rgba8Snorm" | "Rgb9e5Ufloat");
            if !renders && !self.random.rarely(12) {
                continue;
            }
            for mip in 0..mips {
                for layer in 0..layers {
                    let part = if mips * layers > 1 { format!(".mip({mip}).layer({layer})") } else { String::new() };
                    let target = format!("{name}{part}");
                    let _ = if format.starts_with("Depth") {
                        writeln!(
                            self.text,
                            "Render(name: \"clear_{name}_{mip}_{layer}\", depth: (target: \"{target}\", clear: 1)),"
                        )
                    } else {
                        writeln!(
                            self.text,
                            "Render(name: \"clear_{name}_{mip}_{layer}\", color: [(target: \"{target}\", clear: (0, 0, 0, 1))]),"
                        )
                    };
                }
            }
        }
        self.text += "Dispatch(name: \"arguments\", shader: \"arguments.wgsl\", items: 1),\n";
    }

    /// Two buffers, mostly different ones.
    fn pair(&mut self) -> (String, String) {
        let (one, mut other) = (self.buffer(), self.buffer());
        for _ in 0..4 {
            if one != other {
                break;
            }
            other = self.buffer();
        }
        (one, other)
    }

    fn buffer(&mut self) -> String {
        let at = self.random.below(self.buffers.len());
        self.buffers[at].clone()
    }

    /// A texture, or a part of it, and its format: mostly of the kind that is asked for, if there is one.
    fn texture_of(&mut self, fits: impl Fn(&str, usize) -> bool) -> (String, String) {
        let fitting: Vec<usize> =
            (0..self.textures.len()).filter(|at| fits(&self.textures[*at].1, self.textures[*at].2)).collect();
        let at = if fitting.is_empty() || self.random.rarely(12) {
            self.random.below(self.textures.len())
        } else {
            fitting[self.random.below(fitting.len())]
        };
        let (name, format, _, mips, layers) = self.textures[at].clone();
        let beyond = usize::from(self.random.rarely(20));
        let mip = self.random.below(mips + beyond);
        let layer = self.random.below(layers);
        let whole = mips * layers == 1 || self.random.rarely(12);
        let part = if whole { String::new() } else { format!(".mip({mip}).layer({layer})") };
        (format!("{name}{part}"), format)
    }

    fn texture(&mut self) -> (String, String) {
        self.texture_of(|_, _| true)
    }

    fn pass(&mut self, index: usize) {
        match self.random.below(12) {
            0 => {
                let (target, offset) = (self.buffer(), self.random.one(&["0", "0", "0", "0", "4", "8", "2"]));
                let size = self.random.one(&["", "", ", size: 4", ", size: 8", ", size: 400"]);
                let _ = writeln!(
                    self.text,
                    "ClearBuffer(name: \"p{index}\", target: \"{target}\", offset: {offset}{size}),"
                );
            }
            1 => {
                let (from, to) = self.pair();
                let size =
                    self.random.one(&["", "", ", size: 4", ", size: 12", ", size: 6", ", source_offset: 4, size: 4"]);
                let _ =
                    writeln!(self.text, "CopyBuffer(name: \"p{index}\", source: \"{from}\", target: \"{to}\"{size}),");
            }
            2 => {
                let (from, format) = self.texture();
                let to = self.texture_of(|other, _| other == format).0;
                let size = self.random.one(&[
                    "",
                    "",
                    ", size: (1, 1)",
                    ", size: (8, 8)",
                    ", source_offset: (1, 1), size: (2, 2)",
                ]);
                let _ =
                    writeln!(self.text, "CopyTexture(name: \"p{index}\", source: \"{from}\", target: \"{to}\"{size}),");
            }
            3 => {
                let (from, to) = self.pair();
                let _ = writeln!(self.text, "Scan(name: \"p{index}\", input: \"{from}\", output: \"{to}\"),");
            }
            4..=6 => self.dispatch(index),
            _ => self.render(index),
        }
    }

    fn dispatch(&mut self, index: usize) {
        let work = self.random.one(&[
            "items: 64",
            "items: 100",
            "items: (16, 16)",
            "groups: 3",
            "groups: (2, 1, 2)",
            "items: 0",
        ]);
        let (a, b) = self.pair();
        let previous = self.random.maybe(9, ".previous");
        let body = match self.random.below(7) {
            0 => format!("shader: \"fill.wgsl\", bind: {{ \"list\": \"{a}\" }}"),
            1 | 2 => format!("shader: \"copy.wgsl\", bind: {{ \"source\": \"{a}{previous}\", \"target_\": \"{b}\" }}"),
            3 => format!("shader: \"count.wgsl\", bind: {{ \"list\": \"{a}\", \"counter\": \"{b}\" }}"),
            4 => {
                let image = self.texture_of(|format, samples| format == "Rgba8Unorm" && samples == 1).0;
                format!("shader: \"store.wgsl\", bind: {{ \"image\": \"{image}\" }}")
            }
            5 => {
                let image = self.texture_of(|format, samples| is_float(format) && samples == 1).0;
                format!("shader: \"array.wgsl\", bind: {{ \"image\": \"{image}\", \"list\": \"{a}\" }}")
            }
            _ => {
                let image = self.texture_of(|format, samples| is_float(format) && samples == 4).0;
                format!("shader: \"samples.wgsl\", bind: {{ \"image\": \"{image}\", \"list\": \"{a}\" }}")
            }
        };
        let _ = writeln!(self.text, "Dispatch(name: \"p{index}\", {body}, {work}),");
    }

    fn render(&mut self, index: usize) {
        let (target, format) = self.texture_of(|format, _| format != "Rgb9e5Ufloat");
        let clear = self.random.maybe(2, ", clear: 1");
        let (mut color, mut depth) = (String::new(), String::new());
        if format.starts_with("Depth") {
            depth = format!("depth: (target: \"{target}\"{clear}), ");
        } else {
            let resolve = if self.random.rarely(8) {
                format!(", resolve: \"{}\"", self.texture_of(|other, samples| other == format && samples == 1).0)
            } else {
                String::new()
            };
            let clear = if clear.is_empty() { "" } else { ", clear: (0, 0, 0, 1)" };
            color = format!("color: [(target: \"{target}\"{clear}{resolve})], ");
            if self.random.rarely(4) {
                let (target, _) = self.texture_of(|format, _| format.starts_with("Depth"));
                depth = format!("depth: (target: \"{target}\", clear: 1), ");
            }
        }
        let mut draws = String::new();
        for _ in 0..self.random.below(3) {
            let draw = self.draw(&target, &format);
            let _ = write!(draws, "{draw}, ");
        }
        let _ = writeln!(self.text, "Render(name: \"p{index}\", {color}{depth}draws: [{draws}]),");
    }

    fn draw(&mut self, target: &str, format: &str) -> String {
        let name = target.split('.').next().unwrap_or(target).to_owned();
        let names: Vec<String> = self.textures.iter().map(|(name, ..)| name.clone()).collect();
        let other = |fits: &dyn Fn(&str) -> bool, this: &mut Self| {
            (0..4)
                .map(|_| this.texture_of(|format, samples| fits(format) && samples == 1).0)
                .find(|found| !found.starts_with(&name))
        };
        let wild = self.random.rarely(16);
        let shader = match (format, self.random.below(8)) {
            (f, 0..6) if f.starts_with("Depth") && !wild => "shader: \"depth.wgsl\"".to_owned(),
            (f, 0..6) if f.ends_with("Uint") && !wild => "shader: \"ids.wgsl\"".to_owned(),
            (_, 0 | 1) => "shader: \"triangle.wgsl\"".to_owned(),
            (_, 2) => "shader: \"mesh.wgsl\", vertex_buffers: [\"pack.vertices\"]".to_owned(),
            (_, 3 | 4) => match other(&is_float, self) {
                Some(image) => format!("shader: \"show.wgsl\", bind: {{ \"image\": \"{image}\" }}"),
                None => "shader: \"triangle.wgsl\"".to_owned(),
            },
            (_, 5) => match other(&is_float, self) {
                Some(image) => format!("shader: \"fetch.wgsl\", bind: {{ \"image\": \"{image}\" }}"),
                None => "shader: \"triangle.wgsl\"".to_owned(),
            },
            (_, 6) => match other(&|format| format.starts_with("Depth"), self) {
                Some(image) => format!("shader: \"shadow.wgsl\", bind: {{ \"image\": \"{image}\" }}"),
                None => "shader: \"depth.wgsl\"".to_owned(),
            },
            _ => format!("shader: \"show.wgsl\", bind: {{ \"image\": \"{}\" }}", names[self.random.below(names.len())]),
        };
        let indexed = shader.contains("mesh.wgsl");
        let call = if indexed && !self.random.rarely(8) {
            self.random.one(&[
                "index_buffer: \"pack.indices\", call: DrawIndexed(mesh: \"pack[1]\")",
                "index_buffer: \"pack.indices\", call: DrawIndexed(indices: 6)",
                "index_buffer: \"pack.indices\", call: DrawIndexed(indices: 99)",
                "index_buffer: \"pack.indices\", call: DrawIndexedIndirect(args: \"pack.draws\", count: 2)",
                "call: Draw(vertices: 28)",
                "call: DrawIndexedIndirect(args: \"pack.draws\", count: 2)",
            ])
        } else {
            self.random.one(&[
                "call: Draw(vertices: 3)",
                "call: Draw(vertices: 3)",
                "call: Draw(vertices: 3, instances: 2, first_instance: 1)",
                "call: DrawIndirect(args: \"args\", count: 2)",
                "call: DrawIndirect(args: \"args[1]\")",
                "call: Draw(vertices: 3)",
            ])
        };
        let state = self.random.one(&STATES);
        format!("({shader}, {call}{state})")
    }
}

fn is_float(format: &str) -> bool {
    !format.ends_with("Uint") && !format.starts_with("Depth")
}

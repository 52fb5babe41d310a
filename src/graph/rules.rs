//! Faults that are found while names, sizes and bindings are worked out.

use crate::diagnostic::{Rule, rule};

rule! {
    /// ## What it does
    /// Finds references whose name no resource of the file has.
    ///
    /// ## Why is this bad?
    /// The pass cannot be bound. An included file sees its own names only, nothing of its includer.
    ///
    /// ## Example
    /// ```text
    /// ClearBuffer(target: "cuonts")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// ClearBuffer(target: "counts")
    /// ```
    pub UNKNOWN_RESOURCE = Error "unknown-resource": "a reference names no resource of its file";

    /// ## What it does
    /// Finds names, fields and functions in expressions that mean nothing in their file.
    ///
    /// ## Why is this bad?
    /// The value cannot be worked out.
    ///
    /// ## Example
    /// ```text
    /// count: "instnaces"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// count: "instances"
    /// ```
    pub UNKNOWN_NAME = Error "unknown-name": "an expression names nothing that is known";

    /// ## What it does
    /// Finds entries of `after` that no pass, Include or Repeat of the file is called.
    ///
    /// ## Why is this bad?
    /// The order that was meant does not hold.
    ///
    /// ## Example
    /// ```text
    /// after: ["scater"]
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// after: ["scatter"]
    /// ```
    pub UNKNOWN_PASS = Error "unknown-pass": "`after` names no pass of its file";

    /// ## What it does
    /// Finds keys of `bind` that are no variable with a group and binding in the shader.
    ///
    /// ## Why is this bad?
    /// What was meant to be bound is not.
    ///
    /// ## Example
    /// ```text
    /// bind: { "flag": "flags" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "flags": "flags" }
    /// ```
    pub UNKNOWN_VARIABLE = Error "unknown-variable": "`bind` names a variable that the shader lacks";

    /// ## What it does
    /// Finds keys of `set` that are no override, no uniform member and, in an Include, no param of the included graph.
    ///
    /// ## Why is this bad?
    /// The value goes nowhere.
    ///
    /// ## Example
    /// ```text
    /// set: { "shfit": 4 }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// set: { "shift": 4 }
    /// ```
    pub UNKNOWN_VALUE = Error "unknown-value": "`set` names nothing that takes a value";

    /// ## What it does
    /// Finds keys of `bind` in an Include that are no port of the included graph.
    ///
    /// ## Why is this bad?
    /// What was meant to be given is not.
    ///
    /// ## Example
    /// ```text
    /// bind: { "flag": "flags" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "flags": "flags" }
    /// ```
    pub UNKNOWN_PORT = Error "unknown-port": "`bind` of an Include names a port that the graph lacks";

    /// ## What it does
    /// Finds names in `requires` that are no device feature.
    ///
    /// ## Why is this bad?
    /// The graph would never run, or run where it cannot.
    ///
    /// ## Example
    /// ```text
    /// requires: [Subgroups]
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// requires: [Subgroup]
    /// ```
    pub UNKNOWN_FEATURE = Error "unknown-feature": "`requires` names a feature that does not exist";

    /// ## What it does
    /// Finds variables used by an entry point that `bind` leaves out while no resource has their name.
    ///
    /// ## Why is this bad?
    /// The pass cannot run.
    ///
    /// ## Example
    /// ```text
    /// bind: {}
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "src": "hdr" }
    /// ```
    pub UNBOUND_VARIABLE = Error "unbound-variable": "a variable that the shader uses is bound to nothing";

    /// ## What it does
    /// Finds overrides without a default and members of unbound uniform structs for which neither `set` nor a param or Repeat variable of their name gives a value.
    ///
    /// ## Why is this bad?
    /// The shader would read zeros, or not compile.
    ///
    /// ## Example
    /// ```text
    /// set: {}
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// set: { "shift": "4 * d" }
    /// ```
    pub MISSING_VALUE = Error "missing-value": "an override or uniform member has no value";

    /// ## What it does
    /// Finds structs bound to a Uniform that name members which the Uniform does not give.
    ///
    /// ## Why is this bad?
    /// The shader would read zeros.
    ///
    /// ## Example
    /// ```text
    /// "view": Uniform({ "view_proj": "camera.view_proj" })
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "view": Uniform({ "view_proj": "camera.view_proj", "time": "frame.time" })
    /// ```
    pub MISSING_MEMBER = Error "missing-member": "a Uniform lacks a member that a shader's struct has";

    /// ## What it does
    /// Finds ports that an Include's `bind` leaves out while the includer has no resource of their name.
    ///
    /// ## Why is this bad?
    /// The included passes have nothing to work on.
    ///
    /// ## Example
    /// ```text
    /// Include(graph: "blur.ron")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Include(graph: "blur.ron", bind: { "image": "color" })
    /// ```
    pub MISSING_PORT = Error "missing-port": "a port of an included graph is bound to nothing";

    /// ## What it does
    /// Finds buffers where textures are needed, packs of meshes used whole, values used as resources, and suffixes that do not apply.
    ///
    /// ## Why is this bad?
    /// The pass cannot be bound.
    ///
    /// ## Example
    /// ```text
    /// vertex_buffers: ["props"]
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// vertex_buffers: ["props.vertices"]
    /// ```
    pub WRONG_KIND = Error "wrong-kind": "a reference names something of another kind than is needed";

    /// ## What it does
    /// Finds operands, arguments and values whose types do not go together, and values that do not fit the WGSL type they go to.
    ///
    /// ## Why is this bad?
    /// Integers go to i32, u32 and f32, floats to f32, bools to u32; nothing else is converted.
    ///
    /// ## Example
    /// ```text
    /// "batch": "0.5"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "batch": "draw_index"
    /// ```
    pub TYPE_MISMATCH = Error "type-mismatch": "a value has another type than is needed";

    /// ## What it does
    /// Finds overflow, division by zero and arguments out of range, in constants and with the inputs of the first frame.
    ///
    /// ## Why is this bad?
    /// Sizes would be wrong.
    ///
    /// ## Example
    /// ```text
    /// count: "n / 0"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// count: "ceil_div(n, 2)"
    /// ```
    pub ARITHMETIC = Error "arithmetic": "an expression has no value";

    /// ## What it does
    /// Finds sizes, counts, paths, overrides and conditions of draws that read `camera`, `frame`, `age` or `draw_index`.
    ///
    /// ## Why is this bad?
    /// The plan is made before the frame.
    ///
    /// ## Example
    /// ```text
    /// items: "frame.index"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// when: "frame.index % 2 == 0"
    /// ```
    pub UNPLANNABLE_VALUE = Error "unplannable-value": "a value that must be known when planning changes from frame to frame";

    /// ## What it does
    /// Finds sizes, counts, indices and offsets below zero.
    ///
    /// ## Why is this bad?
    /// They count bytes, elements or texels.
    ///
    /// ## Example
    /// ```text
    /// count: -1
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// count: 1
    /// ```
    pub NEGATIVE_SIZE = Error "negative-size": "a size, count or offset is negative";

    /// ## What it does
    /// Finds numbers that do not fit 32 bits where WebGPU takes 32, products that overflow 64 bits, zero strides and depths outside of 0 to 1.
    ///
    /// ## Why is this bad?
    /// Nothing is wrapped or clamped silently.
    ///
    /// ## Example
    /// ```text
    /// count: 4294967295, stride: 8589934592
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// count: 1024, stride: 16
    /// ```
    pub NUMBER_RANGE = Error "number-range": "a number is out of the range of where it goes";

    /// ## What it does
    /// Finds values of `set` outside of the included param's `min` and `max`, or not among its choices.
    ///
    /// ## Why is this bad?
    /// The included graph was not made for them.
    ///
    /// ## Example
    /// ```text
    /// set: { "cascade": 7 }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// set: { "cascade": "c" }
    /// ```
    pub VALUE_RANGE = Error "value-range": "an Include sets a param outside of its range";

    /// ## What it does
    /// Finds copies larger than what they copy from or to, and scans into buffers shorter than their input.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses them.
    ///
    /// ## Example
    /// ```text
    /// size: (4096, 4096)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// size: (256, 256)
    /// ```
    pub RANGE = Error "range": "a copy or scan goes beyond its target";

    /// ## What it does
    /// Finds offsets and sizes of `ClearBuffer` and `CopyBuffer` that are no multiple of 4.
    ///
    /// ## Why is this bad?
    /// WebGPU clears and copies buffers in units of 4 bytes.
    ///
    /// ## Example
    /// ```text
    /// size: 6
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// size: 8
    /// ```
    pub COPY_ALIGNMENT = Error "copy-alignment": "bytes of a clear or copy are no multiple of 4";

    /// ## What it does
    /// Finds copies and scans from a buffer to itself.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses them.
    ///
    /// ## Example
    /// ```text
    /// CopyBuffer(source: "a", target: "a")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// CopyBuffer(source: "a", target: "b")
    /// ```
    pub COPY_WITHIN = Error "copy-within": "source and target are one resource";

    /// ## What it does
    /// Finds resources whose counts or sizes refer to each other in a circle.
    ///
    /// ## Why is this bad?
    /// There is no such size.
    ///
    /// ## Example
    /// ```text
    /// "a": Buffer(count: "len(b)"), "b": Buffer(count: "len(a)")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "a": Buffer(count: "n"), "b": Buffer(count: "len(a)")
    /// ```
    pub SIZE_CYCLE = Error "size-cycle": "the size of a resource hangs on itself";

    /// ## What it does
    /// Finds buffers with a `count` that no shader, vertex layout or call gives an element size, and lengths of buffers that state `size` alone.
    ///
    /// ## Why is this bad?
    /// Bytes are count times stride.
    ///
    /// ## Example
    /// ```text
    /// Buffer(count: 16)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Buffer(count: 16, stride: 4)
    /// ```
    pub UNKNOWN_STRIDE = Error "unknown-stride": "nothing says how large the elements of a buffer are";

    /// ## What it does
    /// Finds buffers whose stated stride no shader has, and buffers that shaders see with different element sizes while no stride is stated. A struct that holds a `vec3` is rounded up to 16 bytes: `{ vec3u, f32, u32 }` has a stride of 32.
    ///
    /// ## Why is this bad?
    /// Every element but the first would be read from the wrong place.
    ///
    /// ## Example
    /// ```text
    /// Buffer(count: 20, stride: 20)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Buffer(count: 20)
    /// ```
    pub STRIDE_MISMATCH = Error "stride-mismatch": "shaders and graph disagree on the size of an element";

    /// ## What it does
    /// Finds buffers whose `size` is below the shader's struct, rounded up as WGSL does, or below their initial contents.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses the binding.
    ///
    /// ## Example
    /// ```text
    /// Buffer(size: 148)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Buffer(count: 1)
    /// ```
    pub BINDING_SIZE = Error "binding-size": "a buffer is smaller than what is bound or put into it";

    /// ## What it does
    /// Finds buffers bound to texture variables, formats, sample types, view dimensions and numbers of mips or samples that the variable does not take.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses the binding.
    ///
    /// ## Example
    /// ```text
    /// bind: { "dst": "bloom" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "dst": "bloom.mip(0)" }
    /// ```
    pub BINDING_MISMATCH = Error "binding-mismatch": "a resource does not fit the variable it is bound to";

    /// ## What it does
    /// Finds binding arrays, acceleration structures and external textures.
    ///
    /// ## Why is this bad?
    /// The format has no resource for them.
    ///
    /// ## Example
    /// ```text
    /// var images: binding_array<texture_2d<f32>>;
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// var images: texture_2d_array<f32>;
    /// ```
    pub UNSUPPORTED_BINDING = Error "unsupported-binding": "a shader has a variable that no graph can bind";

    /// ## What it does
    /// Finds shaders without an entry point of the stage a pass needs, with several of which none is named, and names that no entry point has.
    ///
    /// ## Why is this bad?
    /// It is not clear what runs.
    ///
    /// ## Example
    /// ```text
    /// entry: "mian"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// entry: "main"
    /// ```
    pub ENTRY_POINT = Error "entry-point": "an entry point is missing or not unique";

    /// ## What it does
    /// Finds vertex inputs that nothing feeds or that are fed another scalar type, several vertex buffers of which one states no layout, and index buffers that are missing or not wanted.
    ///
    /// ## Why is this bad?
    /// The draw cannot be made.
    ///
    /// ## Example
    /// ```text
    /// vertex_buffers: []
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// vertex_buffers: ["props.vertices"]
    /// ```
    pub VERTEX_LAYOUT = Error "vertex-layout": "vertex inputs or index buffers do not fit a draw";

    /// ## What it does
    /// Finds attachments of different sizes or sample counts, formats that cannot be attached or blended, fragment outputs that do not fit, resolves and copies between formats.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses the pass.
    ///
    /// ## Example
    /// ```text
    /// depth: (target: "color")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// depth: (target: "depth")
    /// ```
    pub ATTACHMENT_MISMATCH = Error "attachment-mismatch": "attachments, outputs and formats of a pass do not go together";

    /// ## What it does
    /// Finds `.mip(e)`, `.layer(e)` and `mesh: x[e]` beyond what there is, and attachments or copies that name several mips or layers.
    ///
    /// ## Why is this bad?
    /// They count from 0.
    ///
    /// ## Example
    /// ```text
    /// target: "shadow"
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// target: "shadow.layer(0)"
    /// ```
    pub SUBRESOURCE_RANGE = Error "subresource-range": "a mip, layer or mesh is named that is not there, or one is needed and several are named";

    /// ## What it does
    /// Finds `.previous` of resources that are neither History nor a Uniform.
    ///
    /// ## Why is this bad?
    /// There is no such copy.
    ///
    /// ## Example
    /// ```text
    /// bind: { "old": "color.previous" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "color": Texture(…, lifetime: History)
    /// ```
    pub NO_PREVIOUS = Error "no-previous": "`.previous` of something that keeps no previous copy";

    /// ## What it does
    /// Finds Once passes that are given `camera.*`, `frame.*` or `age(…)`.
    ///
    /// ## Why is this bad?
    /// A Once pass belongs to no frame.
    ///
    /// ## Example
    /// ```text
    /// run: Once, set: { "t": "frame.time" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// run: Once, set: { "seed": 7 }
    /// ```
    pub ONCE_READS_FRAME = Error "once-reads-frame": "a Once pass reads what changes from frame to frame";

    /// ## What it does
    /// Finds In ports that are written, Out ports that are never written or read before they are written, and writes to last frame's copies.
    ///
    /// ## Why is this bad?
    /// The includer relies on the direction.
    ///
    /// ## Example
    /// ```text
    /// "list": In(Buffer())
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "list": Out(Buffer())
    /// ```
    pub PORT_DIRECTION = Error "port-direction": "a port is used against its direction";

    /// ## What it does
    /// Finds ports that are given a resource of another kind or format, and ports that state a lifetime.
    ///
    /// ## Why is this bad?
    /// The included graph was made for something else.
    ///
    /// ## Example
    /// ```text
    /// "image": In(Texture(format: R32Float))
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// "image": In(Texture())
    /// ```
    pub PORT_MISMATCH = Error "port-mismatch": "what is given to a port is not what it states";

    /// ## What it does
    /// Finds Includes of a file that is being included.
    ///
    /// ## Why is this bad?
    /// The frame would never end.
    ///
    /// ## Example
    /// ```text
    /// Include(graph: "self.ron")
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Repeat(var: "i", count: 4, passes: […])
    /// ```
    pub INCLUDE_CYCLE = Error "include-cycle": "graphs include each other in a circle";

    /// ## What it does
    /// Finds Repeats of more than 65,536 rounds, Includes nested more than 32 deep and frames of more than 200,000 passes.
    ///
    /// ## Why is this bad?
    /// A small file must not become an endless frame.
    ///
    /// ## Example
    /// ```text
    /// count: 4_000_000_000
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// count: 16
    /// ```
    pub EXPANSION_LIMIT = Error "expansion-limit": "a frame expands beyond a limit";

    /// ## What it does
    /// Finds Repeat variables with the name of a param, a resource or an outer Repeat variable.
    ///
    /// ## Why is this bad?
    /// Params, resources and Repeat variables of a file share one name space.
    ///
    /// ## Example
    /// ```text
    /// Repeat(var: "n", …)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Repeat(var: "i", …)
    /// ```
    pub SHADOWED_NAME = Error "shadowed-name": "a Repeat variable hides a name of its file";

    /// ## What it does
    /// Finds dispatches above the limit of workgroups in one dimension (65,535 by default) that cannot fold: in several dimensions, or with a shader that reads the first component of its id alone.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses them.
    ///
    /// ## Example
    /// ```text
    /// let i = id.x;
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// let i = linear_index(id, groups, WG_SIZE);
    /// ```
    pub DISPATCH_LIMIT = Error "dispatch-limit": "a dispatch has more workgroups than a dimension may have";

    /// ## What it does
    /// Finds resources that one dispatch or one render pass writes and uses in another way. Buffers count whole, textures per mip and layer.
    ///
    /// ## Why is this bad?
    /// WebGPU refuses them.
    ///
    /// ## Example
    /// ```text
    /// bind: { "src": "image", "dst": "image" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "src": "image.mip(0)", "dst": "image.mip(1)" }
    /// ```
    pub USAGE_CONFLICT = Error "usage-conflict": "one pass uses a resource in ways that exclude each other";

    /// ## What it does
    /// Finds dispatches and render passes that bind their own indirect arguments as writable storage.
    ///
    /// ## Why is this bad?
    /// Each dispatch is one usage scope: the arguments are read before it runs.
    ///
    /// ## Example
    /// ```text
    /// indirect: "args", bind: { "args": "args" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// two dispatches: one writes `args`, the next consumes it
    /// ```
    pub INDIRECT_WRITTEN = Error "indirect-written-in-same-dispatch": "a pass writes the indirect arguments that it consumes";

    /// ## What it does
    /// Finds resources that one pass binds to two writable variables. wgpu is silent about buffers, WebGPU forbids it.
    ///
    /// ## Why is this bad?
    /// What is read and written is not defined.
    ///
    /// ## Example
    /// ```text
    /// bind: { "a": "list", "b": "list" }
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// bind: { "a": "list", "b": "other" }
    /// ```
    pub ALIASED_WRITABLE = Error "aliased-writable": "one resource is writable through two variables";

    /// ## What it does
    /// Finds meshes with too few rings or segments, too many triangles, or in a file format that is not read.
    ///
    /// ## Why is this bad?
    /// There is no such mesh.
    ///
    /// ## Example
    /// ```text
    /// Sphere(rings: 1)
    /// ```
    ///
    /// ## Use instead
    /// ```text
    /// Sphere(rings: 12)
    /// ```
    pub MESH = Error "mesh": "a generated mesh has impossible measures";

}

/// All of them.
pub static ALL: &[&Rule] = &[
    &UNKNOWN_RESOURCE,
    &UNKNOWN_NAME,
    &UNKNOWN_PASS,
    &UNKNOWN_VARIABLE,
    &UNKNOWN_VALUE,
    &UNKNOWN_PORT,
    &UNKNOWN_FEATURE,
    &UNBOUND_VARIABLE,
    &MISSING_VALUE,
    &MISSING_MEMBER,
    &MISSING_PORT,
    &WRONG_KIND,
    &TYPE_MISMATCH,
    &ARITHMETIC,
    &UNPLANNABLE_VALUE,
    &NEGATIVE_SIZE,
    &NUMBER_RANGE,
    &VALUE_RANGE,
    &RANGE,
    &COPY_ALIGNMENT,
    &COPY_WITHIN,
    &SIZE_CYCLE,
    &UNKNOWN_STRIDE,
    &STRIDE_MISMATCH,
    &BINDING_SIZE,
    &BINDING_MISMATCH,
    &UNSUPPORTED_BINDING,
    &ENTRY_POINT,
    &VERTEX_LAYOUT,
    &ATTACHMENT_MISMATCH,
    &SUBRESOURCE_RANGE,
    &NO_PREVIOUS,
    &ONCE_READS_FRAME,
    &PORT_DIRECTION,
    &PORT_MISMATCH,
    &INCLUDE_CYCLE,
    &EXPANSION_LIMIT,
    &SHADOWED_NAME,
    &DISPATCH_LIMIT,
    &USAGE_CONFLICT,
    &INDIRECT_WRITTEN,
    &ALIASED_WRITABLE,
    &MESH,
];

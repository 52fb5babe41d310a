//! What reflection says of bindings, code, layouts, stages and constants.

use super::*;
use rondag::shader::{Entry, Global, GlobalKind, Interface, Layout, Scalar, Stage, Tail, Type, Use};
use wgpu_types as wgt;

fn interface(text: &str) -> Interface {
    good(text).1.interface.clone()
}

fn global<'a>(interface: &'a Interface, name: &str) -> &'a Global {
    interface.globals.iter().find(|global| global.name == name).expect("it is declared")
}

fn entry<'a>(interface: &'a Interface, name: &str) -> &'a Entry {
    interface.entries.iter().find(|entry| entry.name == name).expect("it is declared")
}

fn layout<'a>(interface: &'a Interface, name: &str) -> &'a Layout {
    match &global(interface, name).kind {
        GlobalKind::Uniform(layout) | GlobalKind::Storage { layout, .. } => layout,
        other => panic!("{name} has no layout: {other:?}"),
    }
}

/// `name rwas`, for read, written, accumulated, sampled; a `-` alone for neither.
fn uses(interface: &Interface, name: &str) -> Vec<String> {
    let flags = |used: &Use| {
        let set = [(used.read, 'r'), (used.write, 'w'), (used.accumulates, 'a'), (used.sampled, 's')];
        let text: String = set.iter().filter(|(set, _)| *set).map(|(_, flag)| *flag).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    };
    let show = |used: &Use| format!("{} {}", interface.globals[used.global].name, flags(used));
    entry(interface, name).uses.iter().map(show).collect()
}

const KINDS: &str = "
    struct S { a: vec4f }
    @group(0) @binding(0) var<uniform> u: S;
    @group(0) @binding(1) var<storage> sr: array<u32>;
    @group(0) @binding(2) var<storage, read_write> sw: array<u32>;
    @group(1) @binding(0) var t1: texture_1d<f32>;
    @group(1) @binding(1) var t2: texture_2d<i32>;
    @group(1) @binding(2) var t2a: texture_2d_array<u32>;
    @group(1) @binding(3) var t3: texture_3d<f32>;
    @group(1) @binding(4) var tc: texture_cube<f32>;
    @group(1) @binding(5) var tca: texture_cube_array<f32>;
    @group(1) @binding(6) var tm: texture_multisampled_2d<f32>;
    @group(1) @binding(7) var td: texture_depth_2d;
    @group(1) @binding(8) var tdm: texture_depth_multisampled_2d;
    @group(1) @binding(9) var tdc: texture_depth_cube;
    @group(2) @binding(0) var sa: sampler;
    @group(2) @binding(1) var sc: sampler_comparison;
    @group(2) @binding(2) var iw: texture_storage_2d<rgba8unorm, write>;
    @group(2) @binding(3) var ir: texture_storage_3d<r32uint, read>;
    @group(2) @binding(4) var irw: texture_storage_2d_array<r32float, read_write>;
    @group(2) @binding(5) var ia: texture_storage_1d<r32uint, atomic>;
";

#[test]
fn every_kind_of_binding() {
    use wgt::TextureViewDimension as View;
    use wgt::{StorageTextureAccess as Access, TextureFormat as Format, TextureSampleType as Sample};
    let interface = interface(KINDS);
    let places: Vec<(u32, u32)> = interface.globals.iter().map(|global| (global.group, global.binding)).collect();
    assert!(places.is_sorted() && places.len() == 19);
    let texture = |name: &str, view, sample, multisampled| {
        assert_eq!(global(&interface, name).kind, GlobalKind::Texture { view, sample, multisampled }, "{name}");
    };
    let unfiltered = Sample::Float { filterable: false };
    texture("t1", View::D1, unfiltered, false);
    texture("t2", View::D2, Sample::Sint, false);
    texture("t2a", View::D2Array, Sample::Uint, false);
    texture("t3", View::D3, unfiltered, false);
    texture("tc", View::Cube, unfiltered, false);
    texture("tca", View::CubeArray, unfiltered, false);
    texture("tm", View::D2, unfiltered, true);
    texture("td", View::D2, Sample::Depth, false);
    texture("tdm", View::D2, Sample::Depth, true);
    texture("tdc", View::Cube, Sample::Depth, false);
    let storage = |name: &str, view, format, access| {
        assert_eq!(global(&interface, name).kind, GlobalKind::StorageTexture { view, format, access }, "{name}");
    };
    storage("iw", View::D2, Format::Rgba8Unorm, Access::WriteOnly);
    storage("ir", View::D3, Format::R32Uint, Access::ReadOnly);
    storage("irw", View::D2Array, Format::R32Float, Access::ReadWrite);
    storage("ia", View::D1, Format::R32Uint, Access::Atomic);
    assert_eq!(global(&interface, "sa").kind, GlobalKind::Sampler { comparison: false });
    assert_eq!(global(&interface, "sc").kind, GlobalKind::Sampler { comparison: true });
    assert!(matches!(global(&interface, "u").kind, GlobalKind::Uniform(_)));
    assert!(matches!(global(&interface, "sr").kind, GlobalKind::Storage { declared_write: false, .. }));
    assert!(matches!(global(&interface, "sw").kind, GlobalKind::Storage { declared_write: true, .. }));
    assert_eq!(interface.features, wgt::Features::TEXTURE_ATOMIC);
}

#[test]
fn what_is_not_supported_is_named() {
    let interface = interface(
        "enable wgpu_binding_array;
        @group(0) @binding(0) var many: binding_array<texture_2d<f32>, 4>;
        @group(0) @binding(1) var outside: texture_external;",
    );
    assert_eq!(global(&interface, "outside").kind, GlobalKind::Unsupported("texture_external".to_owned()));
    assert!(
        matches!(&global(&interface, "many").kind, GlobalKind::Unsupported(name) if name.starts_with("binding_array"))
    );
}

#[test]
fn uses_are_what_the_code_does() {
    let interface = interface(
        "struct Args { index_count: u32, instance_count: atomic<u32> }
        struct List { count: atomic<u32>, items: array<u32> }
        @group(0) @binding(0) var<storage, read_write> in_: array<u32>;
        @group(0) @binding(1) var<storage, read_write> out: array<vec4f>;
        @group(0) @binding(2) var<storage, read_write> both: array<u32>;
        @group(0) @binding(3) var<storage, read_write> args: array<Args>;
        @group(0) @binding(4) var<storage, read_write> list: List;
        @group(0) @binding(5) var<storage, read_write> size_only: array<u32>;
        @group(0) @binding(6) var<storage, read_write> named_only: array<u32, 4>;
        @group(0) @binding(7) var<storage, read_write> unused: array<u32>;
        @group(0) @binding(8) var<storage, read_write> a: atomic<u32>;
        @group(0) @binding(9) var<storage, read_write> b: atomic<u32>;
        @group(0) @binding(10) var<storage, read_write> c: atomic<i32>;
        @group(0) @binding(11) var<storage, read_write> d: atomic<u32>;
        @group(0) @binding(12) var<storage, read_write> e: atomic<u32>;
        fn deep(i: u32) { out[i].y = f32(in_[i]); }
        fn deeper(i: u32) { deep(i); atomicAdd(&args[i].instance_count, 1u); }
        fn never() { unused[0] = 1u; }
        @compute @workgroup_size(64) fn through_calls(@builtin(global_invocation_id) id: vec3u) { deeper(id.x); }
        @compute @workgroup_size(64) fn direct(@builtin(global_invocation_id) id: vec3u) {
            if id.x < arrayLength(&size_only) { both[id.x] += 1u; }
            let p = &list.items[id.x];
            *p = id.x;
            let x = &named_only;
        }
        @compute @workgroup_size(1) fn atomics() {
            atomicStore(&a, 0u);
            _ = atomicLoad(&b);
            atomicMax(&c, 1);
            _ = atomicExchange(&d, 1u);
            _ = atomicCompareExchangeWeak(&e, 1u, 2u);
        }
        @compute @workgroup_size(1) fn nothing() {}",
    );
    assert_eq!(uses(&interface, "through_calls"), ["in_ r", "out w", "args rwa"]);
    assert_eq!(uses(&interface, "direct"), ["both rw", "list w", "size_only -", "named_only -"]);
    assert_eq!(uses(&interface, "atomics"), ["a w", "b r", "c rwa", "d rw", "e rwa"]);
    assert_eq!(uses(&interface, "nothing"), Vec::<String>::new());
    assert_eq!(interface.globals.len(), 13, "what no entry point uses is still declared");
}

#[test]
fn textures_are_followed_into_functions() {
    let interface = interface(
        "@group(0) @binding(0) var filtered: texture_2d<f32>;
        @group(0) @binding(1) var loaded: texture_2d<f32>;
        @group(0) @binding(2) var smooth_: sampler;
        @group(0) @binding(3) var target_: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(4) var sized: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(5) var updated: texture_storage_2d<r32uint, read_write>;
        @group(0) @binding(6) var shadow: texture_depth_2d;
        @group(0) @binding(7) var compare: sampler_comparison;
        fn look(t: texture_2d<f32>, s: sampler, uv: vec2f) -> vec4f { return textureSampleLevel(t, s, uv, 0.0); }
        fn fetch(t: texture_2d<f32>) -> vec4f { return textureLoad(t, vec2u(0u), 0); }
        fn put(a: texture_2d<f32>) { textureStore(target_, vec2u(0u), look(a, smooth_, vec2f(0.5)) + fetch(loaded)); }
        @compute @workgroup_size(1) fn main() {
            put(filtered);
            let size = textureDimensions(sized);
            textureStore(updated, vec2u(0u), textureLoad(updated, vec2u(size)) + 1u);
        }
        @fragment fn shade() -> @location(0) vec4f {
            return vec4f(textureSampleCompareLevel(shadow, compare, vec2f(0.5), 0.5));
        }",
    );
    assert_eq!(
        uses(&interface, "main"),
        ["filtered rs", "loaded r", "smooth_ r", "target_ w", "sized -", "updated rw"]
    );
    assert_eq!(uses(&interface, "shade"), ["shadow rs", "compare r"]);
    let sample = |name: &str| match global(&interface, name).kind {
        GlobalKind::Texture { sample, .. } => sample,
        _ => panic!("a texture"),
    };
    assert_eq!(sample("filtered"), wgt::TextureSampleType::Float { filterable: true });
    assert_eq!(sample("loaded"), wgt::TextureSampleType::Float { filterable: false });
    assert_eq!(sample("shadow"), wgt::TextureSampleType::Depth);
}

/// BR-046 and its relatives.
#[test]
fn layouts_are_those_of_wgsl() {
    let text = "
        struct Padded { p: vec3u, f: f32, u: u32 }
        struct Object { place: vec4f, bounds: vec4f, batch: u32 }
        struct Inner { m: mat3x3f, a: array<vec4f, 3> }
        struct View { @size(32) first: f32, inner: Inner, @align(64) last: vec3f }
        struct List { count: atomic<u32>, pad: array<u32, 3>, items: array<Object> }
        @group(0) @binding(0) var<storage> padded: array<Padded>;
        @group(0) @binding(1) var<uniform> view: View;
        @group(0) @binding(2) var<storage, read_write> list: List;
        @group(0) @binding(3) var<storage> matrices: array<mat4x4f, 4>;
        @group(0) @binding(4) var<storage, read_write> one: vec3u;
        @group(0) @binding(5) var<storage> pairs: array<vec2u>;";
    let (files, shader) = good(text);
    let interface = &shader.interface;
    let padded = layout(interface, "padded");
    assert_eq!((padded.name.as_str(), padded.size, padded.align), ("array<Padded>", 32, 16));
    assert_eq!(padded.tail, Some(Tail { offset: 0, stride: 32 }));
    let Type::Struct { name, members, size } = &padded.element else { panic!("a struct: {:?}", padded.element) };
    let offsets: Vec<(&str, u32)> = members.iter().map(|member| (member.name.as_str(), member.offset)).collect();
    assert_eq!((name.as_str(), *size), ("Padded", 32));
    assert_eq!(offsets, [("p", 0), ("f", 12), ("u", 16)]);
    assert_eq!(padded.members, Vec::new(), "an array has elements");
    assert_eq!(files.text(members[1].span), "f");
    assert_eq!(files.place(members[1].span), "shaders/x.wgsl:2:35");

    let view = layout(interface, "view");
    let offsets: Vec<(&str, u32)> = view.members.iter().map(|member| (member.name.as_str(), member.offset)).collect();
    assert_eq!(offsets, [("first", 0), ("inner", 32), ("last", 128)]);
    assert_eq!((view.size, view.tail), (192, None));
    let Type::Struct { members: inner, .. } = &view.members[1].ty else { panic!("a struct") };
    assert_eq!(inner[0].ty, Type::Matrix { columns: 3, rows: 3, scalar: Scalar::F32 });
    assert_eq!(
        inner[1].ty,
        Type::Array { of: Box::new(Type::Vector { size: 4, scalar: Scalar::F32 }), count: Some(3), stride: 16 }
    );
    assert_eq!(inner[1].offset, 48);

    let list = layout(interface, "list");
    assert_eq!((list.name.as_str(), list.tail, list.size), ("List", Some(Tail { offset: 16, stride: 48 }), 64));
    assert!(matches!(&list.element, Type::Struct { name, .. } if name == "Object"));
    assert_eq!(list.members[0].ty, Type::Atomic(Scalar::U32));
    assert!(matches!(&list.members[2].ty, Type::Array { count: None, stride: 48, .. }));

    let matrices = layout(interface, "matrices");
    assert_eq!((matrices.name.as_str(), matrices.size, matrices.tail), ("array<mat4x4f, 4>", 256, None));
    assert_eq!(layout(interface, "one").size, 12);
    assert_eq!(layout(interface, "one").element, Type::Vector { size: 3, scalar: Scalar::U32 });
    assert_eq!(layout(interface, "pairs").name, "array<vec2u>");
}

#[test]
fn stages_and_what_goes_in_and_out() {
    let text = "
        struct In { @location(2) uv: vec2f, @builtin(vertex_index) i: u32, @location(0) position: vec3f }
        struct Mid { @builtin(position) position: vec4f, @location(0) color: vec4f, @location(1) @interpolate(flat) id: u32 }
        struct Out { @location(1) id: u32, @location(0) color: vec4f, @builtin(frag_depth) depth: f32 }
        @vertex fn vs(in: In, @location(1) normal: vec3f) -> Mid { return Mid(vec4f(in.position, 1), vec4f(normal, in.uv.x), in.i); }
        @fragment fn fs(mid: Mid) -> Out { return Out(mid.id, mid.color, 0.5); }
        @fragment fn plain() -> @location(0) vec2i { return vec2i(1); }
        @vertex fn point() -> @builtin(position) vec4f { return vec4f(); }";
    let (files, shader) = good(text);
    let interface = &shader.interface;
    let names: Vec<(&str, Stage)> = interface.entries.iter().map(|entry| (entry.name.as_str(), entry.stage)).collect();
    assert_eq!(
        names,
        [("vs", Stage::Vertex), ("fs", Stage::Fragment), ("plain", Stage::Fragment), ("point", Stage::Vertex)]
    );
    let varyings = |list: &[rondag::shader::Varying]| -> Vec<String> {
        list.iter()
            .map(|v| format!("{} {} {:?}x{} {}", v.location, v.name, v.scalar, v.size, files.text(v.span)))
            .collect()
    };
    assert_eq!(
        varyings(&entry(interface, "vs").inputs),
        ["0 position F32x3 position", "1 normal F32x3 normal", "2 uv F32x2 uv"]
    );
    assert_eq!(varyings(&entry(interface, "vs").outputs), ["0 color F32x4 color", "1 id U32x1 id"]);
    assert_eq!(varyings(&entry(interface, "fs").outputs), ["0 color F32x4 color", "1 id U32x1 id"]);
    assert_eq!(varyings(&entry(interface, "plain").outputs), ["0  I32x2 plain"]);
    assert!(entry(interface, "fs").writes_depth);
    assert!(!entry(interface, "plain").writes_depth);
    assert_eq!(files.place(entry(interface, "fs").span), "shaders/x.wgsl:6:22");
    assert_eq!(files.text(entry(interface, "point").span), "point");
}

#[test]
fn workgroup_memory_is_counted_as_webgpu_counts_it() {
    let interface = interface(
        "var<workgroup> a: u32;
        var<workgroup> b: array<vec3f, 3>;
        var<workgroup> c: array<u32, 256>;
        var<private> d: array<u32, 99>;
        fn inner() { c[0] = 1u; }
        @compute @workgroup_size(8, 4, 2) fn main() { a = 1u; b[1] = vec3f(); inner(); d[0] = 1u; }
        @compute @workgroup_size(256) fn small() { a = 1u; }
        @compute @workgroup_size(1) fn none() {}",
    );
    assert_eq!(entry(&interface, "main").workgroup_bytes, 16 + 48 + 1024);
    assert_eq!(entry(&interface, "main").workgroup_size, [8, 4, 2]);
    assert_eq!(entry(&interface, "small").workgroup_bytes, 16);
    assert_eq!(entry(&interface, "none").workgroup_bytes, 0);
}

#[test]
fn overrides_and_what_they_change() {
    let (files, shader) = good(
        "override WIDTH: u32 = 64u;
        @id(7) override scale: f32;
        override glossy: bool = true;
        override offset: i32 = -1;
        override twice: u32 = WIDTH * 2u;
        override unused = 1.5;
        var<workgroup> shared_: array<u32, twice>;
        @group(0) @binding(0) var<storage, read_write> out: array<f32>;
        fn scaled(x: f32) -> f32 { return x * scale; }
        @compute @workgroup_size(WIDTH, 2) fn sized() { shared_[0] = 1u; }
        @compute @workgroup_size(4) fn reads() { if glossy { out[0] = scaled(f32(offset)); } }",
    );
    let interface = &shader.interface;
    let overrides: Vec<_> = interface
        .overrides
        .iter()
        .map(|o| (o.key.as_str(), o.name.as_str(), o.ty, o.has_default, files.text(o.span)))
        .collect();
    assert_eq!(
        overrides,
        [
            ("WIDTH", "WIDTH", Scalar::U32, true, "WIDTH"),
            ("7", "scale", Scalar::F32, false, "scale"),
            ("glossy", "glossy", Scalar::Bool, true, "glossy"),
            ("offset", "offset", Scalar::I32, true, "offset"),
            ("twice", "twice", Scalar::U32, true, "twice"),
            ("unused", "unused", Scalar::F32, true, "unused"),
        ]
    );
    let names = |name: &str| -> Vec<&str> {
        entry(interface, name).overrides.iter().map(|at| interface.overrides[*at].name.as_str()).collect()
    };
    assert_eq!(names("sized"), ["WIDTH", "twice"]);
    assert_eq!(names("reads"), ["scale", "glossy", "offset"]);
    assert_eq!(entry(interface, "sized").workgroup_size, [64, 2, 1]);
    assert_eq!(entry(interface, "sized").workgroup_bytes, 512);
    let with = |constants: &[(&str, f64)]| {
        let constants: Vec<(String, f64)> = constants.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
        shader.workgroup_with(0, &constants)
    };
    assert_eq!(with(&[]), Ok(([64, 2, 1], 512)));
    assert_eq!(with(&[("WIDTH", 128.0)]), Ok(([128, 2, 1], 1024)));
    assert_eq!(with(&[("WIDTH", 32.0), ("twice", 4.0), ("7", 1.0)]), Ok(([32, 2, 1], 16)));
    assert!(with(&[("WIDTH", 0.0)]).is_err());
    assert!(with(&[("WIDTH", -1.0)]).is_err());
    assert!(with(&[("WIDTH", f64::NAN)]).is_err());
    assert!(with(&[("WITH", 1.0)]).is_err());
    assert_eq!(shader.workgroup_size_with(1, &[("7".to_owned(), 2.0)]), Ok([4, 1, 1]));
    assert!(shader.workgroup_size_with(1, &[]).is_err(), "`scale` has no default");
}

#[test]
fn folding_needs_the_number_of_workgroups_and_more_than_x() {
    let interface = interface(
        "struct Ids { @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u }
        fn index(id: vec3u, n: vec3u) -> u32 { return id.x + id.y * n.x * 64u; }
        fn group(ids: Ids) -> u32 { return ids.group.x + ids.group.y * ids.groups.x; }
        var<private> p: u32;
        @compute @workgroup_size(64) fn by_helper(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { p = index(id, n); }
        @compute @workgroup_size(64) fn by_hand(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { p = id.x + id.y * n.x; }
        @compute @workgroup_size(64) fn by_struct(ids: Ids) { p = ids.group.x + ids.group.y * ids.groups.x; }
        @compute @workgroup_size(64) fn whole_struct(ids: Ids) { p = group(ids); }
        @compute @workgroup_size(64) fn swizzled(@builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { let g = id.xy; p = g.y * n.x; }
        @compute @workgroup_size(64) fn only_x(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { p = id.x * n.x; }
        @compute @workgroup_size(64) fn no_count(@builtin(global_invocation_id) id: vec3u) { p = id.x + id.y; }
        @compute @workgroup_size(64) fn count_unused(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { p = id.x + id.y; }
        @compute @workgroup_size(64) fn struct_x(ids: Ids) { p = ids.group.x * ids.groups.x; }
        @compute @workgroup_size(64) fn local(@builtin(local_invocation_id) id: vec3u, @builtin(num_workgroups) n: vec3u) { p = id.y * n.x; }",
    );
    let folding: Vec<&str> = interface.entries.iter().filter(|e| e.folds).map(|e| e.name.as_str()).collect();
    assert_eq!(folding, ["by_helper", "by_hand", "by_struct", "whole_struct", "swizzled"]);
}

#[test]
fn features_are_the_fewest_that_will_do() {
    use wgt::Features;
    let compute = |body: &str| format!("var<private> p: u32; @compute @workgroup_size(32) fn main() {{ {body} }}");
    for (text, features) in [
        (compute("p = 1u;"), Features::empty()),
        (compute("p = subgroupAdd(1u);"), Features::SUBGROUP),
        ("enable subgroups;\n".to_owned() + &compute("p = subgroupAdd(1u);"), Features::SUBGROUP),
        ("enable subgroups;\n".to_owned() + &compute("p = 1u;"), Features::SUBGROUP),
        (compute("subgroupBarrier();"), Features::SUBGROUP | Features::SUBGROUP_BARRIER),
        ("enable f16;\n".to_owned() + &compute("p = u32(1h);"), Features::SHADER_F16),
        (compute("var x = 1lf; p = u32(x);"), Features::SHADER_F64),
        (compute("var x = 1li; p = u32(x);"), Features::SHADER_INT64),
        (
            "enable f16;\n".to_owned() + &compute("var x = 1lu; p = subgroupAdd(u32(1h)) + u32(x);"),
            Features::SHADER_F16 | Features::SUBGROUP | Features::SHADER_INT64,
        ),
        ("var<immediate> i: u32;".to_owned(), Features::IMMEDIATES),
        (
            "@group(0) @binding(0) var t: texture_storage_2d<rgba16unorm, write>;".to_owned(),
            Features::TEXTURE_FORMAT_16BIT_NORM,
        ),
    ] {
        assert_eq!(interface(&text).features, features, "{text}");
    }
}

#[test]
fn places_of_names_lead_into_the_file_that_declares_them() {
    let (files, shader, found) = load(&[
        ("x.wgsl", "#import \"view.wgsl\"\n@compute @workgroup_size(1) fn main() { _ = view.eye; }\n"),
        ("lib/view.wgsl", "// €\nstruct View { eye: vec3f }\n  @group(0) @binding(0) var<uniform> view: View;\n"),
    ]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    let interface = &shader.expect("a good shader").interface;
    assert_eq!(files.place(interface.globals[0].span), "shaders/lib/view.wgsl:3:38");
    assert_eq!(files.place(layout(interface, "view").members[0].span), "shaders/lib/view.wgsl:2:15");
    assert_eq!(files.place(interface.entries[0].span), "shaders/x.wgsl:2:32");
}

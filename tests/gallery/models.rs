//! Meshes and tables from files: what is shipped, what is odd, what is broken.

use std::path::Path;

use base64::Engine as _;
use rondag::graph::mesh::{Mesh, load};
use rondag::graph::{Initial, Library, ResourceKind, Settings, resolve};
use rondag::source::{Files, Memory};

use super::golden;
use super::modelling::{glb, models};
use crate::running::{frame, picture, program, words};

fn read(path: &str, bytes: &[u8]) -> Result<Vec<Mesh>, String> {
    let files = Files::new(Memory([(path.to_owned(), bytes.to_vec())].into()));
    load(&files, path).map(|meshes| meshes.to_vec()).map_err(|why| why.to_string())
}

#[test]
fn models_are_what_their_maker_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    for (name, bytes) in models() {
        let path = folder.join(name);
        if std::env::var_os("RONDAG_BLESS").is_some() {
            std::fs::write(&path, &bytes).expect("a place for it");
        }
        let is = std::fs::read(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert!(is == bytes, "{name} is not what tests/gallery/modelling.rs makes");
        assert!(bytes.len() < 60 << 10, "{name} has {} bytes", bytes.len());
    }
}

#[test]
fn the_picture_is_golden() {
    let mut program = program("", "graphs/models.ron", [480, 270], &[], &["vases", "knots", "vase.bounds"]);
    let camera = program.graph().camera;
    frame(&mut program, 0, &camera);
    golden("models", &picture(&program));
    let floats = |name: &str| words(&program, name).into_iter().map(f32::from_bits).collect::<Vec<f32>>();
    assert_eq!((floats("vases").len(), floats("knots").len()), (16 * 8, 6 * 8));
    assert_eq!(floats("knots")[3..8], [0.35, 0.92, 0.58, 0.16, 1.0]);
    assert_eq!(floats("vases")[8 + 7], 1.09, "the scale of the second row");
    let bounds = floats("vase.bounds");
    assert_eq!(bounds.len(), 3 * 8);
    assert!((bounds[1] - bounds[5]).abs() < 0.01 && (bounds[1] + bounds[5] - 1.0).abs() < 0.01, "{bounds:?}");
}

/// A file with one buffer in it.
struct Sample {
    nodes: &'static str,
    primitive: String,
    accessors: String,
    data: Vec<u8>,
}

const PLAIN: &str = r#"{"mesh":0}"#;

impl Sample {
    /// A square of four corners in the plane z = 0, facing +z.
    fn square() -> Self {
        let corners: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
        let mut data: Vec<u8> = bytemuck::cast_slice(&corners).to_vec();
        data.extend(bytemuck::cast_slice::<u16, u8>(&[0, 1, 2, 2, 1, 3]));
        Self {
            nodes: PLAIN,
            primitive: r#""attributes":{"POSITION":0},"indices":1"#.to_owned(),
            accessors: r#"{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
                {"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}"#
                .to_owned(),
            data,
        }
    }

    fn text(&self, buffer: &str) -> String {
        let Self { nodes, primitive, accessors, data } = self;
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
            "meshes":[{{"primitives":[{{{primitive}}}]}}],"accessors":[{accessors}],
            "bufferViews":[{{"buffer":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":{}}}],
            "buffers":[{{{buffer}"byteLength":{}}}]}}"#,
            data.len() - 48,
            data.len()
        )
    }

    fn read(&self) -> Result<Vec<Mesh>, String> {
        read("a.glb", &glb(&self.text(""), &self.data))
    }
}

fn positions(mesh: &Mesh) -> Vec<[f32; 3]> {
    mesh.indices.iter().map(|index| mesh.vertices[*index as usize].position).collect()
}

#[test]
fn buffers_come_from_inside_beside_and_within_the_text() {
    let square = Sample::square();
    let inside = square.read().expect("sound");
    assert_eq!(inside[0].indices, [0, 1, 2, 2, 1, 3]);
    assert!(inside[0].vertices.iter().all(|v| v.normal == [0.0, 0.0, 1.0]), "normals are computed");
    let coded = base64::engine::general_purpose::STANDARD.encode(&square.data);
    let uri = format!(r#""uri":"data:application/octet-stream;base64,{coded}","#);
    assert_eq!(read("a.gltf", square.text(&uri).as_bytes()), Ok(inside.clone()));
    let beside = |uri: &str, path: &str| {
        let text = square.text(&format!(r#""uri":"{uri}","#));
        let all = [("m/a.gltf".to_owned(), text.into_bytes()), (path.to_owned(), square.data.clone())];
        load(&Files::new(Memory(all.into())), "m/a.gltf").map(|meshes| meshes.to_vec()).map_err(|why| why.to_string())
    };
    assert_eq!(beside("a%20b.bin", "m/a b.bin"), Ok(inside.clone()));
    assert_eq!(beside("../a.bin", "a.bin"), Ok(inside));
    for outside in ["../../a.bin", "/etc/passwd", "https://example.org/a.bin"] {
        let why = beside(outside, "a.bin").expect_err("outside");
        assert!(why.starts_with("mesh file `m/a.gltf` needs a buffer, but") && why.contains("outside"), "{why}");
    }
    assert!(beside("b.bin", "a.bin").is_err_and(|why| why.contains("`m/b.bin` does not exist")));
}

#[test]
fn nodes_place_what_they_hold() {
    let made = |nodes| Sample { nodes, ..Sample::square() }.read().expect("sound").remove(0);
    let moved = made(r#"{"children":[1],"translation":[5,0,0]},{"mesh":0,"scale":[2,1,1]}"#);
    assert_eq!(positions(&moved)[1], [7.0, 0.0, 0.0]);
    let mirrored = made(r#"{"mesh":0,"scale":[-1,1,1]}"#);
    assert_eq!(mirrored.indices, [0, 2, 1, 2, 3, 1], "the winding turns round");
    assert!(mirrored.vertices.iter().all(|v| v.normal == [0.0, 0.0, 1.0]), "and faces where it did");
    assert!(Sample { nodes: r#"{"mesh":0,"children":[0]}"#, ..Sample::square() }.read().is_err());
}

/// A slope of 45° that is stretched along x: the normal leans the other way.
#[test]
fn normals_stay_upright_under_uneven_scales() {
    let normal = [-std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2, 0.0];
    let mut slope = Sample::square();
    slope.nodes = r#"{"mesh":0,"scale":[3,-1,1]}"#;
    slope.data.extend(bytemuck::cast_slice::<f32, u8>(&[normal; 4].concat()));
    slope.primitive = r#""attributes":{"POSITION":0,"NORMAL":2},"indices":1"#.to_owned();
    slope.accessors += r#",{"bufferView":1,"byteOffset":12,"componentType":5126,"count":4,"type":"VEC3"}"#;
    let mesh = slope.read().expect("sound").remove(0);
    let length = (1.0f32 / 9.0 + 1.0).sqrt();
    for vertex in &mesh.vertices {
        let off = (vertex.normal[0] + 1.0 / 3.0 / length).abs() + (vertex.normal[1] + 1.0 / length).abs();
        assert!(off < 1e-6, "{:?}", vertex.normal);
    }
}

#[test]
fn strips_and_fans_become_lists() {
    let of = |mode: u32| {
        let mut sample = Sample::square();
        sample.primitive = format!(r#""attributes":{{"POSITION":0}},"mode":{mode}"#);
        sample.read()
    };
    assert_eq!(of(5).expect("a strip")[0].indices, [0, 1, 2, 2, 1, 3]);
    assert_eq!(of(6).expect("a fan")[0].indices, [0, 1, 2, 0, 2, 3]);
    for mode in [0, 1, 2, 3] {
        assert!(of(mode).is_err_and(|why| why.ends_with("in primitive 0 of mesh 0; a pack of meshes holds triangles")));
    }
    assert!(of(4).is_err_and(|why| why.contains("has 4 indices")));
}

#[test]
fn sparse_and_absent_data_is_filled_in() {
    let mut sample = Sample::square();
    sample.data.extend([2, 0, 0, 0]);
    sample.data.extend(bytemuck::cast_slice::<f32, u8>(&[0.0, 9.0, 0.0]));
    let sparse = r#""count":4,"type":"VEC3","componentType":5126,"min":[0,0,0],"max":[1,9,0],"sparse":{"count":1,
        "indices":{"bufferView":1,"byteOffset":12,"componentType":5125},"values":{"bufferView":1,"byteOffset":16}}"#;
    let index = r#"{"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}"#;
    sample.accessors = format!(r#"{{"bufferView":0,{sparse}}},{index}"#);
    assert_eq!(sample.read().expect("sound")[0].vertices[2].position, [0.0, 9.0, 0.0]);
    sample.accessors = format!("{{{sparse}}},{index}");
    let zeros = sample.read().expect("sound");
    assert_eq!(zeros[0].vertices.iter().filter(|v| v.position == [0.0; 3]).count(), 3, "without a view all is zero");
}

#[test]
fn what_is_broken_is_said() {
    let with = |change: fn(&mut Sample)| {
        let mut sample = Sample::square();
        change(&mut sample);
        sample.read().expect_err("broken")
    };
    for (why, says) in [
        (with(|s| s.data[48] = 9), "names vertex 9 in primitive 0 of mesh 0, which has 4"),
        (with(|s| s.data[12..16].copy_from_slice(&f32::NAN.to_le_bytes())), "vertex 1 of primitive 0 of mesh 0"),
        (
            with(|s| s.accessors = s.accessors.replace("5126,\"count\":4", "5126,\"count\":5")),
            "reaches beyond buffer view 0",
        ),
        (
            with(|s| s.accessors = s.accessors.replace("\"count\":4", "\"count\":4294967295")),
            "more than 4194304 vertices",
        ),
        (with(|s| s.accessors = s.accessors.replace("5123", "5126")), "indices of Scalar F32"),
        (with(|s| s.primitive = r#""attributes":{},"indices":1"#.to_owned()), "POSITION"),
        (read("a.obj", b"v 0 0 0\nv 1 0 0\nl 1 2\n").expect_err("lines"), "has no triangles"),
        (read("a.obj", b"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n").expect_err("not a number"), "not finite"),
        (read("a.obj", b"v 0 0 0\nf 1 2 3\n").expect_err("out of range"), "cannot be read"),
        (read("a.fbx", b"").expect_err("unknown"), "`.glb`, `.gltf` or `.obj`"),
        (read("a.obj", b"").expect_err("empty"), "has no triangles"),
        (read("a.glb", b"").expect_err("empty"), "cannot be read"),
    ] {
        assert!(why.starts_with("mesh file `a.") && why.contains(says), "{why}\nshould say: {says}");
    }
}

#[test]
fn quads_of_obj_get_normals_and_upright_textures() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 1\nvt 1 0.25\no a\nf 1/1 2/2 3/1 4/1\no b\nf -4/1 -3/1 -2/1\n";
    let meshes = read("a.obj", text.as_bytes()).expect("sound");
    assert_eq!(meshes.iter().map(|mesh| mesh.indices.len()).collect::<Vec<_>>(), [6, 3]);
    assert!(meshes[0].vertices.iter().all(|v| v.normal == [0.0, 0.0, 1.0]));
    assert_eq!(meshes[0].vertices[1].uv, [1.0, 0.75], "v counts downwards");
}

#[test]
fn truncated_and_mutated_files_are_refused_or_read() {
    let mut state = 7u32;
    let mut random = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 8) as usize
    };
    for (name, bytes) in models().into_iter().filter(|(name, _)| !name.contains("vases") && !name.contains("knots")) {
        let step = if name.ends_with("glb") { 16 } else { 997 };
        for length in (0..bytes.len()).step_by(step) {
            let short = read(name, &bytes[..length]);
            assert!(short.is_err() || name.ends_with("obj"), "{name} cut at {length}");
        }
        let text = bytes.len().min(3000);
        for round in 0..200 {
            let mut changed = bytes.clone();
            for _ in 0..=round % 4 {
                let at = random() % if round % 2 == 0 { text } else { bytes.len() };
                changed[at] = random() as u8;
            }
            let _ = read(name, &changed);
        }
    }
}

const ELEMENTS: &str = "struct Thing { place: vec3f, kind: u32 }
    @group(0) @binding(0) var<storage, read> things: array<Thing>;
    @group(0) @binding(1) var<storage, read_write> list: array<u32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        if id.x < arrayLength(&list) && id.x < arrayLength(&things) { list[id.x] = things[id.x].kind; }
    }";

/// What `things` holds at first and how many there are, or what is wrong.
fn filled(buffer: &str, name: &str, bytes: &[u8]) -> Result<(Vec<u32>, Option<u64>), String> {
    let graph = format!(
        r#"(version: 1, resources: {{ "things": {buffer}, "list": Buffer(count: "len(things)") }},
        passes: [Dispatch(name: "move", shader: "move.wgsl", items: "len(things)")], outputs: ["list"])"#
    );
    let files = [("g.ron", graph.as_bytes()), ("shaders/move.wgsl", ELEMENTS.as_bytes()), (name, bytes)];
    let door = Memory(files.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).into());
    let mut library = Library::new(Files::new(door));
    let top = library.files.load("g.ron").expect("it is there");
    let (draft, found) = resolve(&mut library, top, &Settings::default());
    if let Some(first) = found.first() {
        return Err(format!("{}: {}", first.rule.code, first.message));
    }
    let things = draft.resources.iter().find(|resource| resource.name == "things").expect("it is declared");
    let ResourceKind::Buffer(buffer) = &things.kind else { panic!("it is a buffer") };
    let Some(Initial::Bytes(bytes)) = &buffer.initial else { panic!("it has contents") };
    Ok((bytemuck::pod_collect_to_vec(bytes), buffer.count))
}

fn array(descr: &str, shape: &str, data: &[u32]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(bytemuck::cast_slice::<_, u8>(data));
    bytes
}

#[test]
fn buffers_are_filled_from_files() {
    let of = |name: &str| format!(r#"Buffer(file: "{name}", lifetime: Persistent)"#);
    let [one, two, minus] = [1.0f32, 2.0, -0.5].map(f32::to_bits);
    let table = b"kind,place.x,place.y,place.z\n7,1,2,-0.5\n8,0,0,0\n";
    assert_eq!(filled(&of("a.csv"), "a.csv", table), Ok((vec![one, two, minus, 7, 0, 0, 0, 8], Some(2))));
    let raw: Vec<u8> = bytemuck::cast_slice(&[one, two, minus, 7]).to_vec();
    let plain = r#"Buffer(file: "a.bin", stride: 16, lifetime: Persistent)"#;
    assert_eq!(filled(plain, "a.bin", &raw), Ok((vec![one, two, minus, 7], Some(1))));
    let records = array("|u1", "(1, 16)", &[one, two, minus, 7]);
    assert_eq!(filled(&of("a.npy"), "a.npy", &records), Ok((vec![one, two, minus, 7], Some(1))));
    let longer = r#"Buffer(file: "a.csv", count: 3, lifetime: Persistent)"#;
    assert_eq!(filled(longer, "a.csv", table).map(|(_, count)| count), Ok(Some(3)), "zeros follow");
}

#[test]
fn what_a_buffer_cannot_take_is_said() {
    let of = |name: &str| format!(r#"Buffer(file: "{name}", lifetime: Persistent)"#);
    let floats = array("<f4", "(2, 4)", &[0; 8]);
    let narrow = array("<f4", "(2, 3)", &[0; 6]);
    let table = b"kind,place.x,place.y,place.z\n7,1,2,-0.5\n8,0,0,0\n";
    for (buffer, name, bytes, says) in [
        (of("a.npy"), "a.npy", &floats[..], "data-file: `a.npy` has <f4, but `kind` is u32"),
        (of("a.npy"), "a.npy", &narrow, "data-file: `a.npy` has rows of 12 bytes (<f4), but elements have 16"),
        (of("a.npy"), "a.npy", b"\x93NUMPY", "data-file: `a.npy` is no `.npy` file: its header is broken"),
        (
            of("a.bin").replace(", l", ", stride: 16, l"),
            "a.bin",
            &[0; 20],
            "data-file: `a.bin` has 20 bytes, which are no whole elements of 16 bytes",
        ),
        (of("a.csv"), "a.csv", b"kind\n1\n", "data-file: `a.csv` has no column `place.x`; its columns are kind"),
        (of("a.csv"), "b.csv", b"", "missing-file: `a.csv` does not exist"),
        (of("../a.csv"), "a.csv", b"", "outside-root: `../a.csv` is outside the project root"),
        (
            r#"Buffer(file: "a.csv", count: 1, lifetime: Persistent)"#.to_owned(),
            "a.csv",
            table,
            "binding-size: `things` has 16 bytes, but its initial contents have 32",
        ),
    ] {
        assert_eq!(filled(&buffer, name, bytes), Err(says.to_owned()));
    }
}

#[test]
fn mutated_tables_and_arrays_are_refused_or_read() {
    let mut state = 11u32;
    let mut random = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 8) as usize
    };
    let sound = [
        ("a.csv", b"kind,place.x,place.y,place.z\n7,1,2,-0.5\n8,0,0,0\n".to_vec()),
        ("a.npy", array("|u1", "(2, 16)", &[0; 8])),
    ];
    for (name, bytes) in sound {
        let buffer = format!(r#"Buffer(file: "{name}", lifetime: Persistent)"#);
        for length in 0..bytes.len() {
            let _ = filled(&buffer, name, &bytes[..length]);
        }
        for round in 0..100 {
            let mut changed = bytes.clone();
            for _ in 0..=round % 3 {
                let at = random() % changed.len();
                changed[at] = random() as u8;
            }
            let _ = filled(&buffer, name, &changed);
        }
    }
}

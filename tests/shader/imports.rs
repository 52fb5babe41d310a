//! `#import`: which files take part, in what order, and where their faults stand.

use super::*;

const SIZE: &str = "const SIZE = 4u;\n";
const MAIN: &str = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n\
                    @compute @workgroup_size(1) fn main() { out[0] = SIZE; }\n";

fn with(imports: &str) -> String {
    format!("{imports}{MAIN}")
}

fn paths(files: &Files, shader: &Shader) -> Vec<String> {
    shader.closure.iter().map(|file| files.get(*file).path.clone()).collect()
}

#[test]
fn a_diamond_is_included_once() {
    let (files, shader, found) = load(&[
        ("x.wgsl", &with("#import \"left.wgsl\"\n#import \"right.wgsl\"\n")),
        ("lib/left.wgsl", "#import \"base.wgsl\"\nconst LEFT = SIZE;"),
        ("lib/right.wgsl", "#import \"base.wgsl\"\nconst RIGHT = SIZE;"),
        ("lib/base.wgsl", SIZE),
    ]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    let shader = shader.expect("a good shader");
    assert_eq!(
        paths(&files, &shader),
        ["shaders/x.wgsl", "shaders/lib/base.wgsl", "shaders/lib/left.wgsl", "shaders/lib/right.wgsl"]
    );
    assert_eq!(shader.text.matches("const SIZE").count(), 1);
}

#[test]
fn spellings_of_one_fragment_are_one_fragment() {
    let (files, shader, found) = load(&[
        ("x.wgsl", &with("#import \"a.wgsl\"\n  #import \"./b/../a.wgsl\" // again\n#import\t\"a.wgsl\"\n")),
        ("lib/a.wgsl", SIZE),
    ]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    assert_eq!(shader.expect("a good shader").closure.len(), 2);
}

#[test]
fn a_cycle_prints_its_chain_with_the_line_of_each_import() {
    let (files, shader, found) = load(&[
        ("x.wgsl", &with("#import \"a.wgsl\"\n")),
        ("lib/a.wgsl", "// a\n#import \"b.wgsl\"\nconst A = 1;\n"),
        ("lib/b.wgsl", "// b\n\n#import \"a.wgsl\"\nconst SIZE = 1u;\n"),
    ]);
    assert!(shader.is_none());
    assert_eq!(shown(&files, &found), ["import-cycle shaders/lib/b.wgsl:3:9 `shaders/lib/a.wgsl` imports itself"]);
    assert_eq!(
        found[0].notes,
        ["`shaders/lib/a.wgsl` (line 2) → `shaders/lib/b.wgsl` (line 3) → `shaders/lib/a.wgsl`"]
    );
    assert_eq!(files.place(found[0].secondary[0].span), "shaders/lib/a.wgsl:2:9");
}

#[test]
fn a_file_that_imports_itself_is_a_cycle() {
    let (files, _, found) = load(&[("x.wgsl", &with("#import \"a.wgsl\"\n")), ("lib/a.wgsl", "#import \"a.wgsl\"")]);
    assert_eq!(shown(&files, &found), ["import-cycle shaders/lib/a.wgsl:1:9 `shaders/lib/a.wgsl` imports itself"]);
}

#[test]
fn an_entry_file_may_lie_in_the_library_and_not_import_itself() {
    let (mut files, at) = memory(&[("shaders/lib/a.wgsl", "#import \"a.wgsl\"\n")]);
    let mut found = Vec::new();
    assert!(Shaders::new().load(&mut files, "lib/a.wgsl", at, &mut found).is_none());
    assert_eq!(found[0].rule.code, "import-cycle");
}

#[test]
fn a_missing_import_is_reported_at_each_place_and_hides_nothing_else() {
    let (files, shader, found) = load(&[
        ("x.wgsl", &with("#import \"one.wgsl\"\n#import \"two.wgsl\"\n#import \"here.wgsl\"\n")),
        ("lib/here.wgsl", "#import \"three.wgsl\"\n"),
    ]);
    assert!(shader.is_none());
    assert_eq!(
        shown(&files, &found),
        [
            "missing-import shaders/x.wgsl:1:9 there is no `one.wgsl` to import",
            "missing-import shaders/x.wgsl:2:9 there is no `two.wgsl` to import",
            "missing-import shaders/lib/here.wgsl:1:9 there is no `three.wgsl` to import",
        ]
    );
}

#[test]
fn what_is_no_import_is_an_error_at_its_place() {
    for (line, label) in [
        ("#import <a.wgsl>", "the name stands between double quotes"),
        ("#import 'a.wgsl'", "the name stands between double quotes"),
        ("#import", "the name stands between double quotes"),
        ("#import \"a.wgsl", "the closing quote is missing"),
        ("#import \"\"", "the name is empty"),
        ("#import \"a.wgsl\";", "other text stands behind it"),
        ("#import \"a.wgsl\" #import \"b.wgsl\"", "other text stands behind it"),
        ("#imports \"a.wgsl\"", "rondag knows no directive but `#import`"),
        ("#define N 3", "rondag knows no directive but `#import`"),
        ("# import \"a.wgsl\"", "rondag knows no directive but `#import`"),
    ] {
        let (files, shader, found) = load(&[("x.wgsl", &with(&format!("\n  {line}\n"))), ("lib/a.wgsl", SIZE)]);
        assert!(shader.is_none(), "{line}");
        assert_eq!(shown(&files, &found), ["import-syntax shaders/x.wgsl:2:3 this is not an import"], "{line}");
        assert_eq!(found[0].primary.text, label, "{line}");
        assert_eq!(files.text(found[0].primary.span), line);
    }
    let (_, _, found) = load(&[("x.wgsl", "const A = 1; #import \"a.wgsl\"\n")]);
    assert_eq!(found[0].primary.text, "other text stands before it");
}

#[test]
fn imports_in_comments_are_none() {
    let text = with("// #import \"a.wgsl\"\n/* /* */\n#import \"a.wgsl\"\n*/ const SIZE = 1u;\n");
    let (files, shader, found) = load(&[("x.wgsl", &text)]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    assert_eq!(shader.expect("a good shader").closure.len(), 1);
}

/// BR-029 and its relatives: ends of files and lines, and byte order marks, change nothing.
#[test]
fn line_ends_and_marks_change_nothing() {
    let fragments = [
        "fn size() -> u32 { return 4u; }",
        "fn size() -> u32 { return 4u; }\n",
        "fn size() -> u32 { return 4u; } // end",
    ];
    for fragment in fragments {
        for mark in ["", "\u{feff}"] {
            for crlf in [false, true] {
                let end = |text: &str| {
                    let text = if crlf { text.replace('\n', "\r\n") } else { text.to_owned() };
                    format!("{mark}{text}")
                };
                let entry =
                    "#import \"a.wgsl\"\n#import \"b.wgsl\"\nconst SIZE = 4u;\n\nfn wrong() -> u32 { return 1.5f; }";
                let sources =
                    [("x.wgsl", end(entry)), ("lib/a.wgsl", end(fragment)), ("lib/b.wgsl", end("const B = 1; //"))];
                let sources: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
                let (files, _, found) = load(&sources);
                assert_eq!(found.len(), 1, "{:?}", shown(&files, &found));
                assert_eq!(files.place(found[0].primary.span), "shaders/x.wgsl:5:28", "{found:?}");
            }
        }
    }
}

/// BR-042.
#[test]
fn a_fault_behind_long_imports_stands_in_its_own_file_and_line() {
    let long: String =
        (0..40).map(|line| format!("const FRAGMENT_{line} = {line}u; // €\n")).collect::<Vec<_>>().concat();
    let entry = "#import \"long.wgsl\"\n// 2\n// 3\n// 4\n// 5\n// 6\n// 7\n// 8\n// 9\n// 10\nfn f() -> u32 {\n    /* é */ return 1u + 2.5f;\n}\n";
    let (files, shader, found) = load(&[("x.wgsl", entry), ("lib/long.wgsl", &long)]);
    assert!(shader.is_none());
    assert_eq!(found.len(), 1);
    assert_eq!(files.place(found[0].primary.span), "shaders/x.wgsl:12:20");
    assert_eq!(files.text(found[0].primary.span), "1u + 2.5f");
    let (files, _, found) = load(&[
        ("x.wgsl", &with("#import \"long.wgsl\"\n")),
        ("lib/long.wgsl", &format!("{long}const SIZE = 1u;\nconst BAD = nothing;\n")),
    ]);
    assert_eq!(files.place(found[0].primary.span), "shaders/lib/long.wgsl:42:13");
    assert_eq!(files.place(found[0].secondary[0].span), "graph.ron:1:9", "the graph's place is kept");
}

/// BR-033.
#[test]
fn expansion_stops_at_limits() {
    let twice: Vec<(String, String)> = (0..30)
        .map(|n| {
            (format!("lib/f{n}.wgsl"), format!("#import \"f{0}.wgsl\"\n#import \"f{0}.wgsl\"\nconst C{n} = 1;", n + 1))
        })
        .chain([("lib/f30.wgsl".to_owned(), SIZE.to_owned()), ("x.wgsl".to_owned(), with("#import \"f0.wgsl\"\n"))])
        .collect();
    let sources: Vec<(&str, &str)> = twice.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(load(&sources).1.expect("each file is included once").closure.len(), 32);

    let chain: Vec<(String, String)> = (0..300)
        .map(|n| (format!("lib/f{n}.wgsl"), format!("\n#import \"f{}.wgsl\"\n", n + 1)))
        .chain([("x.wgsl".to_owned(), with("#import \"f0.wgsl\"\n"))])
        .collect();
    let sources: Vec<(&str, &str)> = chain.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (files, _, found) = load(&sources);
    assert_eq!(
        shown(&files, &found),
        ["import-limit shaders/lib/f254.wgsl:2:9 a shader with its imports has more than 256 files"]
    );

    let large = " ".repeat(3 << 20);
    let imports = with("#import \"a.wgsl\"\n#import \"b.wgsl\"\n");
    let (files, _, found) = load(&[("x.wgsl", &imports), ("lib/a.wgsl", &large), ("lib/b.wgsl", &large)]);
    assert_eq!(
        shown(&files, &found),
        ["import-limit shaders/x.wgsl:2:9 a shader with its imports has more than 4194304 bytes"]
    );
    let (files, _, found) = load(&[("x.wgsl", &" ".repeat(5 << 20))]);
    assert_eq!(
        shown(&files, &found),
        ["import-limit shaders/x.wgsl:1:1 a shader with its imports has more than 4194304 bytes"]
    );
}

/// BR-035.
#[test]
fn nothing_outside_the_root_is_read() {
    for path in [
        "../../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "file:///etc/passwd",
        "\\\\host\\share\\x",
        "../../x.wgsl",
    ] {
        let (mut files, at) = memory(&[("shaders/x.wgsl", MAIN)]);
        let mut found = Vec::new();
        assert!(Shaders::new().load(&mut files, path, at, &mut found).is_none());
        assert_eq!(shown(&files, &found), [format!("outside-root graph.ron:1:9 `{path}` is outside the project root")]);
        let (files, _, found) = load(&[("x.wgsl", &with(&format!("#import \"{path}\"\n")))]);
        assert_eq!(
            shown(&files, &found),
            [format!("outside-root shaders/x.wgsl:1:9 `{path}` is outside the project root")]
        );
    }
    let (files, _, found) = load(&[("x.wgsl", &with("#import \"../y.wgsl\"\n")), ("y.wgsl", SIZE)]);
    assert_eq!(found[0].rule.code, "outside-root", "imports stay in `shaders/lib`: {:?}", shown(&files, &found));
}

#[test]
fn directives_of_wgsl_move_to_the_top() {
    let (files, shader, found) = load(&[
        ("x.wgsl", "#import \"half.wgsl\"\nenable f16;\nconst B: f16 = A;\n"),
        (
            "lib/half.wgsl",
            "enable f16, subgroups;\nrequires readonly_and_readwrite_storage_textures;\nconst A: f16 = 1h;\n",
        ),
    ]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    let features = shader.expect("a good shader").interface.features;
    assert_eq!(features, wgpu_types::Features::SHADER_F16 | wgpu_types::Features::SUBGROUP);
    let (files, _, found) = load(&[("x.wgsl", "// one\nconst A = 1;\n"), ("lib/b.wgsl", "")]);
    assert_eq!(shown(&files, &found), Vec::<String>::new());
    let (files, _, found) = load(&[
        ("x.wgsl", "#import \"b.wgsl\"\nconst A = 1;\n"),
        ("lib/b.wgsl", "// two\n  enable unheard_of;\nconst B = 1;\n"),
    ]);
    assert_eq!(files.place(found[0].primary.span), "shaders/lib/b.wgsl:2:10", "{:?}", shown(&files, &found));
}

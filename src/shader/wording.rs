//! naga's messages in the form of ours.
//!
//! naga words validation errors for those who work on naga: arena indices and types as Rust prints them. An author knows
//! neither.

use std::borrow::Cow;

/// Lower case unless it begins with an abbreviation, no full stop, names in backticks, types as in WGSL, no indices.
pub(super) fn plain(text: &str) -> String {
    if let Some(text) = missing_property(text) {
        return text;
    }
    let text = without_indices(&wgsl_types(text));
    let quoted = |word: &str| match word.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
        Some((name, rest)) => format!("`{name}`{rest}"),
        None => word.to_owned(),
    };
    let text = text.trim_end_matches('.').split(' ').map(quoted).collect::<Vec<_>>().join(" ");
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text,
    }
}

/// `Type flags TypeFlags(…) do not meet the required TypeFlags(…)`: what is required and not there.
fn missing_property(text: &str) -> Option<String> {
    let (has, needs) =
        text.strip_prefix("Type flags TypeFlags(")?.split_once(") do not meet the required TypeFlags(")?;
    let has: Vec<&str> = has.split(" | ").collect();
    let missing = needs.trim_end_matches(')').split(" | ").filter(|flag| !has.contains(flag));
    let words: Vec<&str> = missing.map(property).collect();
    Some(format!("the type has to be {} here", words.join(" and ")))
}

fn property(flag: &str) -> &str {
    match flag {
        "DATA" => "plain data",
        "SIZED" => "of a fixed size",
        "COPY" => "copyable",
        "IO_SHAREABLE" => "one that stages can hand on (numbers and vectors of numbers)",
        "HOST_SHAREABLE" => "one that buffers can hold (no `bool`)",
        "ARGUMENT" => "one that functions can take",
        "CONSTRUCTIBLE" => "one that values can be made of",
        "CREATION_RESOLVED" => "of a size that is known when the shader is made",
        other => other,
    }
}

/// `Vector { size: Tri, scalar: Scalar { kind: Float, width: 4 } }` becomes `vec3<f32>`.
fn wgsl_types(text: &str) -> Cow<'_, str> {
    if !text.contains("Scalar { kind: ") {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    for (kind, letter) in [("Float", "f"), ("Sint", "i"), ("Uint", "u")] {
        for width in [2, 4, 8] {
            text =
                text.replace(&format!("Scalar {{ kind: {kind}, width: {width} }}"), &format!("{letter}{}", width * 8));
        }
    }
    text = text.replace("Scalar { kind: Bool, width: 1 }", "bool");
    for scalar in ["f16", "f32", "f64", "i16", "i32", "i64", "u16", "u32", "u64", "bool"] {
        text = text.replace(&format!("Scalar({scalar})"), &format!("`{scalar}`"));
        text = text.replace(&format!("Atomic({scalar})"), &format!("`atomic<{scalar}>`"));
        for (columns, width) in SIZES {
            let vector = format!("Vector {{ size: {columns}, scalar: {scalar} }}");
            text = text.replace(&vector, &format!("`vec{width}<{scalar}>`"));
            for (rows, height) in SIZES {
                let matrix = format!("Matrix {{ columns: {columns}, rows: {rows}, scalar: {scalar} }}");
                text = text.replace(&matrix, &format!("`mat{width}x{height}<{scalar}>`"));
            }
        }
    }
    Cow::Owned(text)
}

const SIZES: [(&str, u8); 3] = [("Bi", 2), ("Tri", 3), ("Quad", 4)];

/// Without ` [12]` and ` Some([12])`.
fn without_indices(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(space) = rest.find(' ') {
        out.push_str(&rest[..space]);
        rest = &rest[space..];
        if let Some(length) = index_length(&rest[1..]) {
            rest = &rest[1 + length..];
        } else {
            out.push(' ');
            rest = &rest[1..];
        }
    }
    out + rest
}

/// The length of `[12]` or `Some([12])` at the start of a text.
fn index_length(text: &str) -> Option<usize> {
    let (inner, after) = match text.strip_prefix("Some(") {
        Some(inner) => (inner, "])"),
        None => (text, "]"),
    };
    let digits = inner.strip_prefix('[')?;
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let end = text.len() - digits.len() + count;
    (count > 0 && text[end..].starts_with(after)).then_some(end + after.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_naga_read_like_ours() {
        for (theirs, ours) in [
            ("Function [1] 'f' is invalid", "function `f` is invalid"),
            ("The `return` expression Some([0]) does not match Some([12]).", "the `return` expression does not match"),
            ("invalid sub-access into type [0], indexed: true", "invalid sub-access into type, indexed: true"),
            (
                "Less of (of type Scalar(Scalar { kind: Bool, width: 1 })) and \
                 Vector { size: Tri, scalar: Scalar { kind: Float, width: 4 } }",
                "less of (of type `bool`) and `vec3<f32>`",
            ),
            (
                "Type flags TypeFlags(DATA | COPY) do not meet the required TypeFlags(DATA | SIZED)",
                "the type has to be of a fixed size here",
            ),
            ("WGSL is fun", "WGSL is fun"),
            ("array [index] can't be 3 or a[0]", "array [index] can't be 3 or a[0]"),
            (" [", " ["),
            ("", ""),
        ] {
            assert_eq!(plain(theirs), ours);
        }
    }
}

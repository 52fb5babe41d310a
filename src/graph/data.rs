//! Files with the initial contents of buffers: bytes as they are, `.npy` arrays, `.csv` tables.
//!
//! Bytes and arrays go in as they stand. The columns of a table go to where their names are in the shaders' element: member
//! `scale` takes column `scale`, member `place: vec3f` takes `place.x`, `place.y` and `place.z`; a member whose name begins with
//! `_` may go without and stays zero. Columns that no member names are passed over.

use std::sync::Arc;

use crate::shader::{Scalar, Type};
use crate::source::{Files, LoadError};

/// The most leaves that the element of a table may have.
const MAX_LEAVES: usize = 256;

/// The most rows of a table: what people edit is far smaller, and text takes much memory while it is read.
const MAX_ROWS: usize = 1 << 20;

/// What a data file holds.
#[derive(Debug, PartialEq)]
pub(super) enum Content {
    Raw(Arc<[u8]>),
    Array { bytes: Arc<[u8]>, rows: u64, row: u64, of: String },
    Table(Table),
}

/// Columns of numbers as they are written.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    /// Absent where the first line has numbers only.
    names: Option<csv::StringRecord>,
    rows: Vec<csv::StringRecord>,
}

/// Why there are no contents.
#[derive(Debug, Clone)]
pub(super) enum DataError {
    Load(LoadError),
    /// What the file has: the rest of a sentence.
    Bad(String),
}

/// Reads a data file; its extension says what it holds.
pub(super) fn load(files: &Files, path: &str) -> Result<Arc<Content>, DataError> {
    let bytes = files.data(path).map_err(DataError::Load)?;
    let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let content = match extension.as_deref() {
        Some("npy") => array(&bytes).map_err(DataError::Bad)?,
        Some("csv") => Content::Table(table(&bytes).map_err(DataError::Bad)?),
        _ => Content::Raw(bytes.into()),
    };
    Ok(Arc::new(content))
}

impl Content {
    /// Elements; unknown for plain bytes.
    pub(super) fn rows(&self) -> Option<u64> {
        match self {
            Self::Raw(_) => None,
            Self::Array { rows, .. } => Some(*rows),
            Self::Table(table) => Some(table.rows.len() as u64),
        }
    }

    /// The bytes as far as they are known without an element; a table has none.
    pub(super) fn bytes(&self) -> Arc<[u8]> {
        match self {
            Self::Raw(bytes) | Self::Array { bytes, .. } => Arc::clone(bytes),
            Self::Table(_) => Arc::from([]),
        }
    }

    /// The bytes for elements of `stride` bytes behind `header` others, of this type where a shader says it.
    pub(super) fn laid_out(&self, element: Option<&Type>, header: u64, stride: u64) -> Result<Arc<[u8]>, String> {
        match self {
            Self::Raw(bytes) => {
                let behind = (bytes.len() as u64).saturating_sub(header);
                if !behind.is_multiple_of(stride.max(1)) {
                    return Err(format!("has {} bytes, which are no whole elements of {stride} bytes", bytes.len()));
                }
                Ok(Arc::clone(bytes))
            }
            _ if header > 0 => {
                Err(format!("has rows only, but its buffer begins with {header} bytes of something else"))
            }
            Self::Array { bytes, row, of, .. } => {
                if *row != stride {
                    return Err(format!("has rows of {row} bytes ({of}), but elements have {stride}"));
                }
                let leaves = element.map_or(Ok(Vec::new()), leaves)?;
                let fits = |scalar: Scalar| match of.as_bytes().get(1) {
                    _ if !of.contains('4') => true,
                    Some(b'f') => scalar == Scalar::F32,
                    _ => matches!(scalar, Scalar::U32 | Scalar::I32),
                };
                match leaves.iter().find(|leaf| !fits(leaf.scalar)) {
                    Some(leaf) => Err(format!("has {of}, but `{}` is {}", leaf.name, name_of(leaf.scalar))),
                    None => Ok(Arc::clone(bytes)),
                }
            }
            Self::Table(table) => table.laid_out(element, stride),
        }
    }
}

impl Table {
    fn laid_out(&self, element: Option<&Type>, stride: u64) -> Result<Arc<[u8]>, String> {
        let leaves = match element {
            Some(element) => leaves(element)?,
            // Vertices without a name: floats in order.
            None => (0..stride / 4)
                .map(|at| Leaf { name: at.to_string(), offset: at as usize * 4, scalar: Scalar::F32 })
                .collect(),
        };
        let columns = self.columns(&leaves, matches!(element, Some(Type::Struct { .. })))?;
        let size = (self.rows.len() as u64).saturating_mul(stride);
        if size > 4 * crate::source::MAX_FILE_BYTES {
            return Err(format!("makes {size} bytes of elements, which is too much"));
        }
        let mut bytes = vec![0; size as usize];
        for (row, element) in self.rows.iter().zip(bytes.chunks_exact_mut(stride.max(1) as usize)) {
            for (leaf, column) in leaves.iter().zip(&columns) {
                let Some(column) = column else { continue };
                let text = row.get(*column).unwrap_or_default().trim();
                let number = number(text, leaf.scalar).ok_or_else(|| {
                    let line = row.position().map_or(0, csv::Position::line);
                    format!("has `{text}` for `{}` in line {line}, which is no {}", leaf.name, name_of(leaf.scalar))
                })?;
                let room = element.get_mut(leaf.offset..leaf.offset + 4);
                room.ok_or_else(|| format!("has elements of {stride} bytes, too few for `{}`", leaf.name))?
                    .copy_from_slice(&number);
            }
        }
        Ok(bytes.into())
    }

    /// The column of each leaf: by name, or in order where the file or the shader has no names.
    fn columns(&self, leaves: &[Leaf], named: bool) -> Result<Vec<Option<usize>>, String> {
        let width = self.names.as_ref().or(self.rows.first()).map_or(leaves.len(), csv::StringRecord::len);
        let find = |name: &str| self.names.as_ref()?.iter().position(|column| column.trim() == name);
        let by_name = self.names.is_some() && (named || leaves.iter().all(|leaf| find(&leaf.name).is_some()));
        if !by_name {
            if width != leaves.len() {
                return Err(format!("has {width} columns, but an element has {} numbers", leaves.len()));
            }
            return Ok((0..width).map(Some).collect());
        }
        let column = |leaf: &Leaf| match find(&leaf.name) {
            None if !leaf.name.starts_with('_') => {
                let has: Vec<&str> = self.names.iter().flatten().map(str::trim).collect();
                Err(format!("has no column `{}`; its columns are {}", leaf.name, has.join(", ")))
            }
            found => Ok(found),
        };
        leaves.iter().map(column).collect()
    }
}

/// One number of an element.
#[derive(Debug)]
struct Leaf {
    name: String,
    offset: usize,
    scalar: Scalar,
}

fn leaves(element: &Type) -> Result<Vec<Leaf>, String> {
    let mut all = Vec::new();
    flatten(element, String::new(), 0, &mut all)?;
    Ok(all)
}

fn flatten(ty: &Type, name: String, offset: usize, all: &mut Vec<Leaf>) -> Result<(), String> {
    if all.len() > MAX_LEAVES {
        return Err(format!("fills elements of more than {MAX_LEAVES} numbers"));
    }
    let below = |name: &str, part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match ty {
        Type::Scalar(scalar) | Type::Atomic(scalar) => all.push(Leaf { name, offset, scalar: *scalar }),
        Type::Vector { size, scalar } => {
            for (at, part) in ["x", "y", "z", "w"].into_iter().take((*size).into()).enumerate() {
                all.push(Leaf { name: below(&name, part), offset: offset + 4 * at, scalar: *scalar });
            }
        }
        Type::Matrix { columns, rows, scalar } => {
            let column = Type::Vector { size: *rows, scalar: *scalar };
            let stride = if *rows == 2 { 8 } else { 16 };
            for at in 0..usize::from(*columns) {
                flatten(&column, format!("{name}[{at}]"), offset + at * stride, all)?;
            }
        }
        Type::Array { of, count: Some(count), stride } => {
            for at in 0..*count as usize {
                flatten(of, format!("{name}[{at}]"), offset + at * *stride as usize, all)?;
            }
        }
        Type::Struct { members, .. } => {
            for member in members {
                flatten(&member.ty, below(&name, &member.name), offset + member.offset as usize, all)?;
            }
        }
        Type::Array { count: None, .. } | Type::Other(_) => {
            return Err(format!("cannot fill `{name}`: only numbers, vectors, matrices and arrays have columns"));
        }
    }
    Ok(())
}

fn number(text: &str, scalar: Scalar) -> Option<[u8; 4]> {
    Some(match scalar {
        Scalar::F32 => text.parse::<f32>().ok()?.to_le_bytes(),
        Scalar::U32 => text.parse::<u32>().ok()?.to_le_bytes(),
        Scalar::I32 => text.parse::<i32>().ok()?.to_le_bytes(),
        Scalar::Bool | Scalar::F16 => return None,
    })
}

const fn name_of(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::F32 => "f32",
        Scalar::U32 => "u32",
        Scalar::I32 => "i32",
        Scalar::F16 => "f16",
        Scalar::Bool => "bool",
    }
}

fn table(bytes: &[u8]) -> Result<Table, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).comment(Some(b'#')).from_reader(bytes);
    let mut rows = reader
        .records()
        .take(MAX_ROWS + 1)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| format!("cannot be read: {why}"))?;
    if rows.len() > MAX_ROWS {
        return Err(format!("has more than {MAX_ROWS} rows, save it as `.npy`"));
    }
    let first = rows.first().ok_or("has no rows")?;
    let named = first.iter().any(|cell| cell.trim().parse::<f64>().is_err());
    let names = named.then(|| rows.remove(0));
    Ok(Table { names, rows })
}

/// The format of `numpy.save`, versions 1 to 3: a magic word, a Python dictionary, the bytes.
fn array(bytes: &[u8]) -> Result<Content, String> {
    let (header, data) = header(bytes).ok_or("is no `.npy` file: its header is broken")?;
    let after = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
    let of = after("descr").and_then(|rest| rest.strip_prefix('\'')?.split_once('\'')).map(|(of, _)| of);
    let of = of.ok_or("has records, which are not read: save plain numbers")?;
    let (width, known) = match of {
        "<f4" | "<u4" | "<i4" => (4, true),
        "<f2" | "<u2" | "<i2" => (2, true),
        "|u1" | "|i1" => (1, true),
        _ => (1, false),
    };
    if !known {
        return Err(format!(
            "has numbers of type `{of}`; read are f2, f4, i1 to i4 and u1 to u4 with the low byte first"
        ));
    }
    let shape = after("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).map(|(shape, _)| shape);
    let sides =
        shape.ok_or("is no `.npy` file: it has no shape")?.split(',').map(str::trim).filter(|side| !side.is_empty());
    let sides = sides.map(|side| side.parse::<u64>().map_err(|_| format!("has a side of `{side}`")));
    let sides = sides.collect::<Result<Vec<_>, _>>()?;
    if sides.len() > 1 && !after("fortran_order").is_some_and(|rest| rest.starts_with("False")) {
        return Err("has its columns one after another: save it in C order".to_owned());
    }
    let (rows, inner) = sides.split_first().map_or((1, &[][..]), |(rows, inner)| (*rows, inner));
    let row = inner.iter().try_fold(width, |bytes: u64, side| bytes.checked_mul(*side));
    let size = row.and_then(|row| row.checked_mul(rows));
    match (row, size) {
        (Some(row), Some(size)) if size == data.len() as u64 => {
            Ok(Content::Array { bytes: data.into(), rows, row, of: of.to_owned() })
        }
        _ => Err(format!(
            "has {} bytes of numbers, which its shape ({}) does not fit",
            data.len(),
            shape.unwrap_or_default()
        )),
    }
}

fn header(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (u32::from_le_bytes([*a, *b, 0, 0]), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        _ => return None,
    };
    let (header, data) = rest.split_at_checked(length as usize)?;
    Some((std::str::from_utf8(header).ok()?, data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::Member;
    use crate::source::{FileId, Span};

    fn npy(dictionary: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dictionary.len() as u16).to_le_bytes());
        bytes.extend(dictionary.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn thing() -> Type {
        let span = Span::new(<FileId as crate::id::Id>::from_index(0), 0, 0);
        let member = |name: &str, offset, ty| Member { name: name.to_owned(), offset, ty, span };
        let members = vec![
            member("place", 0, Type::Vector { size: 3, scalar: Scalar::F32 }),
            member("kind", 12, Type::Scalar(Scalar::U32)),
            member("_pad", 16, Type::Scalar(Scalar::U32)),
        ];
        Type::Struct { name: "Thing".to_owned(), members, size: 32 }
    }

    #[test]
    fn arrays_are_read_as_numpy_writes_them() {
        let data: Vec<u8> = (0..24).collect();
        let read = |dictionary: &str| array(&npy(dictionary, &data));
        let good = read("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }   \n").expect("sound");
        assert_eq!(good.rows(), Some(3));
        assert_eq!(good.laid_out(None, 0, 8).as_deref(), Ok(&data[..]));
        let says = |made: Result<Content, String>| made.expect_err("unsound");
        assert!(
            good.laid_out(None, 0, 16).is_err_and(|why| why.contains("rows of 8 bytes (<f4), but elements have 16"))
        );
        let uint = Type::Vector { size: 2, scalar: Scalar::U32 };
        assert!(good.laid_out(Some(&uint), 0, 8).is_err_and(|why| why.contains("has <f4, but `x` is u32")));
        assert!(says(read("{'descr': '>f4', 'fortran_order': False, 'shape': (6,), }")).contains("`>f4`"));
        assert!(says(read("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }")).contains("`<f8`"));
        assert!(says(read("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }")).contains("C order"));
        assert!(says(read("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }")).contains("does not fit"));
        assert!(says(read("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (6,), }")).contains("records"));
        let huge = "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551615, 2), }";
        assert!(says(read(huge)).contains("does not fit"));
    }

    #[test]
    fn columns_go_where_their_names_are() {
        let text = "name,kind,place.z,place.x,place.y\na,7,3,1,2\nb,8,-6,4.5,5e1\n";
        let content = Content::Table(table(text.as_bytes()).expect("a table"));
        let bytes = content.laid_out(Some(&thing()), 0, 32).expect("all columns are there");
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
        let f = f32::to_bits;
        assert_eq!(words[..8], [f(1.0), f(2.0), f(3.0), 7, 0, 0, 0, 0]);
        assert_eq!(words[8..12], [f(4.5), f(50.0), f(-6.0), 8]);
        let plain = Content::Table(table(b"1,2,3,4\n").expect("a table"));
        let float4 = Type::Vector { size: 4, scalar: Scalar::F32 };
        assert_eq!(plain.laid_out(Some(&float4), 0, 16).expect("in order").len(), 16);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let says = |text: &str| {
            let table = table(text.as_bytes())?;
            Content::Table(table).laid_out(Some(&thing()), 0, 32).map(|bytes| bytes.len().to_string())
        };
        for (text, why) in [
            ("kind,place.x,place.y\n1,2,3\n", "has no column `place.z`; its columns are kind, place.x, place.y"),
            ("kind,place.x,place.y,place.z\n1.5,2,3,4\n", "has `1.5` for `kind` in line 2, which is no u32"),
            ("kind,place.x,place.y,place.z\n1,2,,4\n", "has `` for `place.y` in line 2, which is no f32"),
            ("1,2,3\n", "has 3 columns, but an element has 5 numbers"),
            ("", "has no rows"),
        ] {
            assert_eq!(says(text), Err(why.to_owned()), "{text}");
        }
        assert!(says("a,b\n1\n").is_err_and(|why| why.starts_with("cannot be read: ")));
        assert!(Content::Raw([0; 10].into()).laid_out(None, 0, 4).is_err_and(|why| why.contains("10 bytes")));
    }
}

//! The bytes behind glTF accessors, with every range checked: what a file says about itself may be wrong.

use std::sync::Arc;

use ::gltf::accessor::{Accessor, DataType, Dimensions};
use ::gltf::buffer::{Source, View};
use base64::Engine as _;

use crate::source::{Files, MAX_FILE_BYTES, join};

/// The most bytes that the buffers of one file have together.
const MAX_BYTES: u64 = 4 * MAX_FILE_BYTES;

/// The buffers of one file, each read when it is first needed.
pub(super) struct Buffers<'a> {
    files: &'a Files,
    folder: &'a str,
    blob: Option<Arc<[u8]>>,
    read: Vec<Option<Arc<[u8]>>>,
    bytes: u64,
}

impl<'a> Buffers<'a> {
    /// Of the file at `path`, with its own binary part.
    pub(super) fn new(files: &'a Files, path: &'a str, blob: Option<Vec<u8>>, count: usize) -> Self {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self { files, folder, blob: blob.map(Arc::from), read: vec![None; count], bytes: 0 }
    }

    fn buffer(&mut self, buffer: &::gltf::Buffer<'_>) -> Result<Arc<[u8]>, String> {
        let at = buffer.index();
        if let Some(Some(known)) = self.read.get(at) {
            return Ok(Arc::clone(known));
        }
        let bytes: Arc<[u8]> = match buffer.source() {
            Source::Bin => self.blob.clone().ok_or("names its binary part, which it lacks")?,
            Source::Uri(uri) if uri.starts_with("data:") => embedded(uri)?.into(),
            Source::Uri(uri) => {
                let path = join(self.folder, &plain(uri));
                self.files.data(&path).map_err(|why| format!("needs a buffer, but {why}"))?.into()
            }
        };
        if bytes.len() < buffer.length() {
            let (has, needs) = (bytes.len(), buffer.length());
            return Err(format!("has buffer {at} with {has} bytes, which should have {needs}"));
        }
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_BYTES {
            return Err(format!("has more than {MAX_BYTES} bytes of buffers"));
        }
        if let Some(place) = self.read.get_mut(at) {
            *place = Some(Arc::clone(&bytes));
        }
        Ok(bytes)
    }

    /// The elements of an accessor, tightly packed. Whoever asks knows that there is room for them.
    pub(super) fn elements(&mut self, accessor: &Accessor<'_>) -> Result<Vec<u8>, String> {
        let (size, count) = (accessor.size(), accessor.count());
        let mut packed = vec![0; size.checked_mul(count).ok_or("has an accessor beyond all measure")?];
        if let Some(view) = accessor.view() {
            let stride = view.stride().unwrap_or(size);
            let bytes = self.strided(&view, accessor.offset(), (stride, size, count))?;
            for (to, from) in packed.chunks_exact_mut(size).zip(bytes.chunks(stride.max(1))) {
                to.copy_from_slice(&from[..size]);
            }
        }
        if let Some(sparse) = accessor.sparse() {
            let (indices, values, changed) = (sparse.indices(), sparse.values(), sparse.count());
            let width = indices.index_type().size();
            let at = self.strided(&indices.view(), indices.offset(), (width, width, changed))?;
            let values = self.strided(&values.view(), values.offset(), (size, size, changed))?;
            for (at, value) in at.chunks_exact(width).map(whole).zip(values.chunks_exact(size)) {
                let to = packed.chunks_exact_mut(size).nth(at as usize);
                to.ok_or_else(|| format!("changes element {at} of an accessor of {count}"))?.copy_from_slice(value);
            }
        }
        Ok(packed)
    }

    /// The bytes from the first of some elements to the end of the last.
    fn strided(
        &mut self,
        view: &View<'_>,
        offset: usize,
        (stride, size, count): (usize, usize, usize),
    ) -> Result<Vec<u8>, String> {
        let short = || format!("has an accessor that reaches beyond buffer view {}", view.index());
        if stride < size {
            return Err(format!(
                "has buffer view {} with a stride of {stride}, below its elements' {size}",
                view.index()
            ));
        }
        let span = match count.checked_sub(1) {
            Some(before) => before.checked_mul(stride).and_then(|n| n.checked_add(size)).ok_or_else(short)?,
            None => 0,
        };
        let end = offset.checked_add(span).filter(|end| *end <= view.length()).ok_or_else(short)?;
        let range = view.offset().checked_add(offset).zip(view.offset().checked_add(end)).ok_or_else(short)?;
        let buffer = self.buffer(&view.buffer())?;
        Ok(buffer.get(range.0..range.1).ok_or_else(short)?.to_vec())
    }

    /// Vectors of an accessor: floats, or integers that stand for 0 to 1.
    pub(super) fn vectors<const N: usize>(
        &mut self,
        accessor: &Accessor<'_>,
        what: &str,
    ) -> Result<Vec<[f32; N]>, String> {
        let dimensions = accessor.dimensions().multiplicity();
        let shares = accessor.normalized() && matches!(accessor.data_type(), DataType::U8 | DataType::U16);
        if dimensions != N || !(accessor.data_type() == DataType::F32 || shares) {
            let (has, of) = (accessor.data_type(), accessor.dimensions());
            return Err(format!("has {what} of {of:?} {has:?}, which should be Vec{N} F32"));
        }
        let width = accessor.data_type().size();
        let elements = self.elements(accessor)?;
        let number = |bytes: &[u8]| match (accessor.data_type(), bytes) {
            (DataType::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (DataType::U8, _) => whole(bytes) as f32 / 255.0,
            _ => whole(bytes) as f32 / 65535.0,
        };
        let vector = |bytes: &[u8]| std::array::from_fn(|i| number(&bytes[i * width..][..width]));
        Ok(elements.chunks_exact(N * width).map(vector).collect())
    }

    /// Indices of 8, 16 or 32 bits.
    pub(super) fn indices(&mut self, accessor: &Accessor<'_>) -> Result<Vec<u32>, String> {
        let unsigned = matches!(accessor.data_type(), DataType::U8 | DataType::U16 | DataType::U32);
        if accessor.dimensions() != Dimensions::Scalar || !unsigned {
            let (has, of) = (accessor.data_type(), accessor.dimensions());
            return Err(format!("has indices of {of:?} {has:?}, which should be Scalar U8, U16 or U32"));
        }
        let width = accessor.data_type().size();
        Ok(self.elements(accessor)?.chunks_exact(width).map(whole).collect())
    }
}

/// Up to four bytes, little endian.
fn whole(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// The bytes of `data:…;base64,…`.
fn embedded(uri: &str) -> Result<Vec<u8>, String> {
    let (_, text) = uri.split_once(";base64,").ok_or("has a `data:` buffer that is not base64")?;
    base64::engine::general_purpose::STANDARD
        .decode(text)
        .map_err(|why| format!("has a `data:` buffer that is broken: {why}"))
}

/// A path with its `%20`s undone.
fn plain(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

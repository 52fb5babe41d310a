//! Values into the bytes of a shader's type.
//!
//! i64 goes to i32 and u32 (checked) and to f32, f64 to f32, bool to u32 as 0 or 1. A vector's components follow the same
//! rules; to a vector of integers they go only if they are whole. Anything else is refused.

use crate::graph::Value;
use crate::shader::{Scalar, Type};

/// Writes `value` as `ty` at the start of `bytes`, without allocating.
///
/// # Errors
/// Why it cannot: the type takes no such value, or the number does not fit.
///
/// # Panics
/// If `bytes` is shorter than the type; blocks are as long as their layout.
pub fn write_value(bytes: &mut [u8], ty: &Type, value: Value) -> Result<(), &'static str> {
    match (ty, value) {
        (Type::Scalar(scalar), value) => put(bytes, scalar_bits(*scalar, value)?),
        (Type::Vector { size: 2, scalar }, Value::Vec2(v)) => vector(bytes, *scalar, &v)?,
        (Type::Vector { size: 3, scalar }, Value::Vec3(v)) => vector(bytes, *scalar, &v)?,
        (Type::Vector { size: 4, scalar }, Value::Vec4(v)) => vector(bytes, *scalar, &v)?,
        (Type::Matrix { columns: 4, rows: 4, scalar: Scalar::F32 }, Value::Mat4(columns)) => {
            bytes[..64].copy_from_slice(bytemuck::bytes_of(&columns));
        }
        (Type::Array { of, count: Some(6), stride: 16 }, Value::Planes(planes))
            if matches!(**of, Type::Vector { size: 4, scalar: Scalar::F32 }) =>
        {
            bytes[..96].copy_from_slice(bytemuck::bytes_of(&planes));
        }
        _ => return Err("a value of this kind does not go into that type"),
    }
    Ok(())
}

fn put(bytes: &mut [u8], word: u32) {
    bytes[..4].copy_from_slice(&word.to_le_bytes());
}

fn vector(bytes: &mut [u8], scalar: Scalar, components: &[f64]) -> Result<(), &'static str> {
    for (component, bytes) in components.iter().zip(bytes.chunks_exact_mut(4)) {
        let value = match scalar {
            Scalar::I32 | Scalar::U32 if component.trunc() == *component => Value::Int(*component as i64),
            _ => Value::Float(*component),
        };
        put(bytes, scalar_bits(scalar, value)?);
    }
    Ok(())
}

fn scalar_bits(scalar: Scalar, value: Value) -> Result<u32, &'static str> {
    match (scalar, value) {
        (Scalar::U32, Value::Int(it)) => u32::try_from(it).map_err(|_| "the number is outside of u32"),
        (Scalar::I32, Value::Int(it)) => {
            i32::try_from(it).map(i32::cast_unsigned).map_err(|_| "the number is outside of i32")
        }
        (Scalar::F32, Value::Int(it)) => Ok((it as f32).to_bits()),
        (Scalar::F32, Value::Float(it)) => Ok((it as f32).to_bits()),
        (Scalar::U32 | Scalar::Bool, Value::Bool(it)) => Ok(it.into()),
        _ => Err("a value of this kind does not go into that type"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(scalar: Scalar, value: Value) -> Result<u32, &'static str> {
        let mut bytes = [0; 4];
        write_value(&mut bytes, &Type::Scalar(scalar), value).map(|()| u32::from_le_bytes(bytes))
    }

    #[test]
    fn scalars_convert_as_the_design_says() {
        assert_eq!(word(Scalar::U32, Value::Int(7)), Ok(7));
        assert_eq!(word(Scalar::I32, Value::Int(-1)), Ok(u32::MAX));
        assert_eq!(word(Scalar::F32, Value::Int(2)), Ok(2f32.to_bits()));
        assert_eq!(word(Scalar::F32, Value::Float(0.5)), Ok(0.5f32.to_bits()));
        assert_eq!(word(Scalar::U32, Value::Bool(true)), Ok(1));
        assert!(word(Scalar::U32, Value::Int(-1)).is_err());
        assert!(word(Scalar::U32, Value::Float(1.0)).is_err());
        assert!(word(Scalar::F32, Value::Bool(true)).is_err());
        assert!(word(Scalar::U32, Value::Text(0)).is_err());
    }

    #[test]
    fn whole_components_go_into_vectors_of_integers() {
        let mut bytes = [0; 8];
        let ty = Type::Vector { size: 2, scalar: Scalar::U32 };
        assert_eq!(write_value(&mut bytes, &ty, Value::Vec2([3.0, 4.0])), Ok(()));
        assert_eq!(bytes, [3, 0, 0, 0, 4, 0, 0, 0]);
        assert!(write_value(&mut bytes, &ty, Value::Vec2([0.5, 4.0])).is_err());
        assert!(write_value(&mut bytes, &ty, Value::Vec3([1.0; 3])).is_err());
    }
}

//! `shaders/lib/packed_sphere.wgsl`, `cull/pack.wgsl` and `cull/packed_mask.wgsl`: spheres of 8 bytes that hold those they were
//! made from.

use glam::{Vec3, Vec4, Vec4Swizzles as _};

use super::cull::{View, bit, sees, sphere_sound};

/// A radius that is never seen: what is not a number.
pub const NEVER: u32 = 0;
/// A radius that is always seen: what the format cannot hold.
pub const ALWAYS: u32 = 65535;

const HALF: f32 = 32768.0;
const RADII: f32 = 65534.0;
const MOVED: f32 = 0.9;

/// What spheres are packed for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cube {
    /// Half an edge of the cube around the origin that centres are in, world units.
    pub extent: f32,
    /// The largest radius, world units.
    pub radius: f32,
}

/// The eight bytes of a sphere.
pub fn pack_sphere(sphere: Vec4, cube: Cube) -> [u32; 2] {
    if !sphere_sound(sphere) {
        return [0, NEVER];
    }
    let step = cube.extent / HALF;
    let place = (sphere.xyz() / step).round() + HALF;
    let radius = ((sphere.w.abs() + MOVED * step) / (cube.radius / RADII)).ceil() + 1.0;
    if place.min_element() < 0.0 || place.max_element() > 65535.0 || radius > RADII {
        return [0, ALWAYS << 16];
    }
    [place.x as u32 | (place.y as u32) << 16, place.z as u32 | (radius as u32) << 16]
}

/// Centre and radius of a packed sphere; none for what is never seen. What is always seen has an infinite radius.
pub fn unpack_sphere(packed: [u32; 2], cube: Cube) -> Option<Vec4> {
    let place = Vec3::new((packed[0] & 0xffff) as f32, (packed[0] >> 16) as f32, (packed[1] & 0xffff) as f32);
    let center = (place - HALF) * (cube.extent / HALF);
    match packed[1] >> 16 {
        NEVER => None,
        ALWAYS => Some(center.extend(f32::INFINITY)),
        code => Some(center.extend(code as f32 * (cube.radius / RADII))),
    }
}

/// 1 for each sphere that is enabled and that the camera may see, else 0.
pub fn cull(view: &View, bounds: &[[u32; 2]], enabled: &[u32], cube: Cube) -> Vec<u32> {
    let seen = |packed: &[u32; 2]| unpack_sphere(*packed, cube).is_some_and(|sphere| sees(view, sphere));
    bounds.iter().enumerate().map(|(at, packed)| u32::from(bit(enabled, at) && seen(packed))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CUBE: Cube = Cube { extent: 128.0, radius: 32.0 };

    #[test]
    fn what_cannot_be_held_is_seen_and_what_is_no_number_is_not() {
        for sphere in [Vec4::new(200.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 0.0, 0.0, 40.0), Vec4::W * f32::INFINITY] {
            let sphere = if sphere.x.is_nan() { Vec4::new(0.0, 0.0, 0.0, f32::INFINITY) } else { sphere };
            assert_eq!(unpack_sphere(pack_sphere(sphere, CUBE), CUBE).map(|s| s.w), Some(f32::INFINITY), "{sphere}");
        }
        for sphere in [Vec4::NAN, Vec4::new(f32::INFINITY, 0.0, 0.0, 1.0)] {
            assert_eq!(unpack_sphere(pack_sphere(sphere, CUBE), CUBE), None, "{sphere}");
        }
    }

    proptest! {
        #[test]
        fn a_packed_sphere_holds_its_own(
            center in [-127.9..127.9f32, -127.9..127.9f32, -127.9..127.9f32],
            radius in -31.0..31.0f32,
        ) {
            let packed = pack_sphere(Vec3::from_array(center).extend(radius), CUBE);
            let held = unpack_sphere(packed, CUBE).expect("it is sound");
            let moved = (held.xyz() - Vec3::from_array(center)).length();
            prop_assert!(f64::from(held.w) >= f64::from(radius.abs()) + f64::from(moved), "{held}");
            prop_assert!(held.w <= radius.abs() + 0.006, "not much larger: {held}");
        }
    }
}

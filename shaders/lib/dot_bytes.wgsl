// Products of four bytes at a time, for devices whose WGSL has no `dot4I8Packed`: bytes are sign-extended by shifting left and,
// as i32, right again.

fn dot_bytes(a: u32, b: u32) -> i32 {
    var sum = 0i;
    for (var byte = 0u; byte < 4u; byte++) {
        let shift = 24u - 8u * byte;
        sum += (bitcast<i32>(a << shift) >> 24u) * (bitcast<i32>(b << shift) >> 24u);
    }
    return sum;
}

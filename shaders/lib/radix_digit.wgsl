// One digit of a radix sort of pairs (key, value): four bits, blocks of 4,096 pairs, sixteen a thread of a workgroup of 256.

const RADIX_WIDTH: u32 = 256u;
const RADIX_PAIRS: u32 = 16u;
const RADIX_BLOCK: u32 = 4096u;
const RADIX_DIGITS: u32 = 16u;

struct RadixDigit {
    // Of its lowest bit.
    shift: u32,
}

fn radix_digit(pair: vec2u, shift: u32) -> u32 {
    return extractBits(pair.x, shift, 4u);
}

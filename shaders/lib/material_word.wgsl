// A material and flags in one word: bits 0 to 15 are the material's index, bits 16 to 23 flags. `reference::packing` is the same on
// the CPU.

const MATERIAL_TRANSPARENT: u32 = 1u;
const MATERIAL_GLOWING: u32 = 2u;

fn material_word(index: u32, flags: u32) -> u32 {
    return insertBits(insertBits(0u, index, 0u, 16u), flags, 16u, 8u);
}

fn material_index(word: u32) -> u32 {
    return extractBits(word, 0u, 16u);
}

fn material_flags(word: u32) -> u32 {
    return extractBits(word, 16u, 8u);
}

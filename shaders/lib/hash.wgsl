// Hashes of u32 (the permuted congruential generator of Jarzynski and Olano, JCGT 9(3), 2020).

fn hash(value: u32) -> u32 {
    let state = value * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// A hash as a number from 0 to below 1.
fn unit(bits: u32) -> f32 {
    return f32(bits >> 8u) / 16777216.0;
}

// The `k`-th random number of something that has the hash `seed`.
fn random(seed: u32, k: u32) -> f32 {
    return unit(hash(seed + k));
}

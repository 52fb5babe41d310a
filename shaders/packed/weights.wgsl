// Random weights: four signed bytes a word.
//   in   seed     any number
//   out  weights  array<u32>
//   dispatch      items one a word

#import "hash.wgsl"

override seed: u32;

@group(0) @binding(0) var<storage, read_write> weights: array<u32>;

@compute @workgroup_size(64)
fn deal(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&weights) {
        weights[id.x] = hash(hash(seed) + id.x);
    }
}

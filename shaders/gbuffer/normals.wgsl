// The normals of a pack of meshes as the vertex shader fetches them: 4 bytes each (snorm8x4), or 12.
//   in   packed_normals
//   in   vertices  array<MeshVertex>, as a pack of meshes has them
//   out  normals   array<u32>: a word a vertex, or the bits of three floats
//   dispatch       items one a vertex, folded

#import "index.wgsl"

const WG_SIZE: u32 = 64u;

// 32 bytes, without the padding that vectors would ask for.
struct MeshVertex {
    position: array<f32, 3>,
    normal: array<f32, 3>,
    uv: array<f32, 2>,
}

override packed_normals: bool;

@group(0) @binding(0) var<storage, read> vertices: array<MeshVertex>;
@group(0) @binding(1) var<storage, read_write> normals: array<u32>;

@compute @workgroup_size(WG_SIZE)
fn pack(
    @builtin(global_invocation_id) global_invocation_id: vec3u,
    @builtin(num_workgroups) num_workgroups: vec3u,
) {
    let vertex = linear_index(global_invocation_id, num_workgroups, WG_SIZE);
    if vertex >= arrayLength(&vertices) {
        return;
    }
    let direct = vertices[vertex].normal;
    let normal = vec3f(direct[0], direct[1], direct[2]);
    if packed_normals {
        normals[vertex] = pack4x8snorm(vec4f(normal, 0.0));
    } else {
        normals[3u * vertex] = bitcast<u32>(normal.x);
        normals[3u * vertex + 1u] = bitcast<u32>(normal.y);
        normals[3u * vertex + 2u] = bitcast<u32>(normal.z);
    }
}

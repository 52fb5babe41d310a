// From the bits of all tiles to the list.
//   in   mask         array<u32>: one bit an instance
//   in   tile_starts  array<u32>: bits set in the tiles of its span before each tile
//   in   span_counts  array<u32>, up to 2,048 elements: bits set in each span
//   and what `tile_list.wgsl` wants
//
// There is no pass for the sum over spans: a workgroup adds up those before its own, at most eight numbers an invocation. They are
// few and stay in the caches.

#import "tile_list.wgsl"

var<workgroup> sh_base: atomic<u32>;

// Called by all in uniform control flow, once. `group`: of all workgroups.
fn scatter_tile(group: u32, seat: Seat, team: Team) {
    let tiles = arrayLength(&tile_starts);
    let parts = tile_parts(tiles);
    let tile = group / parts;
    if tile >= tiles {
        return;
    }
    let at = tile * TILE_WIDTH + seat.place;
    let last = arrayLength(&mask) - 1u;
    let word = select(0u, mask[min(at, last)], at <= last);
    let own = select(0u, tile_starts[tile], seat.place == 0u);
    let earlier = seat_sum(seat, team, own + counts_before(tile / span_tiles(tiles), seat.place));
    if earlier != 0u {
        atomicAdd(&sh_base, earlier);
    }
    // Its barrier stands between these additions and their sum.
    let ranked = seat_scan(seat, team, countOneBits(word));
    list_tile(Tile(tile, tiles, group % parts, parts, atomicLoad(&sh_base)), seat.place, word, ranked);
}

// This invocation's share of what is set before a span.
fn counts_before(span: u32, place: u32) -> u32 {
    var sum = 0u;
    for (var other = place; other < span; other += 4u * TILE_WIDTH) {
        let near = vec2u(count_before(span, other), count_before(span, other + TILE_WIDTH));
        let far = vec2u(count_before(span, other + 2u * TILE_WIDTH), count_before(span, other + 3u * TILE_WIDTH));
        sum += near.x + near.y + far.x + far.y;
    }
    return sum;
}

// The count of a span, if it stands before `span`. No branch: the reads are under way together.
fn count_before(span: u32, other: u32) -> u32 {
    return select(0u, span_counts[min(other, span)], other < span);
}

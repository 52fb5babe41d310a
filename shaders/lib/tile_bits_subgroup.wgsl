// The bits of a tile, by ballots.
//
// A subgroup of s invocations takes 32 * s instances that stand side by side, s at a time: a ballot a round, 32 rounds, one
// word for each invocation. The importing shader imports `tile_seat_subgroup.wgsl` and declares `fn is_visible(index: u32) -> bool`,
// false behind the last instance.

#import "tile_bits_shared.wgsl"

// The bits of this invocation's word. Called by all in uniform control flow; may be called again.
fn tile_word(tile: u32, seat: Seat, team: Team) -> u32 {
    if !team.full {
        return shared_word(tile, seat.place);
    }
    let size = team.size;
    let first = tile * TILE + seat.subgroup * 32u * size + seat.lane;
    var word = 0u;
    // Eight reads are on their way at a time.
    for (var round = 0u; round < 32u; round += 8u) {
        let at = first + round * size;
        let low = vec4<bool>(
            is_visible(at), is_visible(at + size), is_visible(at + 2u * size), is_visible(at + 3u * size),
        );
        let high = vec4<bool>(
            is_visible(at + 4u * size), is_visible(at + 5u * size), is_visible(at + 6u * size), is_visible(at + 7u * size),
        );
        word |= share(subgroupBallot(low.x), round, seat, team) | share(subgroupBallot(low.y), round + 1u, seat, team);
        word |= share(subgroupBallot(low.z), round + 2u, seat, team) | share(subgroupBallot(low.w), round + 3u, seat, team);
        word |= share(subgroupBallot(high.x), round + 4u, seat, team) | share(subgroupBallot(high.y), round + 5u, seat, team);
        word |= share(subgroupBallot(high.z), round + 6u, seat, team) | share(subgroupBallot(high.w), round + 7u, seat, team);
    }
    return word;
}

// What a round's ballot says about this invocation's word: a whole word of it, a part that is moved to its place, or nothing.
fn share(ballot: vec4u, round: u32, seat: Seat, team: Team) -> u32 {
    let bit = round * team.size;
    let which = seat.lane - bit / 32u;
    let part = select(
        select(ballot.x, ballot.y, which == 1u), select(ballot.z, ballot.w, which == 3u), which >= 2u,
    );
    return select(0u, part << (bit % 32u), which < max(1u, team.size / 32u));
}

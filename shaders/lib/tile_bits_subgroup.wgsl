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
        let low = see_four(at, size);
        let high = see_four(at + 4u * size, size);
        word |= gather(low, round, seat, team) | gather(high, round + 4u, seat, team);
    }
    return word;
}

fn see_four(at: u32, step: u32) -> vec4<bool> {
    return vec4<bool>(is_visible(at), is_visible(at + step), is_visible(at + 2u * step), is_visible(at + 3u * step));
}

// What four rounds say about this invocation's word.
fn gather(seen: vec4<bool>, round: u32, seat: Seat, team: Team) -> u32 {
    let x = subgroupBallot(seen.x);
    let y = subgroupBallot(seen.y);
    let z = subgroupBallot(seen.z);
    let w = subgroupBallot(seen.w);
    // A ballot is a word: the common case, and several times less to do than in general.
    if team.size == 32u {
        let rounds = vec4u(round) + vec4u(0u, 1u, 2u, 3u);
        let mine = select(vec4u(0u), vec4u(x.x, y.x, z.x, w.x), rounds == vec4u(seat.lane));
        return mine.x | mine.y | mine.z | mine.w;
    }
    return share(x, round, seat, team) | share(y, round + 1u, seat, team) | share(z, round + 2u, seat, team)
        | share(w, round + 3u, seat, team);
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

// How the 256 invocations of a workgroup work together, by subgroups of any size from 4 to 128.
//
// Where subgroups are not full, which drivers may do, workgroup memory is used as in `tile_seat.wgsl`.

#import "tile_size.wgsl"
#import "scan.wgsl"

// Workgroups that list a tile: several where there are few tiles, since a device would idle.
fn tile_parts(tiles: u32) -> u32 {
    return select(1u, 4u, tiles <= 256u);
}

// What differs between the invocations.
struct Seat {
    // The word of a tile that is this invocation's: another one for each, 0 to 255.
    place: u32,
    // Of its subgroup, and which one that is.
    lane: u32,
    subgroup: u32,
}

// What is alike for all of them.
struct Team {
    // Invocations of a subgroup.
    size: u32,
    subgroups: u32,
    // All subgroups are full.
    full: bool,
}

var<workgroup> sh_parts: array<u32, 64>;

fn take_team(size: u32, subgroups: u32) -> Team {
    return Team(size, subgroups, size * subgroups == TILE_WIDTH);
}

fn take_seat(local_invocation_index: u32, lane: u32, subgroup: u32, team: Team) -> Seat {
    return Seat(select(local_invocation_index, subgroup * team.size + lane, team.full), lane, subgroup);
}

// The sums of `value` over the places before this one and over all. Called by all in uniform control flow; between two calls there is a
// barrier.
fn seat_scan(seat: Seat, team: Team, value: u32) -> Ranked {
    if !team.full {
        return workgroup_scan(seat.place, value);
    }
    let before = subgroupExclusiveAdd(value);
    if seat.lane == team.size - 1u {
        sh_parts[seat.subgroup] = before + value;
    }
    workgroupBarrier();
    var ranked = Ranked(before, 0u);
    for (var other = 0u; other < team.subgroups; other++) {
        ranked.before += select(0u, sh_parts[other], other < seat.subgroup);
        ranked.total += sh_parts[other];
    }
    return ranked;
}

// Values with the same sum over the workgroup, most of them zero.
fn seat_sum(seat: Seat, team: Team, value: u32) -> u32 {
    return select(0u, subgroupAdd(value), seat.lane == 0u);
}

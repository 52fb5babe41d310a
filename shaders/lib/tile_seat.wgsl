// How the 256 invocations of a workgroup work together, for any device. `tile_seat_subgroup.wgsl` has the same functions for
// devices with subgroups; a shader imports one of the two.

#import "tile_size.wgsl"
#import "scan.wgsl"

// Workgroups that list a tile: sums over all are dear without subgroups, so one does it alone.
fn tile_parts(tiles: u32) -> u32 {
    return 1u;
}

// What differs between the invocations.
struct Seat {
    // The word of a tile that is this invocation's: another one for each, 0 to 255.
    place: u32,
}

// What is alike for all of them.
struct Team {
    // Invocations.
    size: u32,
}

// The sums of `value` over the places before this one and over all. Called by all in uniform control flow; between two calls there is a
// barrier.
fn seat_scan(seat: Seat, team: Team, value: u32) -> Ranked {
    return workgroup_scan(seat.place, value);
}

// Values with the same sum over the workgroup, most of them zero where that is cheap to have.
fn seat_sum(seat: Seat, team: Team, value: u32) -> u32 {
    return value;
}

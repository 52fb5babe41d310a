// One pass over tiles: each publishes its count and finds the counts of those before it. Decoupled look-back (D. Merrill and
// M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016) with decoupled fallback (T. Smith, R. Levien and
// J. Owens, 2024): who waited in vain counts the missing tile itself, so that it ends on devices that promise no progress of
// other workgroups. Tiles are taken in the order in which workgroups start.
//   io   states  array<u32>, 64 + tiles elements, zeros on the way in and again on the way out: tickets given, workgroups
//                done, and from element 64 on a state a tile
//   and what `tile_list.wgsl` wants
//
// A state is one word, because WGSL orders no two of them: what is known in the top two bits, the number below. More is
// known by a larger word, so atomicMax never takes anything back, whoever publishes.

#import "tile_list.wgsl"

// What is known of a tile: how many it has; how many it and all before it have.
const OWN: u32 = 0x40000000u;
const ALL: u32 = 0x80000000u;
const NUMBER: u32 = 0x3fffffffu;
// Element of the first tile: the tickets stand in a line of memory of their own.
const STATES: u32 = 64u;
// Looks at a tile that has published nothing before it is counted here.
const PATIENCE: u32 = 16u;

struct Found {
    // Tiles that could be taken in, and what they have together.
    usable: u32,
    sum: u32,
    // 1 if nothing before them has to be looked at.
    complete: u32,
}

var<workgroup> sh_ticket: u32;
var<workgroup> sh_complete: atomic<u32>;
var<workgroup> sh_missing: atomic<u32>;
var<workgroup> sh_sum: atomic<u32>;
var<workgroup> sh_found: Found;
var<workgroup> sh_own: u32;

// Called by all in uniform control flow, once. `groups`: workgroups of the dispatch.
fn look_back_tiles(tiles: u32, groups: u32, seat: Seat, team: Team) {
    if seat.place == 0u {
        sh_ticket = atomicAdd(&states[0], 1u);
    }
    let tile = workgroupUniformLoad(&sh_ticket);
    if tile < tiles {
        let word = tile_word(tile, seat, team);
        let ranked = seat_scan(seat, team, countOneBits(word));
        if seat.place == 0u {
            sh_own = ranked.total;
            publish(tile, select(OWN, ALL, tile == 0u) | ranked.total);
        }
        let own = workgroupUniformLoad(&sh_own);
        let base = look_back(tile, seat, team);
        if seat.place == 0u {
            publish(tile, ALL | (base + own));
        }
        list_tile(Tile(tile, tiles, 0u, 1u, base), seat.place, word, ranked);
    }
    leave(tiles, groups, seat.place);
}

fn publish(tile: u32, state: u32) {
    atomicMax(&states[STATES + tile], state);
}

// How many all tiles before this one have. A round either ends, or takes tiles in, or costs patience; a tile that was counted
// here can be taken in. So the rounds are bounded, whatever the other workgroups do.
fn look_back(tile: u32, seat: Seat, team: Team) -> u32 {
    var base = 0u;
    var left = tile;
    var patience = PATIENCE;
    let rounds = (PATIENCE + 2u) * (tile + 1u);
    for (var round = 0u; round < rounds && left > 0u; round++) {
        let found = look(left, seat, team);
        base += found.sum;
        if found.complete != 0u {
            break;
        }
        left -= found.usable;
        patience = select(patience - 1u, PATIENCE, found.usable > 0u);
        if patience == 0u {
            count_for(left - 1u, seat, team);
            patience = PATIENCE;
        }
    }
    return base;
}

// Looks at the last 256 of the first `left` tiles at once, the nearest one from place 0.
fn look(left: u32, seat: Seat, team: Team) -> Found {
    if seat.place == 0u {
        atomicStore(&sh_complete, TILE_WIDTH);
        atomicStore(&sh_missing, TILE_WIDTH);
        atomicStore(&sh_sum, 0u);
    }
    workgroupBarrier();
    // Before the first tile there is nothing, and that is all.
    var state = ALL;
    if seat.place < left {
        state = atomicLoad(&states[STATES + left - 1u - seat.place]);
    }
    if state == 0u {
        atomicMin(&sh_missing, seat.place);
    } else if state >= ALL {
        atomicMin(&sh_complete, seat.place);
    }
    workgroupBarrier();
    let missing = atomicLoad(&sh_missing);
    let complete = atomicLoad(&sh_complete);
    let usable = min(missing, complete + 1u);
    let part = seat_sum(seat, team, select(0u, state & NUMBER, seat.place < usable));
    if part != 0u {
        atomicAdd(&sh_sum, part);
    }
    workgroupBarrier();
    if seat.place == 0u {
        sh_found = Found(min(usable, TILE_WIDTH), atomicLoad(&sh_sum), u32(complete < missing));
    }
    return workgroupUniformLoad(&sh_found);
}

// Counts a tile that another workgroup has taken and not published.
fn count_for(tile: u32, seat: Seat, team: Team) {
    let part = seat_sum(seat, team, countOneBits(tile_word(tile, seat, team)));
    if seat.place == 0u {
        atomicStore(&sh_sum, 0u);
    }
    workgroupBarrier();
    if part != 0u {
        atomicAdd(&sh_sum, part);
    }
    workgroupBarrier();
    if seat.place == 0u {
        publish(tile, select(OWN, ALL, tile == 0u) | atomicLoad(&sh_sum));
    }
    workgroupBarrier();
}

// The last workgroup leaves the states as the next frame wants them: nobody looks at them any more.
fn leave(tiles: u32, groups: u32, place: u32) {
    storageBarrier();
    if place == 0u {
        sh_ticket = atomicAdd(&states[1], 1u);
    }
    if workgroupUniformLoad(&sh_ticket) + 1u != groups {
        return;
    }
    for (var at = place; at < STATES + tiles; at += TILE_WIDTH) {
        atomicStore(&states[at], 0u);
    }
}

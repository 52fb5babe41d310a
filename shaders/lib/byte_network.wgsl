// A network of three layers in whole numbers of 8 bits, four of them a word: 4 inputs, 16, 16, 4 outputs. The importing shader declares
// `weights: array<u32>` of 96 words and `product(a: u32, b: u32) -> i32`, the sum of the products of four signed bytes.
// `reference::packing` is the same on the CPU, to the bit.

const NETWORK_WORDS: u32 = 96u;

// A wave of straight lines, from -127 to 127: what a sine would be without fractions.
fn network_wave(sum: i32) -> i32 {
    let phase = (sum >> 7u) & 511;
    return clamp(select(phase - 128, 384 - phase, phase > 255), -127, 127);
}

fn network(inputs: vec4i) -> vec4i {
    let first = pack4xI8Clamp(inputs);
    var hidden: array<u32, 4>;
    for (var word = 0u; word < 4u; word++) {
        var four: vec4i;
        for (var k = 0u; k < 4u; k++) {
            four[k] = network_wave(product(first, weights[4u * word + k]));
        }
        hidden[word] = pack4xI8(four);
    }
    var deeper: array<u32, 4>;
    for (var word = 0u; word < 4u; word++) {
        var four: vec4i;
        for (var k = 0u; k < 4u; k++) {
            four[k] = network_wave(network_neuron(hidden, 16u + 4u * (4u * word + k)));
        }
        deeper[word] = pack4xI8(four);
    }
    var out: vec4i;
    for (var k = 0u; k < 4u; k++) {
        out[k] = network_wave(network_neuron(deeper, 80u + 4u * k));
    }
    return out;
}

fn network_neuron(values: array<u32, 4>, first: u32) -> i32 {
    var all = values;
    var sum = 0;
    for (var word = 0u; word < 4u; word++) {
        sum += product(all[word], weights[first + word]);
    }
    return sum;
}

// Colours, linear.

// A closed walk through colours: offset, amplitude and phase a channel (I. Quilez).
fn palette(t: f32, phase: vec3f) -> vec3f {
    return 0.5 + 0.5 * cos(6.2831853 * (vec3f(t) + phase));
}

// From light to what a screen shows, 0 to 1; bright colours bend to white (the fit of K. Narkowicz to ACES).
fn tonemap(light: vec3f) -> vec3f {
    return saturate(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14));
}

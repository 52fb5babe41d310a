//! Rules about order: what makes a plan impossible.

use crate::diagnostic::{Rule, rule};

rule! {
    /// ## What it does
    /// Finds passes that wait for each other, by what they read and write or by `after`, and a pass that is told to come
    /// after itself. Prints the shortest way around, with both places of each step.
    ///
    /// ## Why is this bad?
    /// No order satisfies it.
    ///
    /// ## Example
    /// ```ron
    /// Dispatch(name: "blur", shader: "blur.wgsl", items: 64, after: ["blur"]),
    /// ```
    ///
    /// ## Use instead
    /// Remove one step of the way: an `after`, or one access by giving one of the passes a resource of its own.
    pub DEPENDENCY_CYCLE = Error "dependency-cycle": "passes wait for each other";

    /// ## What it does
    /// Finds reads of a resource that holds nothing yet: nothing writes it, only the reader itself does, or several passes
    /// below the reader do, so that it is open which of their values is meant.
    ///
    /// ## Why is this bad?
    /// A transient holds nothing when a frame starts, and its memory may have been another's. What is read would depend on
    /// which transients share memory.
    ///
    /// ## Example
    /// ```ron
    /// passes: [
    ///     Dispatch(name: "blur_x", shader: "blur.wgsl", items: 64),   // reads `half`
    ///     Dispatch(name: "shrink", shader: "shrink.wgsl", items: 64), // writes `half`
    ///     Dispatch(name: "tint", shader: "tint.wgsl", items: 64),     // reads and writes `half`
    /// ],
    /// ```
    ///
    /// ## Use instead
    /// Move the reader below the writer that it means. If it means what the last frame left, make the resource `Persistent`,
    /// or a `History` and read its `.previous`.
    pub READ_BEFORE_WRITE = Error "read-before-write": "a pass reads what nothing wrote";

    /// ## What it does
    /// Finds passes that add to a transient, by atomics, that nothing wrote in this frame.
    ///
    /// ## Why is this bad?
    /// The sum starts from whatever the memory held: it grows from frame to frame, or starts from another resource's bytes.
    ///
    /// ## Example
    /// ```ron
    /// Dispatch(name: "cull", shader: "cull.wgsl", items: "instances"), // adds to `counts`
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// ClearBuffer(name: "reset", target: "counts"),
    /// Dispatch(name: "cull", shader: "cull.wgsl", items: "instances"),
    /// ```
    pub UNCLEARED_ACCUMULATOR = Error "uncleared-accumulator": "a counter is added to and never cleared";

    /// ## What it does
    /// Finds resources that `Once` passes and the frame share although they keep nothing between frames, and ports that
    /// `Once` passes write.
    ///
    /// ## Why is this bad?
    /// `Once` passes run before the frame, and not in every frame. What they write must last.
    ///
    /// ## Example
    /// ```ron
    /// "objects": Buffer(count: "instances"),
    /// Dispatch(name: "scatter", shader: "scatter.wgsl", items: "instances", run: Once), // writes `objects`
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "objects": Buffer(count: "instances", lifetime: Persistent),
    /// ```
    pub ONCE_SHARES_TRANSIENT = Error "once-shares-transient": "a `Once` pass and the frame share what does not last";

    /// ## What it does
    /// Finds `Once` passes that are told to come after a pass of the frame, or after a `Once` pass below them.
    ///
    /// ## Why is this bad?
    /// `Once` passes run before the frame, in the order of the file.
    ///
    /// ## Example
    /// ```ron
    /// Dispatch(name: "scatter", shader: "scatter.wgsl", items: 64, run: Once, after: ["draw"]),
    /// ```
    ///
    /// ## Use instead
    /// Remove the `after`, or let the pass run in each frame.
    pub ONCE_AFTER_FRAME = Error "once-after-frame": "a `Once` pass is told to come after what runs later";

    /// ## What it does
    /// Finds passes whose `when` reads `frame.*` and that write something else than `Persistent` resources.
    ///
    /// ## Why is this bad?
    /// In the frames in which such a pass does not run, its readers would get nothing.
    ///
    /// ## Example
    /// ```ron
    /// "sorted": Buffer(count: 1024),
    /// Dispatch(name: "sort", shader: "sort.wgsl", items: 1024, when: "frame.index % 2 == 0"), // writes `sorted`
    /// ```
    ///
    /// ## Use instead
    /// ```ron
    /// "sorted": Buffer(count: 1024, lifetime: Persistent),
    /// ```
    pub CONDITIONAL_WRITE = Error "conditional-write": "a pass that does not run in every frame writes what does not last";

    /// ## What it does
    /// Refuses frames with more than four million hazards.
    ///
    /// ## Why is this bad?
    /// Only textures with thousands of parts, each written and read by passes of their own, get there. Planning would take
    /// seconds and gigabytes.
    ///
    /// ## Example
    /// Two thousand passes that each write one layer, above two thousand that each read all of them.
    ///
    /// ## Use instead
    /// Read the layers that are needed, or write several in one pass.
    pub TOO_MANY_HAZARDS = Error "too-many-hazards": "the frame has more hazards than can be planned";
}

/// All rules of this layer.
pub static ALL: &[&Rule] = &[
    &DEPENDENCY_CYCLE,
    &READ_BEFORE_WRITE,
    &UNCLEARED_ACCUMULATOR,
    &ONCE_SHARES_TRANSIENT,
    &ONCE_AFTER_FRAME,
    &CONDITIONAL_WRITE,
    &TOO_MANY_HAZARDS,
];

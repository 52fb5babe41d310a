//! An allocator that counts, thread by thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is going away has nothing left to count with.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

#[allow(unsafe_code, reason = "an allocator is unsafe by its trait; this one only forwards")]
// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often `work` allocates on this thread.
pub(crate) fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = COUNT.get();
    let done = work();
    (COUNT.get() - before, done)
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| std::hint::black_box(Box::new(1))).0, 1);
    assert_eq!(allocations(|| 1 + 1).0, 0);
}

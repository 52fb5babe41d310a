//! What keys do. The help is made of this table.

use egui::Key;

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Help,
    Reload,
    Screenshot,
    Pause,
    Step,
    Vsync,
    Freeze,
    Reset,
    Home,
    Focus,
    CopyCamera,
    Graph,
    Panel,
    Both,
    Flip,
    Next,
    Choose(u8),
    Close,
}

/// Key, its name in the help, what it does.
pub(super) const KEYS: [(Key, &str, &str, Action); 17] = [
    (Key::Tab, "Tab", "next choice of the first strategy (Shift: the one before)", Action::Next),
    (Key::B, "B", "compare: hold the present setting as B, or let go of it", Action::Both),
    (Key::X, "X", "flip between A, B, split and difference", Action::Flip),
    (Key::F, "F", "freeze what compute passes see of the camera, and show its frustum", Action::Freeze),
    (Key::G, "G", "the graph as a picture", Action::Graph),
    (Key::P, "P", "hide or show the panel", Action::Panel),
    (Key::Space, "Space", "pause or go on", Action::Pause),
    (Key::Period, ".", "one frame", Action::Step),
    (Key::R, "R", "reset what lasts from frame to frame", Action::Reset),
    (Key::Home, "Home", "the file's camera", Action::Home),
    (Key::O, "O", "look at what the file's camera looks at", Action::Focus),
    (Key::C, "C", "copy the camera as RON", Action::CopyCamera),
    (Key::V, "V", "vertical synchronization", Action::Vsync),
    (Key::F1, "F1", "this help", Action::Help),
    (Key::F5, "F5", "read all files again", Action::Reload),
    (Key::F12, "F12", "a picture of the window as PNG", Action::Screenshot),
    (Key::Escape, "Esc", "close what is open", Action::Close),
];

/// What the mouse does.
pub(super) const MOUSE: [(&str, &str); 6] = [
    ("1 … 9", "a choice of the first strategy"),
    ("Left drag", "turn around the target"),
    ("Middle drag, Shift + left drag", "move along"),
    ("Alt + left drag", "move the edge between A and B"),
    ("Wheel", "go nearer, go away"),
    ("Right drag + W A S D Q E", "fly (Shift: faster)"),
];

const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// What a key means, if it means something.
pub(super) fn action(key: Key) -> Option<Action> {
    let digit = DIGITS.iter().position(|digit| *digit == key).and_then(|at| u8::try_from(at).ok());
    let known = KEYS.iter().find(|(known, ..)| *known == key).map(|(.., action)| *action);
    digit.map(Action::Choose).or(known)
}

//! winit's events, one after another.

mod play;
mod show;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use winit::application::ApplicationHandler;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::keyboard::{Key as WinitKey, NamedKey};
use winit::window::{Window, WindowId};

use self::show::Panel;
use super::face::Face;
use super::keys::{self, Action};
use super::screen::Screen;
use super::script::{self, Step};
use super::stage::{Source, Stage};
use super::watching::{Told, Watching};
use super::{Options, ViewError, style};
use crate::gpu::{DeviceOptions, Gpu, adapters, instance};
use crate::session::{Event, Place};

/// Opens the window and stays until it is closed. Whether nothing was wrong with the graph in the end.
///
/// # Errors
/// No display, no adapter, or a script that makes no sense or does not get what it waits for.
pub fn run(options: Options) -> Result<bool, ViewError> {
    let script = options.script.as_deref().map(script::parse).transpose().map_err(ViewError::Script)?;
    let no_display = |why: winit::error::EventLoopError| ViewError::NoDisplay { why: why.to_string() };
    let events = EventLoop::<Told>::with_user_event().build().map_err(no_display)?;
    let mut app = App::new(options, script.unwrap_or_default(), events.create_proxy());
    events.run_app(&mut app).map_err(no_display)?;
    let is_good = app.live.as_ref().is_none_or(|live| live.stage.a.session.faults().next().is_none());
    if let Some(live) = app.live.take_if(|live| live.stage.has_hung()) {
        // Dropping it would wait for a frame that does not end.
        std::mem::forget(live);
    }
    app.ended.map(|()| is_good)
}

/// What there is only with a window.
struct Live {
    screen: Screen,
    stage: Stage,
    egui: egui::Context,
    state: egui_winit::State,
    watching: Watching,
    /// A frame was drawn that is not presented yet.
    drawn: bool,
    /// The panel as it was shown last.
    panel: Panel,
}

struct App {
    options: Option<Options>,
    say: Box<dyn FnMut(&str)>,
    proxy: EventLoopProxy<Told>,
    live: Option<Live>,
    face: Face,
    steps: std::collections::VecDeque<Step>,
    /// A script stands in for a person.
    is_scripted: bool,
    /// When the present step of the script began.
    step_since: Instant,
    /// Builds that were done when the script settled or wrote last.
    builds: u64,
    /// When the program that draws took its place.
    since: Option<SystemTime>,
    shoot: Vec<PathBuf>,
    again: Instant,
    /// When the panel is to be shown anew by itself.
    stale: Instant,
    /// It is to be shown anew at once.
    is_asked: bool,
    quit: bool,
    ended: Result<(), ViewError>,
}

impl App {
    fn new(mut options: Options, steps: Vec<Step>, proxy: EventLoopProxy<Told>) -> Self {
        let say = std::mem::replace(&mut options.say, Box::new(|_| {}));
        Self {
            options: Some(options),
            say,
            proxy,
            live: None,
            face: Face::new(),
            is_scripted: !steps.is_empty(),
            steps: steps.into(),
            step_since: Instant::now(),
            builds: 0,
            since: None,
            shoot: Vec::new(),
            again: Instant::now(),
            stale: Instant::now(),
            is_asked: true,
            quit: false,
            ended: Ok(()),
        }
    }

    fn open(&mut self, events: &ActiveEventLoop, options: Options) -> Result<Live, ViewError> {
        let title = format!("{} — rondag", options.session.top);
        let [width, height] = options.session.settings.surface;
        let size = winit::dpi::PhysicalSize::new(width, height);
        let attributes = Window::default_attributes().with_title(title).with_inner_size(size);
        let window = events.create_window(attributes).map_err(|why| ViewError::NoDisplay { why: why.to_string() })?;
        let window = Arc::new(window);
        let instance = instance(DeviceOptions::default());
        let adapter = options.pick.choose(adapters(&instance))?;
        let gpu = Gpu::on(&adapter)?;
        let screen = Screen::new(Arc::clone(&window), instance, adapter, gpu.clone())?;
        let again = screen.adapter();
        let source = Source {
            door: options.door,
            root: options.root,
            options: options.session,
            device: Arc::new(move || Gpu::on(&again)),
        };
        let thread =
            |why: std::io::Error| ViewError::System { what: "a thread could not be started", why: why.to_string() };
        let mut stage = Stage::new(source, gpu).map_err(thread)?;
        if let Some(camera) = options.camera {
            stage.control.put(camera);
        }
        let proxy = self.proxy.clone();
        let tell = move |told| {
            // The window may be closed already.
            let _ = proxy.send_event(told);
        };
        let watching = Watching::new(options.poll, tell).map_err(thread)?;
        let (egui, state) = panel(&window, &stage, self.is_scripted);
        Ok(Live { screen, stage, egui, state, watching, drawn: false, panel: Panel::default() })
    }

    /// One frame of the window.
    fn redraw(&mut self) {
        let Some(live) = &mut self.live else { return };
        let happened = live.stage.tick();
        self.happened(&happened);
        let Some(live) = &mut self.live else { return };
        // Software adapters present when all submitted work is done, and wait for it: a frame that does not end would hold up
        // the window as well.
        let is_due = !live.screen.is_software() || live.stage.is_idle();
        if is_due && !live.drawn {
            self.follow_script();
            let Some(live) = &mut self.live else { return };
            live.stage.draw();
            live.drawn = true;
        }
        let Some(live) = &mut self.live else { return };
        if live.screen.is_software() && !live.stage.is_idle() {
            self.again = Instant::now() + Duration::from_micros(500);
            return;
        }
        live.drawn = false;
        self.show();
    }

    fn happened(&mut self, events: &[Event]) {
        for event in events {
            match event {
                Event::Swapped => self.swapped(),
                Event::Faulty(found) => {
                    for fault in found {
                        (self.say)(fault.text.trim_end());
                    }
                    self.refresh();
                }
                Event::Closure(_) => {
                    if let Some(live) = &self.live {
                        live.watching.set(live.stage.files());
                    }
                }
                Event::Device => self.adopt(),
            }
        }
    }

    fn swapped(&mut self) {
        self.since = Some(SystemTime::now());
        // The picture comes first, with the next frame; the panel after it.
        self.stale = Instant::now();
        let Some(live) = &self.live else { return };
        if let Some(program) = live.stage.a.session.program() {
            self.face.picture.lay_out(program.graph(), program.plan());
            self.face.picture.refit();
        }
    }

    /// The window on another device.
    fn adopt(&mut self) {
        self.since = None;
        let Some(live) = &mut self.live else { return };
        let (gpu, has_hung) = (live.stage.a.session.gpu().clone(), live.stage.has_hung());
        let adopted = live.screen.adopt(gpu, has_hung);
        (live.egui, live.state) = panel(&live.screen.window, &live.stage, self.is_scripted);
        live.panel = Panel::default();
        self.refresh();
        if let Err(why) = adopted {
            self.ended = Err(why.into());
            self.quit = true;
        }
    }

    fn notice(&mut self, text: &str) {
        (self.say)(text);
        self.face.notice(text);
        self.refresh();
    }

    /// Does what was asked for by keys and buttons.
    fn act(&mut self) {
        let keys = self.live.as_ref().filter(|live| !live.egui.egui_wants_keyboard_input()).map(|live| {
            live.egui.input(|input| {
                let pressed = input.events.iter().filter_map(|event| match event {
                    egui::Event::Key { key, pressed: true, repeat: false, modifiers, .. }
                        if !modifiers.command && !input.pointer.secondary_down() =>
                    {
                        keys::action(*key)
                    }
                    _ => None,
                });
                pressed.collect::<Vec<_>>()
            })
        });
        let asked: Vec<_> = self.face.asked.drain(..).chain(keys.unwrap_or_default()).collect();
        for action in asked {
            self.do_one(action, false);
        }
        if let Some(place) = self.face.opened.take() {
            self.open_place(&place);
        }
    }

    fn do_one(&mut self, action: Action, shift: bool) {
        let Some(live) = &mut self.live else { return };
        let stage = &mut live.stage;
        match action {
            Action::Help => self.face.help = !self.face.help,
            Action::Panel => self.face.panel = !self.face.panel,
            Action::Graph => self.face.graph = !self.face.graph,
            Action::Reload => stage.a.session.revive(),
            Action::Pause => stage.paused = !stage.paused,
            Action::Step => (stage.paused, stage.due) = (true, stage.due + 1),
            Action::Freeze => stage.toggle_frozen(),
            Action::Reset => stage.a.session.reset(),
            Action::Home => stage.control.go_home(),
            Action::Focus => stage.control.focus(),
            Action::CopyCamera => {
                live.egui.copy_text(stage.control.ron());
                self.face.notice("the camera is on the clipboard");
            }
            Action::Both => stage.toggle_b(),
            Action::Flip => stage.flip(),
            Action::Next => stage.next_choice(!shift),
            Action::Choose(at) => {
                if let Err(why) = stage.choose(at.into()) {
                    self.face.notice(why);
                }
            }
            Action::Vsync => {
                let on = live.screen.toggle_vsync();
                self.face.notice(if on { "vsync on" } else { "vsync off" });
            }
            Action::Screenshot => self.shoot.push(self.picture_name()),
            Action::Close => {
                (self.face.help, self.face.graph) = (false, false);
                stage.inspect(None);
            }
        }
        if let Some(live) = &mut self.live {
            live.stage.due = live.stage.due.max(1);
            live.screen.window.request_redraw();
        }
        self.refresh();
    }

    /// `culled_scene-12-30-05.png`.
    fn picture_name(&self) -> PathBuf {
        let graph = self.live.as_ref().and_then(|live| live.stage.graph()).map_or("rondag", |graph| &graph.name);
        let time = super::overlay::clock(SystemTime::now()).replace(':', "-");
        format!("{graph}-{time}.png").into()
    }

    /// Copies a place and opens it in the user's editor.
    fn open_place(&mut self, place: &Place) {
        let Some(live) = &self.live else { return };
        live.egui.copy_text(place.to_string());
        let file = live.stage.root().join(&place.path);
        let editor = std::env::var("VISUAL").or_else(|_| std::env::var("EDITOR")).unwrap_or_default();
        let mut words = editor.split_whitespace();
        let Some(program) = words.next() else { return self.face.notice(format!("copied {place}")) };
        let mut command = std::process::Command::new(program);
        command.args(words);
        let name = std::path::Path::new(program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["code", "codium", "subl", "zed"].contains(&name.as_str()) {
            if name.starts_with("cod") {
                command.arg("-g");
            }
            command.arg(format!("{}:{}:{}", file.display(), place.line, place.column));
        } else {
            command.arg(format!("+{}", place.line)).arg(file);
        }
        if let Err(why) = command.spawn() {
            self.notice(&format!("`{program}` could not be started: {why}"));
        }
    }
}

fn panel(window: &Window, stage: &Stage, is_still: bool) -> (egui::Context, egui_winit::State) {
    let context = egui::Context::default();
    style::apply(&context, is_still);
    let most = stage.a.session.gpu().device.limits().max_texture_dimension_2d as usize;
    let scale = Some(window.scale_factor() as f32);
    let state = egui_winit::State::new(context.clone(), egui::ViewportId::ROOT, window, scale, None, Some(most));
    (context, state)
}

impl ApplicationHandler<Told> for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some(options) = self.options.take() else { return };
        match self.open(events, options) {
            Ok(live) => {
                live.screen.window.request_redraw();
                self.live = Some(live);
            }
            Err(why) => {
                self.ended = Err(why);
                events.exit();
            }
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, told: Told) {
        match told {
            Told::Changed => {
                if let Some(live) = &mut self.live {
                    live.stage.changed();
                }
            }
            Told::Notice(line) => self.notice(&line),
        }
        self.again = Instant::now();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(live) = &mut self.live else { return };
        let tab = match &event {
            WindowEvent::KeyboardInput { event, .. } => {
                event.logical_key == WinitKey::Named(NamedKey::Tab) && !live.egui.egui_wants_keyboard_input()
            }
            _ => false,
        };
        match &event {
            WindowEvent::CloseRequested => return events.exit(),
            WindowEvent::RedrawRequested => {
                self.redraw();
                if self.quit {
                    events.exit();
                }
                return;
            }
            WindowEvent::KeyboardInput { event, .. } if tab => {
                // egui would move the focus through the panel.
                if event.state == ElementState::Pressed {
                    let shift = live.egui.input(|input| input.modifiers.shift);
                    self.do_one(Action::Next, shift);
                }
                return;
            }
            _ => {}
        }
        if live.state.on_window_event(&live.screen.window, &event).repaint {
            self.refresh();
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(live) = &self.live else { return };
        if Instant::now() >= self.again {
            live.screen.window.request_redraw();
            // Should the redraw not come, it is asked for again.
            self.again = Instant::now() + Duration::from_millis(100);
        }
        events.set_control_flow(ControlFlow::WaitUntil(self.again));
    }
}

//! Adapters and devices.
//!
//! A device is opened with the adapter's own limits and those of its features that rondag can use, so that what fits the
//! card fits the device. The noop device validates like wgpu does and has no driver behind it; it takes the limits and
//! features of a profile.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wgpu::{Backends, DeviceType, ErrorFilter, Features, Limits, PollError, PollType};

use super::error::Error;

/// Features that rondag uses where they are there.
const USEFUL: Features = Features::TIMESTAMP_QUERY
    .union(Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(Features::SUBGROUP)
    .union(Features::SUBGROUP_BARRIER)
    .union(Features::INDIRECT_FIRST_INSTANCE)
    .union(Features::MULTI_DRAW_INDIRECT_COUNT)
    .union(Features::IMMEDIATES)
    .union(Features::SHADER_DRAW_INDEX)
    .union(Features::CLEAR_TEXTURE)
    .union(Features::FLOAT32_FILTERABLE)
    .union(Features::FLOAT32_BLENDABLE)
    .union(Features::BGRA8UNORM_STORAGE)
    .union(Features::RG11B10UFLOAT_RENDERABLE)
    .union(Features::TEXTURE_FORMAT_16BIT_NORM)
    .union(Features::DEPTH32FLOAT_STENCIL8)
    .union(Features::VERTEX_WRITABLE_STORAGE)
    .union(Features::SHADER_F16)
    .union(Features::SHADER_INT64)
    .union(Features::PRIMITIVE_INDEX);

/// The most messages of one device that are kept.
const KEPT_FAULTS: usize = 16;

/// Which adapter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Pick {
    /// The fastest kind there is.
    #[default]
    Any,
    /// A software adapter.
    Cpu,
    /// A hardware adapter.
    Gpu,
    /// The first whose name holds this, in any case.
    Named(String),
}

impl From<&str> for Pick {
    fn from(text: &str) -> Self {
        match text {
            "cpu" => Self::Cpu,
            "gpu" => Self::Gpu,
            name => Self::Named(name.to_owned()),
        }
    }
}

impl std::fmt::Display for Pick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Any => "any",
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
            Self::Named(name) => name,
        })
    }
}

/// How an instance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceOptions {
    /// wgpu checks the arguments of indirect calls on the GPU. Only for graphs one trusts may it be off; on DX12 it stays
    /// on, because builtins are wrong there without it.
    pub indirect_validation: bool,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self { indirect_validation: true }
    }
}

/// An instance without a window. Nothing is made above 80 % of a device's memory budget.
pub fn instance(options: DeviceOptions) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    descriptor.backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    descriptor.memory_budget_thresholds.for_resource_creation = Some(80);
    if !options.indirect_validation {
        descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        descriptor.backends.remove(Backends::DX12);
    }
    wgpu::Instance::new(descriptor)
}

/// All adapters, best kinds first.
pub fn adapters(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    let mut found = pollster::block_on(instance.enumerate_adapters(Backends::all()));
    found.sort_by_key(|adapter| rank(adapter.get_info().device_type));
    found
}

const fn rank(kind: DeviceType) -> u8 {
    match kind {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    }
}

/// `NVIDIA H200 (Vulkan, DiscreteGpu)`.
pub fn describe(info: &wgpu::AdapterInfo) -> String {
    format!("{} ({}, {:?})", info.name, info.backend, info.device_type)
}

impl Pick {
    /// The first adapter of the list that this stands for.
    ///
    /// # Errors
    /// [`Error::NoAdapter`], [`Error::NoSuchAdapter`].
    pub fn choose(&self, adapters: Vec<wgpu::Adapter>) -> Result<wgpu::Adapter, Error> {
        let found: Vec<_> = adapters.iter().map(|adapter| describe(&adapter.get_info())).collect();
        match adapters.into_iter().find(|adapter| self.fits(&adapter.get_info())) {
            Some(adapter) => Ok(adapter),
            None if found.is_empty() => Err(Error::NoAdapter),
            None => Err(Error::NoSuchAdapter { wanted: self.to_string(), found }),
        }
    }

    fn fits(&self, info: &wgpu::AdapterInfo) -> bool {
        let software = info.device_type == DeviceType::Cpu;
        match self {
            Self::Any => true,
            Self::Cpu => software,
            Self::Gpu => !software,
            Self::Named(name) => info.name.to_lowercase().contains(&name.to_lowercase()),
        }
    }
}

/// A device, its queue, and what went wrong on it. Clones share everything.
#[derive(Debug, Clone)]
pub struct Gpu {
    /// The adapter.
    pub info: wgpu::AdapterInfo,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    faults: Arc<Mutex<Faults>>,
}

#[derive(Debug, Default)]
struct Faults {
    lost: Option<String>,
    messages: Vec<String>,
}

impl Gpu {
    /// Opens an adapter for running without a window.
    ///
    /// # Errors
    /// No adapter, none of that name, or no device.
    pub fn open(pick: &Pick, options: DeviceOptions) -> Result<Self, Error> {
        let adapter = pick.choose(adapters(&instance(options)))?;
        Self::on(&adapter)
    }

    /// Opens a device with all that the adapter has.
    ///
    /// # Errors
    /// [`Error::NoDevice`].
    pub fn on(adapter: &wgpu::Adapter) -> Result<Self, Error> {
        Self::request(adapter, adapter.features() & USEFUL, adapter.limits())
    }

    /// A device without a driver: everything is validated, nothing runs.
    ///
    /// # Errors
    /// [`Error::NoDevice`], where the limits contradict each other.
    pub fn noop(limits: &Limits, features: Features) -> Result<Self, Error> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = Backends::NOOP;
        let features = features - Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
        descriptor.backend_options.noop = wgpu::NoopBackendOptions {
            enable: true,
            limits: Some(limits.clone()),
            features: Some(features),
            ..Default::default()
        };
        let instance = wgpu::Instance::new(descriptor);
        let adapter = Pick::Any.choose(adapters(&instance))?;
        let limits = adapter.limits();
        Self::request(&adapter, features & adapter.features(), limits)
    }

    fn request(adapter: &wgpu::Adapter, features: Features, limits: Limits) -> Result<Self, Error> {
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("rondag"),
            required_features: features,
            required_limits: limits,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|why| Error::NoDevice { adapter: info.name.clone(), why: one_line(&why.to_string()) })?;
        let gpu = Self::adopt(info, device, queue);
        gpu.listen();
        Ok(gpu)
    }

    /// Takes a host's device. Its handlers stay the host's.
    pub fn adopt(info: wgpu::AdapterInfo, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self { info, device, queue, faults: Arc::default() }
    }

    /// Collects what no error scope caught, instead of wgpu's panic, and the loss of the device.
    fn listen(&self) {
        let faults = Arc::clone(&self.faults);
        self.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            if faults.messages.len() < KEPT_FAULTS {
                faults.messages.push(one_line(&error.to_string()));
            }
        }));
        let faults = Arc::clone(&self.faults);
        self.device.set_device_lost_callback(move |reason, message| {
            let mut faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            faults.lost.get_or_insert_with(|| format!("{reason:?} {}", one_line(&message)).trim().to_owned());
        });
    }

    /// What graphs are held against before anything is made on this device.
    pub fn profile(&self, max_memory: u64) -> crate::lint::Profile {
        crate::lint::Profile {
            name: self.info.name.clone(),
            limits: self.device.limits(),
            features: self.device.features(),
            max_memory,
        }
    }

    /// Why the device is gone, if it is.
    pub fn lost(&self) -> Option<String> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).lost.clone()
    }

    /// Asks the device whether it is still there: what is made on one that is gone reports nothing.
    ///
    /// # Errors
    /// [`Error::Lost`].
    pub(super) fn check(&self) -> Result<(), Error> {
        let polled = self.device.poll(PollType::Poll);
        match (self.lost(), polled) {
            (Some(why), _) => Err(Error::Lost { why }),
            (None, Err(why)) => Err(Error::Lost { why: why.to_string() }),
            (None, Ok(_)) => Ok(()),
        }
    }

    /// Messages that no error scope caught since the last call, at most sixteen.
    pub fn take_messages(&self) -> Vec<String> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner).messages)
    }

    /// Waits until a submission (or all of them) is done, at most for `limit`.
    ///
    /// # Errors
    /// [`Error::Lost`] and [`Error::Timeout`]. After the latter the device is never dropped: wgpu would wait for the queue
    /// without a limit.
    pub fn wait(&self, submission: Option<wgpu::SubmissionIndex>, limit: Duration) -> Result<(), Error> {
        let poll = PollType::Wait { submission_index: submission, timeout: Some(limit) };
        let waited = self.device.poll(poll);
        match (self.lost(), waited) {
            (Some(why), _) => Err(Error::Lost { why }),
            (None, Ok(_)) => Ok(()),
            (None, Err(PollError::Timeout)) => {
                std::mem::forget((self.device.clone(), self.queue.clone()));
                Err(Error::Timeout { limit, last: None })
            }
            (None, Err(other)) => Err(Error::Lost { why: other.to_string() }),
        }
    }

    /// Makes one object; what wgpu has against it becomes the error's reason.
    ///
    /// # Errors
    /// [`Error::Refused`], with the name of the object; [`Error::Lost`], which no error scope reports.
    pub fn scope<T>(&self, what: impl FnOnce() -> String, make: impl FnOnce() -> T) -> Result<T, Error> {
        let scopes = [ErrorFilter::Internal, ErrorFilter::OutOfMemory, ErrorFilter::Validation]
            .map(|filter| self.device.push_error_scope(filter));
        let made = make();
        // The innermost goes first. All are popped, whatever the first one holds.
        let caught: Vec<_> = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop())).collect();
        match (caught.first(), self.lost()) {
            (Some(error), _) => Err(Error::Refused { what: what(), why: reason(error) }),
            (None, Some(why)) => Err(Error::Lost { why }),
            (None, None) => Ok(made),
        }
    }
}

/// The cause at the bottom of wgpu's chain says what is wrong; what stands above says only where.
fn reason(error: &wgpu::Error) -> String {
    match error {
        wgpu::Error::OutOfMemory { .. } => "out of memory".to_owned(),
        wgpu::Error::Validation { description, .. } | wgpu::Error::Internal { description, .. } => {
            one_line(description.trim_start_matches("Validation Error"))
        }
    }
}

/// Text without line breaks and runs of spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

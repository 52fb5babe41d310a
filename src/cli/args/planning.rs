//! What may be typed behind the commands that are about plans.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Frame, Setting, Switches};

#[derive(Debug, Args)]
pub(in crate::cli) struct Plan {
    #[command(flatten)]
    pub frame: Frame,
    #[command(flatten)]
    pub switches: Switches,
    /// How the plan is written
    #[arg(long, value_enum, default_value_t)]
    pub format: PlanFormat,
    /// Holds the plan against a file that an earlier one was written to; exit 1 and what changed if it is stale
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// Compares all orders, with and without sharing, in a table
    #[arg(long, conflicts_with_all = ["format", "check"])]
    pub compare: bool,
}

/// How a plan is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum PlanFormat {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
    /// For Graphviz
    Dot,
    /// For Markdown
    Mermaid,
    /// One page for a browser: order, lifetimes, and the reason of whatever is clicked
    Html,
}

/// What decides about the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum Order {
    /// The file
    File,
    /// The file, but passes move where that saves a recorded pass
    #[default]
    Merge,
    /// The fewest bytes alive at once
    Memory,
}

impl From<Order> for rondag::plan::Order {
    fn from(order: Order) -> Self {
        match order {
            Order::File => Self::File,
            Order::Merge => Self::Merge,
            Order::Memory => Self::Memory,
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Explain {
    /// A rule's code, such as `unknown-resource`; or a graph, and one or two names of its passes, resources and params: why
    /// it is dead, why this comes before that, why they do not share memory. Without it, all codes are listed
    #[arg(value_name = "CODE|GRAPH [NAME [NAME]]", num_args = 0..=3)]
    pub what: Vec<String>,
    /// The manuals of all rules
    #[arg(long, conflicts_with = "what")]
    pub all: bool,
    /// How answers are written
    #[arg(long, value_enum, default_value_t)]
    pub format: ExplainFormat,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub switches: Switches,
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum ExplainFormat {
    /// For terminals
    #[default]
    Text,
    /// For web sites; the list of rules is a table
    Markdown,
    /// One JSON object a line
    Json,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Diff {
    /// The old graph and the new one; only the new one with `--git`
    #[arg(value_name = "GRAPH", num_args = 1..=2, required = true)]
    pub graphs: Vec<PathBuf>,
    /// Compares a graph with itself at a revision of its repository
    #[arg(long, value_name = "REV")]
    pub git: Option<String>,
    /// How changes are written
    #[arg(long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// Exit 1 if something changed
    #[arg(long)]
    pub exit_code: bool,
    #[command(flatten)]
    pub setting: Setting,
    #[command(flatten)]
    pub switches: Switches,
}

/// How changes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum DiffFormat {
    /// For terminals
    #[default]
    Text,
    /// One JSON object
    Json,
    /// A table for a comment on a pull request
    Markdown,
}

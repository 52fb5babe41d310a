//! Rows of cells in aligned columns.

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a heading.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    heading: [&'static str; N],
    sides: [Side; N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    /// No rows yet.
    pub(super) fn new(heading: [&'static str; N], sides: [Side; N]) -> Self {
        Self { heading, sides, rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Writes heading and rows, two spaces before each and between columns, columns without content left out.
    pub(super) fn write(&self, out: &mut String) {
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; N] = std::array::from_fn(|column| match width(column) {
            0 => 0,
            width => width.max(self.heading[column].chars().count()),
        });
        let heading = self.heading.map(str::to_owned);
        let titled = heading.iter().any(|title| !title.is_empty());
        for row in std::iter::once(&heading).filter(|_| titled).chain(&self.rows) {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate().filter(|(column, _)| widths[*column] > 0) {
                let pad = " ".repeat(widths[column].saturating_sub(cell.chars().count()));
                line += "  ";
                line += &if self.sides[column] == Side::Right { pad + cell } else { cell.clone() + &pad };
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

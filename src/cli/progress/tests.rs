use std::io;
use std::sync::{Arc, Mutex};

use indicatif::TermLike;

use super::*;

/// A terminal that keeps what is drawn.
#[derive(Debug, Clone, Default)]
struct Drawn(Arc<Mutex<String>>);

impl TermLike for Drawn {
    fn width(&self) -> u16 {
        80
    }
    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }
    fn write_line(&self, line: &str) -> io::Result<()> {
        self.write_str(line)
    }
    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().push_str(text);
        Ok(())
    }
    fn clear_line(&self) -> io::Result<()> {
        self.0.lock().unwrap().clear();
        Ok(())
    }
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Drawn {
    fn bar(&self, template: &str) -> ProgressBar {
        let target = ProgressDrawTarget::term_like(Box::new(self.clone()));
        let bar = ProgressBar::with_draw_target(Some(100), target);
        bar.with_style(style(template)).with_elapsed(Duration::from_secs(30))
    }

    /// What is drawn last.
    fn text(&self) -> String {
        self.0.lock().unwrap().trim_end().to_owned()
    }
}

#[test]
fn time_left_is_told_only_where_it_can_be_known() {
    let drawn = Drawn::default();
    let bar = drawn.bar("{pos} of {len}{left}");
    bar.tick();
    assert_eq!(drawn.text(), "0 of 100");
    // Not by how fast it was since it was drawn, but since it began, 30 seconds ago.
    bar.set_position(60);
    bar.force_draw();
    let described = drawn.text();
    assert!(described.starts_with("60 of 100, 2") && described.ends_with("s left"), "{described}");
    bar.set_position(100);
    bar.force_draw();
    assert_eq!(drawn.text(), "100 of 100");
}

#[test]
fn a_board_expects_the_jobs_that_it_learns_of() {
    let length = |board: &Board| board.all.length();
    let board = Board::new(6, "methods");
    assert_eq!(length(&board), Some(6));
    // The first of two crawls holds four sites, the other cannot be read.
    board.expect(12, 3);
    board.expect(0, 3);
    assert_eq!(length(&board), Some(12));
    drop(board.line("a"));
    assert_eq!(board.all.position(), 1);
    assert_eq!(length(&Board::new(0, "sites")), Some(0));
}

#[test]
fn a_line_tells_the_work_at_hand() {
    let board = Board::new(1, "sites");
    let line = board.line("a.test");
    let describe = || (line.bar.message(), line.bar.position(), line.bar.length());
    line.progress("tree", 0, 0);
    assert_eq!(describe(), ("tree".to_owned(), 0, Some(0)));
    line.progress("testing edits", 64, 90);
    assert_eq!(describe(), ("testing edits".to_owned(), 64, Some(90)));
    line.progress("testing edits", 0, 30);
    assert_eq!(describe(), ("testing edits".to_owned(), 0, Some(30)));
    let look = Check { step: 7, loss: 0.5, exact_match: 0.25, held_out_loss: 0.5 };
    line.step(7, 9, Some(&look));
    line.step(8, 9, Some(&look));
    assert_eq!(describe(), ("loss 0.5000  exact match 0.250".to_owned(), 8, Some(9)));
}

#[test]
fn a_training_line_fits_into_80_columns() {
    let drawn = Drawn::default();
    let bar = drawn.bar("").with_prefix("a-long-name.example.test, seq2seq");
    let line = ProgressLine { bar, all: ProgressBar::hidden(), work: Mutex::new("") };
    let look = Check { step: 1500, loss: 0.5, exact_match: 0.25, held_out_loss: 0.5 };
    line.step(1500, 20000, Some(&look));
    line.bar.set_elapsed(Duration::from_secs(30));
    line.step(1501, 20000, Some(&look));
    line.bar.force_draw();
    let described = drawn.text();
    assert!(described.contains("1501/20000  loss 0.5000  exact match 0.250, "), "{described}");
    assert!(described.ends_with(" left"), "{described}");
    assert!(described.chars().count() <= 80, "{described}");
}

//! How much memory the live engine may take.

use std::fs;

/// The least that the engine can work with.
const LEAST: usize = 64 << 20;

/// What is taken for the machine's where it does not say.
const UNKNOWN: usize = 4 << 30;

/// Parses a size such as `1G`, `512M` or `300000K`.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes >= LEAST)
        .ok_or_else(|| "must be a size of at least 64M, such as 512M or 2G".to_owned())
}

/// A quarter of the machine's memory, or of what the control group of the process may take if that is less.
pub(super) fn quarter() -> usize {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let group =
        ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].map(read);
    let limits = group.iter().filter_map(|limit| limit.trim().parse::<usize>().ok());
    let machine = of_machine(&read("/proc/meminfo")).unwrap_or(UNKNOWN);
    (limits.fold(machine, usize::min) / 4).max(LEAST)
}

/// The memory of the machine in bytes, as Linux says it.
fn of_machine(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("1G"), Ok(1 << 30));
        assert_eq!(size("64m"), Ok(64 << 20));
        assert_eq!(size("70000000"), Ok(70_000_000));
        for wrong in [
            "",
            "G",
            "1T",
            "-1G",
            "63M",
            "1.5G",
            "99999999999999999999",
            "18446744073709551615G",
            "é",
        ] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_machine_says_what_it_has() {
        assert_eq!(of_machine("MemFree: 1 kB\nMemTotal:       24 kB\n"), Some(24 << 10));
        assert_eq!(of_machine("MemTotal: much"), None);
        assert!(quarter() >= LEAST);
    }
}

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| undust_fuzz::targets::pack::check(bytes));

//! Loops as wide as the processor allows.

/// Runs a loop with the widest vectors that the processor has. Results are the same for every
/// width: no operation is fused or reordered.
#[inline(always)]
#[expect(unsafe_code, reason = "what the processor has is known at run time only")]
pub fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor was just asked whether it has AVX2.
            return unsafe { with_avx2(work) };
        }
    }
    work()
}

/// [`widest`] for loops that count bits. Where the processor counts those of whole vectors, the loop says so, for
/// then that is faster than any trick.
#[inline(always)]
#[expect(unsafe_code, reason = "what the processor has is known at run time only")]
pub fn widest_counting<R>(work: impl FnOnce(bool) -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq")]
        fn with_counts<R>(work: impl FnOnce(bool) -> R) -> R {
            work(true)
        }
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512vpopcntdq")
        {
            // SAFETY: the processor was just asked whether it has all three.
            return unsafe { with_counts(work) };
        }
    }
    widest(|| work(false))
}

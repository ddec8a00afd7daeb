//! The forms of a crawl's URLs while the gate changes them, and what a change would do.

use rustc_hash::FxHashMap;

/// The clusters of the URLs of one form, each with its number of URLs.
pub(crate) type Members = Vec<(u32, u32)>;

/// Every form with its URLs' clusters.
#[derive(Default)]
pub(crate) struct Forms {
    members: FxHashMap<u64, Members>,
}

/// A URL that would get another form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// The form that it would get.
    pub to: u64,
    /// The form that it has.
    pub from: u64,
    /// Its cluster.
    pub cluster: u32,
    /// Whatever the caller wants to know it by.
    pub tag: u32,
}

/// What moves do: in all, and to each.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// Forms that disappear.
    pub saved: i32,
    /// URLs that share their new form with one that they did not share the old one with.
    pub tested: u32,
    /// URLs outside their form's majority cluster, after less before.
    pub lost: i32,
    /// In the order of the moves: whether the URL shares its form, and whether it is among
    /// others of another cluster there, outnumbered or outnumbering.
    pub tags: Vec<(u32, bool, bool)>,
}

/// URLs outside the majority cluster.
fn outside(members: &[(u32, u32)]) -> u32 {
    let all: u32 = members.iter().map(|(_, count)| count).sum();
    all - members.iter().map(|(_, count)| *count).max().unwrap_or(0)
}

fn add(members: &mut Members, cluster: u32, count: u32) {
    match members.iter_mut().find(|(other, _)| *other == cluster) {
        Some((_, sum)) => *sum += count,
        None => members.push((cluster, count)),
    }
}

fn take(members: &mut Members, cluster: u32) {
    if let Some(place) = members.iter().position(|(other, _)| *other == cluster) {
        members[place].1 -= 1;
        if members[place].1 == 0 {
            members.swap_remove(place);
        }
    }
}

impl Forms {
    /// Adds a URL.
    pub(crate) fn add(&mut self, form: u64, cluster: u32) {
        add(self.members.entry(form).or_default(), cluster, 1);
    }

    /// Number of forms.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Moves URLs.
    pub(crate) fn apply(&mut self, moves: &[Move]) {
        for one in moves {
            if let Some(members) = self.members.get_mut(&one.from) {
                take(members, one.cluster);
                if members.is_empty() {
                    self.members.remove(&one.from);
                }
            }
        }
        for one in moves {
            self.add(one.to, one.cluster);
        }
    }

    /// What moves would do. They are sorted on the way: n log n.
    pub(crate) fn effect(&self, moves: &mut [Move]) -> Effect {
        moves.sort_unstable();
        let mut left: FxHashMap<u64, Members> = FxHashMap::default();
        for one in moves.iter() {
            let members = left
                .entry(one.from)
                .or_insert_with(|| self.members.get(&one.from).cloned().unwrap_or_default());
            take(members, one.cluster);
        }
        let mut effect = Effect::default();
        let before = |form: u64| self.members.get(&form).map_or(0, |members| outside(members));
        for (form, members) in &left {
            effect.lost += outside(members) as i32 - before(*form) as i32;
            effect.saved += i32::from(members.is_empty());
        }
        for group in moves.chunk_by(|a, b| a.to == b.to) {
            let form = group[0].to;
            let stay = left.get(&form).or_else(|| self.members.get(&form));
            let mut members = stay.cloned().unwrap_or_default();
            effect.lost -= outside(&members) as i32;
            effect.saved -= i32::from(members.is_empty());
            for one in group {
                add(&mut members, one.cluster, 1);
            }
            effect.lost += outside(&members) as i32;
            effect.judge(group, &members);
        }
        effect
    }
}

impl Effect {
    fn judge(&mut self, group: &[Move], members: &[(u32, u32)]) {
        let all: u32 = members.iter().map(|(_, count)| count).sum();
        let came_from = group.chunk_by(|a, b| a.from == b.from).count();
        let most = members.iter().max_by_key(|(cluster, count)| (*count, u32::MAX - cluster));
        let majority = most.map_or(u32::MAX, |(cluster, _)| *cluster);
        let tested = all as usize > group.len() || came_from > 1;
        let mixed = members.len() > 1;
        // Where the URLs that stay are outnumbered, those that came are to blame.
        let came_in_majority = group.iter().filter(|one| one.cluster == majority).count() as u32;
        let stayed = members.iter().find(|(cluster, _)| *cluster == majority);
        let swamps = mixed && stayed.is_some_and(|(_, count)| *count == came_in_majority);
        for one in group {
            let bad = mixed && (one.cluster != majority || swamps);
            self.tested += u32::from(tested);
            self.tags.push((one.tag, tested, bad));
        }
    }
}

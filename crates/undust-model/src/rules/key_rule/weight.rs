//! What a rule over keys takes in memory.

use undust_url::keys::Key;
use undust_util::mem_size;

use super::{Context, KeyRule, Test, Value};

impl KeyRule {
    /// Bytes beside itself, about.
    pub(in crate::rules) fn heap_bytes(&self) -> usize {
        let of_value = |value: &Value| match value {
            Value::Literal(text) => mem_size::of_text(text),
            Value::Copy(key) | Value::Converted(_, key) => key.heap_bytes(),
        };
        let of_entry = |(key, values): (&Key, &Vec<Value>)| {
            let values_bytes = values.capacity() * size_of::<Value>() + mem_size::ALLOCATION;
            key.heap_bytes() + values_bytes + values.iter().map(of_value).sum::<usize>()
        };
        self.context.heap_bytes()
            + mem_size::of_tree::<Key, Vec<Value>>(self.transformation.len())
            + self.transformation.iter().map(of_entry).sum::<usize>()
    }
}

impl Context {
    fn heap_bytes(&self) -> usize {
        let of_test = |test: &Test| match test {
            Test::Is(text) => mem_size::of_text(text),
            Test::Any => 0,
            Test::Like(pattern) => pattern.heap_bytes(),
        };
        let arguments = self.arguments.iter().flatten();
        mem_size::of_tree::<Key, ()>(self.arguments.as_ref().map_or(0, |keys| keys.len()))
            + arguments.map(Key::heap_bytes).sum::<usize>()
            + mem_size::of_tree::<Key, Test>(self.keys.len())
            + self.keys.iter().map(|(key, test)| key.heap_bytes() + of_test(test)).sum::<usize>()
    }
}

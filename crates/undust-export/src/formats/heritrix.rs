//! Canonicalization rules of Heritrix 3, as beans of its `crawler-beans.cxml`.

use std::fmt::Write;

use super::nutch::escaped;
use super::{in_xml_comment, java, limit, written};
use crate::regexes::Chain;

/// The bean.
pub(crate) fn text(chain: &Chain) -> String {
    let mut text = "<bean id=\"canonicalizationPolicy\" class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n <property name=\"rules\">\n  <list>\n".to_owned();
    let _ = writeln!(text, "   <!-- {} -->", limit());
    for rule in java::rules(chain) {
        let to = written(&rule.written, |group| format!("${{{group}}}"));
        let _ = writeln!(
            text,
            "   <!-- edit {}: {} -->\n   <bean class=\"org.archive.modules.canonicalize.RegexRule\">\n    <property name=\"regex\" value=\"{}\"/>\n    <property name=\"format\" value=\"{}\"/>\n   </bean>",
            rule.number,
            in_xml_comment(rule.notation),
            escaped(&rule.pattern),
            escaped(&to)
        );
    }
    text + "  </list>\n </property>\n</bean>\n"
}

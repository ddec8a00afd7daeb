//! Canonicalization rules of Heritrix 3, as beans of its `crawler-beans.cxml`.

use std::fmt::Write;

use super::nutch::escaped;
use super::{in_xml_comment, java, limit, written};
use crate::comments::Comments;
use crate::regexes::Chain;

/// The bean.
pub(crate) fn text(chain: &Chain, comments: &Comments) -> String {
    let mut text = "<bean id=\"canonicalizationPolicy\" class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n <property name=\"rules\">\n  <list>\n".to_owned();
    let _ = writeln!(text, "   <!-- {} -->", limit());
    let mut last = 0;
    for rule in java::rules(chain) {
        if rule.number != last {
            for line in comments.lines(rule.number) {
                let _ = writeln!(text, "   <!-- {} -->", in_xml_comment(&line));
            }
            last = rule.number;
        }
        let to = written(&rule.written, |group| format!("${{{group}}}"));
        let _ = writeln!(
            text,
            "   <bean class=\"org.archive.modules.canonicalize.RegexRule\">\n    <property name=\"regex\" value=\"{}\"/>\n    <property name=\"format\" value=\"{}\"/>\n   </bean>",
            escaped(&rule.pattern),
            escaped(&to)
        );
    }
    text + "  </list>\n </property>\n</bean>\n"
}

//! Canonicalization rules of Heritrix 3, as beans of its `crawler-beans.cxml`.

use super::java;
use crate::comments::Comments;
use crate::regexes::Chain;

/// The bean.
pub(crate) fn text(chain: &Chain, comments: &Comments) -> String {
    let bean = |from: &str, to: &str| {
        format!(
            "   <bean class=\"org.archive.modules.canonicalize.RegexRule\">\n    <property name=\"regex\" value=\"{from}\"/>\n    <property name=\"format\" value=\"{to}\"/>\n   </bean>\n"
        )
    };
    let rules = java::rules(chain, |group| format!("${{{group}}}"));
    let beans = java::in_xml(rules, comments, "   ", bean);
    format!(
        "<bean id=\"canonicalizationPolicy\" class=\"org.archive.modules.canonicalize.RulesCanonicalizationPolicy\">\n <property name=\"rules\">\n  <list>\n{beans}  </list>\n </property>\n</bean>\n"
    )
}

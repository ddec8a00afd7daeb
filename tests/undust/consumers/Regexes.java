import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * What Nutch, StormCrawler and Heritrix do with exported rules, by the regex of Java that they use.
 *
 * <p>java Regexes.java nutch|pairs|heritrix RULES < URLS: a line a URL, a line an answer.
 */
public final class Regexes {
  private record Rule(Pattern pattern, String written) {}

  public static void main(String[] args) throws Exception {
    boolean isKey = args[0].equals("heritrix");
    List<Rule> rules = switch (args[0]) {
      case "nutch" -> elements(args[1], "regex", "pattern", "substitution");
      case "heritrix" -> properties(args[1]);
      default -> pairs(args[1]);
    };
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String url = input.readLine(); url != null; url = input.readLine()) {
      for (Rule rule : rules) {
        Matcher matcher = rule.pattern.matcher(url);
        if (!isKey) {
          // RegexURLNormalizer of both: every match of every rule, in order.
          url = matcher.replaceAll(rule.written);
        } else if (matcher.matches()) {
          // RegexRule: the whole URL, and a format with ${n}, in which a missing group is empty.
          url = formatted(rule.written, matcher);
        }
      }
      out.print(url + "\n");
    }
    out.flush();
  }

  private static String formatted(String format, Matcher matcher) {
    var text = new StringBuilder();
    int at = 0;
    while (at < format.length()) {
      if (format.startsWith("${", at)) {
        int end = format.indexOf('}', at);
        String group = matcher.group(Integer.parseInt(format.substring(at + 2, end)));
        text.append(group == null ? "" : group);
        at = end + 1;
      } else {
        text.append(format.charAt(at++));
      }
    }
    return text.toString();
  }

  private static Document document(String path) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Path.of(path).toFile());
  }

  private static List<Rule> elements(String path, String rule, String from, String to) throws Exception {
    NodeList nodes = document(path).getElementsByTagName(rule);
    var rules = new ArrayList<Rule>();
    for (int i = 0; i < nodes.getLength(); i++) {
      var element = (Element) nodes.item(i);
      rules.add(new Rule(Pattern.compile(text(element, from)), text(element, to)));
    }
    return rules;
  }

  private static String text(Element element, String name) {
    return element.getElementsByTagName(name).item(0).getTextContent();
  }

  private static List<Rule> properties(String path) throws Exception {
    NodeList nodes = document(path).getElementsByTagName("property");
    var rules = new ArrayList<Rule>();
    String regex = null;
    for (int i = 0; i < nodes.getLength(); i++) {
      var property = (Element) nodes.item(i);
      switch (property.getAttribute("name")) {
        case "regex" -> regex = property.getAttribute("value");
        case "format" -> rules.add(new Rule(Pattern.compile(regex), property.getAttribute("value")));
        default -> {}
      }
    }
    return rules;
  }

  private static List<Rule> pairs(String path) throws Exception {
    List<String> lines = Files.readAllLines(Path.of(path));
    var rules = new ArrayList<Rule>();
    for (int i = 0; i + 1 < lines.size(); i += 2) {
      rules.add(new Rule(Pattern.compile(lines.get(i)), lines.get(i + 1)));
    }
    return rules;
  }
}

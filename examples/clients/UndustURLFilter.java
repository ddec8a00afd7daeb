// StormCrawler drops URLs whose canonical form came before, and fetches the others as they came: a form
// is a key, under which the site need not answer. In urlfilters.json, after all other filters:
//   { "class": "org.example.undust.UndustURLFilter", "name": "undust",
//     "params": { "service": "http://127.0.0.1:7878", "token": "if the service asks for one" } }
package org.example.undust;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.filtering.URLFilter;

public class UndustURLFilter extends URLFilter {
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private String service = "http://127.0.0.1:7878";
  private String token;

  /** By form: the first URL that had it. Of this worker alone, and bounded: the oldest is forgotten. */
  private final Map<String, String> first = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > 1_000_000;
    }
  };

  @Override
  public void configure(Map<String, Object> conf, JsonNode params) {
    service = params.path("service").asText(service);
    token = params.path("token").asText(null);
  }

  /** The URL, or null where another of its form came before. A crawl goes on without an answer. */
  @Override
  public String filter(URL source, Metadata metadata, String url) {
    String form = form(url);
    synchronized (first) {
      String before = first.putIfAbsent(form, url);
      return before == null || before.equals(url) ? url : null;
    }
  }

  private String form(String url) {
    try {
      String query = "/v1/translate?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
      HttpRequest.Builder ask = HttpRequest.newBuilder(URI.create(service + query));
      if (token != null) ask.header("Authorization", "Bearer " + token);
      var answer = client.send(ask.timeout(Duration.ofSeconds(5)).build(), BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : url;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return url;
    } catch (Exception noAnswer) {
      return url;
    }
  }
}

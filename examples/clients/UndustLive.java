// Asks `undust serve --live state` which URLs are fetched, and tells it what came back. Needs Java 11 and Jackson,
// which both Nutch and StormCrawler have. Used by the other files here whose names begin with UndustLive.
package org.example.undust;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

public class UndustLive {
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final ObjectMapper json = new ObjectMapper();
  private final String service;
  private final String token;

  public UndustLive(String service, String token) {
    this.service = service;
    this.token = token;
  }

  /** Whether the page of a URL was fetched under another. Without an answer it was not: a crawl goes on. */
  public boolean isSkipped(String url) {
    JsonNode decided = post("decide", List.of(url));
    return decided != null && decided.path(0).path("do").asText().equals("skip");
  }

  /** Tells what came back for a URL. Status 0: no answer came. */
  public void saw(String url, int status, byte[] content) {
    String html = content == null ? null : new String(content, StandardCharsets.UTF_8);
    post("saw", html == null ? Map.of("url", url, "status", status) : Map.of("url", url, "status", status, "html", html));
  }

  private JsonNode post(String what, Object body) {
    try {
      HttpRequest.Builder ask = HttpRequest.newBuilder(URI.create(service + "/v1/live/" + what));
      ask.header("Content-Type", "application/json").timeout(Duration.ofSeconds(5));
      if (token != null) ask.header("Authorization", "Bearer " + token);
      ask.POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(body)));
      var answer = client.send(ask.build(), BodyHandlers.ofByteArray());
      return answer.statusCode() == 200 ? json.readTree(answer.body()) : null;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return null;
    } catch (Exception noAnswer) {
      return null;
    }
  }
}

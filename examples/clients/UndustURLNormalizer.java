// Apache Nutch keeps each URL under its canonical form. It then also fetches that form, under which a site
// need not answer: `undust diff` shows which URLs would change; look at some of them first, and except what
// does not answer (gate.exceptions). Put the class in a plug-in of extension point
// org.apache.nutch.net.URLNormalizer, and in nutch-site.xml:
//   undust.service = http://127.0.0.1:7878        undust.token = (if the service asks for one)
package org.example.undust;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.nutch.net.URLNormalizer;

public class UndustURLNormalizer implements URLNormalizer {
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private Configuration conf;

  /** The canonical form; without an answer the URL as it is: a crawl goes on. */
  @Override
  public String normalize(String url, String scope) {
    try {
      String query = "/v1/translate?url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
      HttpRequest.Builder ask = HttpRequest.newBuilder(URI.create(conf.get("undust.service", "http://127.0.0.1:7878") + query));
      String token = conf.get("undust.token");
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

  @Override public Configuration getConf() { return conf; }
  @Override public void setConf(Configuration conf) { this.conf = conf; }
}

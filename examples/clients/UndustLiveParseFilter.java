// StormCrawler tells undust what came back for each page that is parsed. In parsefilters.json:
//   { "class": "org.example.undust.UndustLiveParseFilter", "name": "undust",
//     "params": { "service": "http://127.0.0.1:7878", "token": "if the service asks for one" } }
package org.example.undust;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.apache.stormcrawler.parse.ParseFilter;
import org.apache.stormcrawler.parse.ParseResult;
import org.w3c.dom.DocumentFragment;

public class UndustLiveParseFilter extends ParseFilter {
  private UndustLive live;

  @Override
  public void configure(Map<String, Object> conf, JsonNode params) {
    String service = params.path("service").asText("http://127.0.0.1:7878");
    live = new UndustLive(service, params.path("token").asText(null));
  }

  @Override
  public void filter(String url, byte[] content, DocumentFragment document, ParseResult parse) {
    live.saw(url, 200, content);
  }
}

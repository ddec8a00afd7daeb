// Apache Nutch generates no URL whose page was fetched under another, and undust learns from each page that is
// parsed. Put this class and UndustLive in a plug-in of extension point org.apache.nutch.scoring.ScoringFilter,
// name it last in scoring.filter.order, and in nutch-site.xml:
//   undust.service = http://127.0.0.1:7878     undust.token = (if the service asks for one)
//   generate.min.score = 0                     (a URL that is skipped has a score below)
// Nutch decides upon a whole segment before it fetches any of it: small segments (-topN) save more.
package org.example.undust;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.parse.Parse;
import org.apache.nutch.protocol.Content;
import org.apache.nutch.scoring.AbstractScoringFilter;

public class UndustLiveScoringFilter extends AbstractScoringFilter {
  private UndustLive live;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf == null) return;
    live = new UndustLive(conf.get("undust.service", "http://127.0.0.1:7878"), conf.get("undust.token"));
  }

  @Override
  public float generatorSortValue(Text url, CrawlDatum datum, float initSort) {
    return live.isSkipped(url.toString()) ? -Float.MAX_VALUE : initSort;
  }

  @Override
  public void passScoreAfterParsing(Text url, Content content, Parse parse) {
    live.saw(url.toString(), 200, content.getContent());
  }
}

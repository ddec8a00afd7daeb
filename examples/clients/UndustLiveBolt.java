// StormCrawler fetches no URL whose page was fetched under another. Between the partitioner and the fetcher of a
// topology:
//   builder.setBolt("undust", new UndustLiveBolt("http://127.0.0.1:7878", null)).shuffleGrouping("partitioner");
//   builder.setBolt("fetch", new FetcherBolt()).fieldsGrouping("undust", new Fields("key"));
// and let the status updater listen to its status stream, too. UndustLiveParseFilter tells what came back.
package org.example.undust;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.stormcrawler.Constants;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.persistence.Status;

public class UndustLiveBolt extends BaseRichBolt {
  private final String service;
  private final String token;
  private transient UndustLive live;
  private transient OutputCollector collector;

  public UndustLiveBolt(String service, String token) {
    this.service = service;
    this.token = token;
  }

  @Override
  public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    this.live = new UndustLive(service, token);
    this.collector = collector;
  }

  /** A URL that is skipped counts as fetched, so that it is not scheduled again at once. */
  @Override
  public void execute(Tuple input) {
    String url = input.getStringByField("url");
    Metadata metadata = (Metadata) input.getValueByField("metadata");
    if (live.isSkipped(url)) {
      collector.emit(Constants.StatusStreamName, input, new Values(url, metadata, Status.FETCHED));
    } else {
      collector.emit(input, new Values(url, input.getStringByField("key"), metadata));
    }
    collector.ack(input);
  }

  @Override
  public void declareOutputFields(OutputFieldsDeclarer declarer) {
    declarer.declare(new Fields("url", "key", "metadata"));
    declarer.declareStream(Constants.StatusStreamName, new Fields("url", "metadata", "status"));
  }
}

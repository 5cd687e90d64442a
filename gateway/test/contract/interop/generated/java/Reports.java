import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import postern.ApiClient;
import postern.ApiException;
import postern.api.ReportsApi;
import postern.model.InquiryResponse;
import postern.model.InquiryState;
import postern.model.ListedMessage;
import postern.model.MessageListData;
import postern.model.MessageSearchRequest;
import postern.model.PollData;
import postern.model.Report;
import postern.model.StreamData;
import postern.model.StreamPosition;

/** Reads delivery reports. */
final class Reports {
  private final ReportsApi reports;

  Reports(ApiClient client) {
    reports = new ReportsApi(client);
  }

  InquiryResponse inquire(String msgKey) throws ApiException {
    return reports.findReports(msgKey);
  }

  /** Polls until the message is closed and returns the report of its last step. */
  Report waitForOutcome(String msgKey, Duration limit) throws ApiException, InterruptedException, TimeoutException {
    Instant until = Instant.now().plus(limit);
    while (Instant.now().isBefore(until)) {
      InquiryResponse inquiry = inquire(msgKey);
      if (inquiry.getState() == InquiryState.CLOSED) {
        return inquiry.getData().getReport().stream().filter(Report::getLast).findFirst().orElseThrow();
      }
      Thread.sleep(200);
    }
    throw new TimeoutException(msgKey + " is not closed after " + limit);
  }

  /** Lists the messages with a ref, newest first. */
  List<ListedMessage> findMessages(String ref, OffsetDateTime since) throws ApiException {
    List<ListedMessage> found = new ArrayList<>();
    MessageSearchRequest search = new MessageSearchRequest().since(since).ref(ref);
    do {
      MessageListData page = reports.searchMessages(search).getData();
      found.addAll(page.getMessage());
      search.setCursor(page.getCursor());
    } while (search.getCursor() != null);
    return found;
  }

  /** Stores one batch of reports. The gateway returns it again until it is acknowledged, so none is lost. */
  int collect(Consumer<List<Report>> store) throws ApiException {
    PollData batch = reports.pollReports().getData();
    if (!batch.getReport().isEmpty()) {
      store.accept(batch.getReport());
      reports.acknowledgeReports(batch.getReportId());
    }
    return batch.getReport().size();
  }

  /** Waits for reports, stores them and advances the consumer. */
  int follow(String consumer, Consumer<List<Report>> store) throws ApiException {
    StreamData page = reports.streamReports(consumer, null, null, 500, 3).getData();
    if (!page.getReport().isEmpty()) {
      store.accept(page.getReport());
      reports.moveConsumer(consumer, new StreamPosition().cursor(page.getCursor()));
    }
    return page.getReport().size();
  }
}

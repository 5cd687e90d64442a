import com.standardwebhooks.Webhook;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import postern.ApiClient;
import postern.ApiException;
import postern.model.ErrorResponse;
import postern.model.InquiryState;
import postern.model.ListedMessage;
import postern.model.MessageState;
import postern.model.Report;
import postern.model.ReportOutcome;

/** Uses the generated client against the sandbox of a gateway and prints a line for each check. */
public final class Main {
  // The last four digits select the sandbox result: 0001 is delivered, 0023 supports only SMS.
  private static final String PHONE = "01000000001";
  private static final String PLAIN_PHONE = "01000000023";
  private static final String PHONE_ABROAD = "+14155550001";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ApiClient client;
  private final Messages messages;
  private final Reports reports;

  private Main(ApiClient client) {
    this.client = client;
    messages = new Messages(client);
    reports = new Reports(client);
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = Connection.connect(
        System.getenv("POSTERN_URL"), System.getenv("POSTERN_CLIENT_ID"), System.getenv("POSTERN_PASSWORD"));
    System.out.println("ok requests a token");
    Main main = new Main(client);
    main.checkChannels();
    main.checkRepetition();
    main.checkFallback();
    main.checkSearch();
    main.checkPolling();
    main.checkStream();
    main.checkError();
    main.checkWebhook();
  }

  private void checkChannels() throws Exception {
    Map<String, String> sent = new LinkedHashMap<>();
    sent.put("SMS", messages.announceParcel(PHONE, "parcel-1"));
    sent.put("MMS", messages.sendPicture(PHONE, new File(System.getenv("POSTERN_IMAGE")), "sale-1"));
    sent.put("INTERNATIONAL", messages.sendCodeAbroad(PHONE_ABROAD, "482913", "code-1"));
    sent.put("RCS", messages.remindOfAppointment(PHONE, "appointment-1"));
    sent.put("ALIMTALK", messages.confirmShipment(PHONE, "order-1"));
    sent.put("FRIENDTALK", messages.presentCollection(PHONE, "collection-1"));
    sent.put("BRANDMESSAGE", messages.advertiseCollection(PHONE, "collection-2"));
    for (Map.Entry<String, String> each : sent.entrySet()) {
      Report outcome = reports.waitForOutcome(each.getValue(), LIMIT);
      expect(outcome.getServiceType().equals(each.getKey()), outcome);
      expect(outcome.getOutcome() == ReportOutcome.DELIVERED, outcome);
      System.out.println("ok delivers " + each.getKey());
    }
  }

  private void checkRepetition() throws Exception {
    String first = messages.announceParcel(PHONE, "parcel-2");
    expect(messages.announceParcel(PHONE, "parcel-2").equals(first), first);
    reports.waitForOutcome(first, LIMIT);
    System.out.println("ok sends once with one Idempotency-Key");
  }

  private void checkFallback() throws Exception {
    Map<String, String> keys = messages.announceOrders(Map.of(PHONE, "Minji", PLAIN_PHONE, "Junho"), "orders-1");
    expect(reports.waitForOutcome(keys.get(PHONE), LIMIT).getServiceType().equals("ALIMTALK"), keys);
    expect(reports.waitForOutcome(keys.get(PLAIN_PHONE), LIMIT).getServiceType().equals("SMS"), keys);
    System.out.println("ok falls back to SMS");
  }

  private void checkSearch() throws Exception {
    List<ListedMessage> found = reports.findMessages("orders-1", OffsetDateTime.now().minusHours(1));
    expect(found.size() == 2, found);
    expect(found.stream().allMatch(each -> each.getState() == MessageState.CLOSED), found);
    System.out.println("ok finds messages by ref");
    expect(reports.inquire(found.get(0).getMsgKey()).getState() == InquiryState.CLOSED, found);
    expect(reports.inquire("no-such-message").getState() == InquiryState.UNKNOWN, "no-such-message");
    System.out.println("ok distinguishes closed and unknown messages");
  }

  private void checkPolling() throws Exception {
    List<Report> stored = new ArrayList<>();
    while (reports.collect(stored::addAll) > 0) {}
    expect(stored.stream().anyMatch(report -> report.getRef().equals("parcel-1")), stored);
    System.out.println("ok polls and acknowledges reports");
  }

  private void checkStream() throws Exception {
    List<Report> stored = new ArrayList<>();
    while (reports.follow("billing", stored::addAll) > 0) {}
    expect(stored.stream().anyMatch(report -> report.getRef().equals("parcel-1")), stored);
    System.out.println("ok follows the report stream");
  }

  private void checkError() throws Exception {
    try {
      messages.announceParcel("invalid", "parcel-3");
      throw new AssertionError("an invalid recipient was accepted");
    } catch (ApiException refused) {
      ErrorResponse error = Connection.readError(client, refused);
      expect(error.getCode().equals("A306") && error.getField().equals("to"), error);
      System.out.println("ok reads the code and the field of an error");
    }
  }

  private void checkWebhook() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/reports";
    BlockingQueue<Report> received = new LinkedBlockingQueue<>();
    Webhook webhook = new Webhook(WebhookReceiver.register(client, url));
    server.createContext("/reports", new WebhookReceiver(webhook, client.getObjectMapper(), received::add));
    String msgKey = messages.announceParcel(PHONE, "parcel-4");
    Report report = received.poll(30, TimeUnit.SECONDS);
    expect(report != null && report.getMsgKey().equals(msgKey), report);
    System.out.println("ok receives a report by webhook");
    HttpRequest unsigned = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString("{}")).build();
    expect(HttpClient.newHttpClient().send(unsigned, BodyHandlers.discarding()).statusCode() == 401, url);
    System.out.println("ok refuses a push without a signature");
    server.stop(0);
  }

  private static void expect(boolean condition, Object found) {
    if (!condition) {
      throw new AssertionError("unexpected: " + found);
    }
  }
}

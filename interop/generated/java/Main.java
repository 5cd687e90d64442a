import java.util.List;
import java.util.UUID;
import postern.ApiClient;
import postern.ApiException;
import postern.api.ReportsApi;
import postern.api.SendApi;
import postern.api.TokenApi;
import postern.model.PlainAnswer;
import postern.model.Report;
import postern.model.SmsMessage;

/**
 * Requests a token, sends a message to the sandbox, reads its report and an error, with the generated client.
 * Prints a line for each check. Settings come from the environment.
 */
public class Main {
  public static void main(String[] args) throws Exception {
    String url = System.getenv("POSTERN_URL");
    ApiClient open = new ApiClient();
    open.updateBaseUri(url);
    String token = new TokenApi(open)
        .issueToken(System.getenv("POSTERN_CLIENT_ID"), System.getenv("POSTERN_PASSWORD"))
        .getData().getToken();
    System.out.println("ok requests a token");

    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    SendApi sends = new SendApi(client);
    SmsMessage message = new SmsMessage().from("0212345678").to("01000000001").text("Hello from Java").ref("java");
    String key = UUID.randomUUID().toString();
    String msgKey = sends.sendSms(message, null, key).getMsgKey();
    String again = sends.sendSms(message, null, key).getMsgKey();
    expect(msgKey.equals(again), again);
    System.out.println("ok sends a message once with one Idempotency-Key");

    ReportsApi reading = new ReportsApi(client);
    List<Report> reports = List.of();
    long until = System.nanoTime() + 30_000_000_000L;
    while (reports.isEmpty() && System.nanoTime() < until) {
      Thread.sleep(200);
      reports = reading.findReports(msgKey).getData().getReport();
    }
    expect(reports.size() == 1, reports);
    expect("java".equals(reports.get(0).getRef()) && "10000".equals(reports.get(0).getReportCode()), reports);
    System.out.println("ok reads the report: delivered");

    try {
      sends.sendSms(new SmsMessage().from("0212345678").to("nobody").text("Hello"), null, null);
      throw new AssertionError("a message to nobody was accepted");
    } catch (ApiException error) {
      PlainAnswer answer = client.getObjectMapper().readValue(error.getResponseBody(), PlainAnswer.class);
      expect(error.getCode() == 400 && "A306".equals(answer.getCode()), error);
    }
    System.out.println("ok an error has its code");
  }

  private static void expect(boolean condition, Object answer) {
    if (!condition) {
      throw new AssertionError("unexpected answer: " + answer);
    }
  }
}

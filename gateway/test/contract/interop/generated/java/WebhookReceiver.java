import com.fasterxml.jackson.databind.ObjectMapper;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import postern.ApiClient;
import postern.ApiException;
import postern.api.WebhooksApi;
import postern.model.Report;
import postern.model.WebhookRequest;

/** Verifies the signature of each push and stores its report. */
final class WebhookReceiver implements HttpHandler {
  private final Webhook webhook;
  private final ObjectMapper mapper;
  private final Consumer<Report> store;

  WebhookReceiver(Webhook webhook, ObjectMapper mapper, Consumer<Report> store) {
    this.webhook = webhook;
    this.mapper = mapper;
    this.store = store;
  }

  /** Creates a webhook and returns its secret. No later response contains it: store it. */
  static String register(ApiClient client, String url) throws ApiException {
    WebhookRequest request = new WebhookRequest().url(url).notices(false);
    return new WebhooksApi(client).createWebhook(request).getData().getSecret();
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    try {
      webhook.verify(body, HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true));
      store.accept(mapper.readValue(body, Report.class));
      // Any 2xx acknowledges the report.
      exchange.sendResponseHeaders(204, -1);
    } catch (WebhookVerificationException unsigned) {
      exchange.sendResponseHeaders(401, -1);
    }
    exchange.close();
  }
}

package com.example.reconciliation;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
class Gateway {

    record Report(String msgKey, String ref, boolean last, String outcome) {}

    record ReportPage(String cursor, List<Report> report) {}

    record Inquiry(String state, ReportPage data) {}

    record Message(String msgKey, String ref, String outcome) {}

    record Counts(long delivered, long closed) {}

    private record Reports(ReportPage data) {}

    private record Messages(MessagePage data) {}

    /** The last page has no cursor. */
    private record MessagePage(String cursor, List<Message> message) {}

    private record Usage(UsageTable data) {}

    private record UsageTable(List<UsageRow> usage) {}

    private record UsageRow(String outcome, long messages) {}

    private final RestClient http;

    Gateway(RestClient.Builder builder, @Value("${postern.url}") String url, @Value("${postern.key}") String key) {
        http = builder.baseUrl(url).defaultHeaders(headers -> headers.setBearerAuth(key))
                .requestInterceptor(Gateway::repeatLater).build();
    }

    ReportPage readReports(String cursor) {
        return http.get()
                .uri(uri -> uri.path("/v1/report/stream").queryParam("limit", 1000)
                        .queryParamIfPresent("cursor", Optional.ofNullable(cursor)).build())
                .retrieve().body(Reports.class).data();
    }

    /** A scheduled message is listed at its send time, so this searches the longest period allowed, 31 days. */
    List<Message> findByRef(String ref, Instant since) {
        var found = new ArrayList<Message>();
        var search = new HashMap<String, Object>();
        search.put("since", since.toString());
        search.put("until", since.plus(Duration.ofDays(31)).toString());
        search.put("ref", ref);
        do {
            var page = http.post().uri("/v1/message/search").contentType(MediaType.APPLICATION_JSON).body(search)
                    .retrieve().body(Messages.class).data();
            found.addAll(page.message());
            search.put("cursor", page.cursor());
        } while (search.get("cursor") != null);
        return found;
    }

    Inquiry inquire(String msgKey) {
        return http.get().uri("/v1/report/inquiry/{msgKey}", msgKey).retrieve().body(Inquiry.class);
    }

    Counts count(LocalDate day) {
        var usage = http.get().uri("/v1/usage?from={day}&to={day}&by=outcome", day, day)
                .retrieve().body(Usage.class).data().usage();
        var delivered = usage.stream().filter(row -> row.outcome().equals("delivered"));
        return new Counts(delivered.mapToLong(UsageRow::messages).sum(), usage.stream().mapToLong(UsageRow::messages).sum());
    }

    /** The gateway sets Retry-After if a rate limit was exceeded (429) or if it is overloaded (503). */
    private static ClientHttpResponse repeatLater(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
        while (true) {
            var response = execution.execute(request, body);
            var seconds = response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER);
            if (seconds == null) {
                return response;
            }
            response.close();
            try {
                Thread.sleep(Duration.ofSeconds(Long.parseLong(seconds)).toMillis());
            } catch (InterruptedException stopped) {
                throw new InterruptedIOException();
            }
        }
    }
}

// Reads requests of the gateway's RBM connector with Google's generated client, and sends them to a server.
//
// Arguments: the key file of a service account, the root URL of the server, and request files. Prints one JSON array with, for each
// request, the client's own form of it, the fields that the client does not know, and the response of the server.

import com.google.api.client.googleapis.services.json.AbstractGoogleJsonClientRequest;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.GenericJson;
import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.services.rcsbusinessmessaging.v1.RCSBusinessMessaging;
import com.google.api.services.rcsbusinessmessaging.v1.model.AgentMessage;
import com.google.auth.http.HttpCredentialsAdapter;
import com.google.auth.oauth2.GoogleCredentials;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class SendRbm {
  static final JsonFactory json = GsonFactory.getDefaultInstance();
  static final String scope = "https://www.googleapis.com/auth/rcsbusinessmessaging";

  public static void main(String[] args) throws Exception {
    GoogleCredentials credentials = GoogleCredentials.fromStream(Files.newInputStream(Path.of(args[0]))).createScoped(scope);
    HttpRequestInitializer authorize = new HttpCredentialsAdapter(credentials);
    var builder = new RCSBusinessMessaging.Builder(new NetHttpTransport(), json, authorize);
    var client = builder.setRootUrl(args[1]).setApplicationName("postern").build();
    List<Object> found = new ArrayList<>();
    for (String path : Arrays.copyOfRange(args, 2, args.length)) found.add(send(client, Files.readAllBytes(Path.of(path))));
    System.out.write(json.toByteArray(found));
    System.out.flush();
  }

  static Map<String, Object> send(RCSBusinessMessaging client, byte[] file) throws Exception {
    String text = new String(file, StandardCharsets.UTF_8);
    String[] line = text.substring(0, text.indexOf("\r\n")).split(" ");
    String body = text.substring(text.indexOf("\r\n\r\n") + 4);
    URI uri = URI.create(line[1]);
    Map<String, String> query = new LinkedHashMap<>();
    for (String pair : uri.getRawQuery().split("&")) {
      String[] parts = pair.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    String agentId = query.get("agentId");
    String phone = uri.getPath().replaceAll("^/v1/(phones/[^/]*)/.*", "$1");
    List<String> unknown = new ArrayList<>();
    Map<String, Object> found = new LinkedHashMap<>();
    AbstractGoogleJsonClientRequest<? extends GenericJson> request;
    if (uri.getPath().endsWith("/agentMessages")) {
      AgentMessage message = json.fromString(body, AgentMessage.class);
      collectUnknown("", message, unknown);
      found.put("body", json.toString(message));
      // The golden deadline is in the past.
      if (message.getExpireTime() != null) message.setExpireTime(Instant.now().plusSeconds(3600).toString());
      request = client.phones().agentMessages().create(phone, message).setMessageId(query.get("messageId")).setAgentId(agentId);
    } else if (uri.getPath().endsWith("/capabilities")) {
      request = client.phones().getCapabilities(phone).setRequestId(query.get("requestId")).setAgentId(agentId);
    } else {
      var upload = client.files().create(null, new ByteArrayContent("image/gif", body.getBytes(StandardCharsets.UTF_8)));
      upload.getMediaHttpUploader().setDirectUploadEnabled(true);
      // The method lacks this parameter, which Google's guide puts in the query.
      request = upload.set("agentId", agentId);
    }
    found.put("method", request.getRequestMethod());
    found.put("url", request.buildHttpRequestUrl().build());
    GenericJson answer = request.setDisableGZipContent(true).execute();
    List<String> unknownInAnswer = new ArrayList<>();
    collectUnknown("", answer, unknownInAnswer);
    found.put("unknown", unknown);
    found.put("answer", json.toString(answer));
    found.put("unknownInAnswer", unknownInAnswer);
    return found;
  }

  /** Collects the names of fields that the client's types lack. */
  static void collectUnknown(String path, Object value, List<String> unknown) throws IOException {
    if (value instanceof Collection<?> list) {
      for (Object item : list) collectUnknown(path, item, unknown);
    } else if (value instanceof GenericJson object) {
      for (String name : object.getUnknownKeys().keySet()) unknown.add(path + name);
      for (var field : object.entrySet()) collectUnknown(path + field.getKey() + ".", field.getValue(), unknown);
    }
  }
}

import com.fasterxml.jackson.core.JsonProcessingException;
import postern.ApiClient;
import postern.ApiException;
import postern.api.TokenApi;
import postern.model.ErrorResponse;

/** Connects to the gateway and reads its error responses. */
final class Connection {
  private Connection() {}

  static ApiClient connect(String url, String clientId, String password) throws ApiException {
    String token = new TokenApi(open(url)).issueToken(clientId, password).getData().getToken();
    ApiClient client = open(url);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  private static ApiClient open(String url) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    return client;
  }

  /** Returns the code, the error text and the path of the invalid field, if any. */
  static ErrorResponse readError(ApiClient client, ApiException error) throws JsonProcessingException {
    return client.getObjectMapper().readValue(error.getResponseBody(), ErrorResponse.class);
  }
}

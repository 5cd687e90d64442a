// Reads MM7 requests with SAAJ, and prints their contents as one JSON array.

import com.sun.xml.messaging.saaj.packaging.mime.internet.ContentType;
import com.sun.xml.messaging.saaj.packaging.mime.internet.MimeBodyPart;
import com.sun.xml.messaging.saaj.packaging.mime.internet.MimeMultipart;
import jakarta.activation.DataSource;
import jakarta.xml.soap.AttachmentPart;
import jakarta.xml.soap.MessageFactory;
import jakarta.xml.soap.MimeHeaders;
import jakarta.xml.soap.SOAPMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

public class ReadMm7 {
  public static void main(String[] paths) throws Exception {
    List<String> messages = new ArrayList<>();
    for (String path : paths) messages.add(read(Files.readAllBytes(Path.of(path))));
    System.out.write(("[" + String.join(",", messages) + "]\n").getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }

  static String read(byte[] file) throws Exception {
    String text = new String(file, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    MimeHeaders headers = new MimeHeaders();
    for (String line : text.substring(0, end).split("\r\n")) {
      int colon = line.indexOf(':');
      headers.addHeader(line.substring(0, colon), line.substring(colon + 1).trim());
    }
    InputStream body = new ByteArrayInputStream(file, end + 4, file.length - end - 4);
    SOAPMessage message = MessageFactory.newInstance().createMessage(headers, body);
    List<String> values = new ArrayList<>();
    collect((Element) message.getSOAPPart().getEnvelope(), values);
    List<String> parts = new ArrayList<>();
    for (var all = message.getAttachments(); all.hasNext(); ) {
      AttachmentPart part = all.next();
      addPart(part.getContentType(), part.getRawContentBytes(), parts);
    }
    return "{\"values\":{" + String.join(",", values) + "},\"parts\":[" + String.join(",", parts) + "]}";
  }

  /** The texts of the elements without children, by local name. */
  static void collect(Element element, List<String> values) {
    boolean hasChildren = false;
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element child)) continue;
      hasChildren = true;
      collect(child, values);
    }
    if (!hasChildren) values.add(quote(element.getLocalName()) + ":" + quote(element.getTextContent()));
  }

  static void addPart(String type, byte[] octets, List<String> parts) throws Exception {
    ContentType parsed = new ContentType(type);
    if (!parsed.getPrimaryType().equals("multipart")) {
      String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
      String found = "\"type\":" + quote(parsed.getBaseType()) + ",\"sha256\":" + quote(sha256);
      String charset = parsed.getParameter("charset");
      if (parsed.getBaseType().equals("text/plain")) found += ",\"text\":" + quote(new String(octets, charset));
      parts.add("{" + found + "}");
      return;
    }
    MimeMultipart inner = new MimeMultipart(new Bytes(octets, type), parsed);
    for (int index = 0; index < inner.getCount(); index++) {
      MimeBodyPart part = inner.getBodyPart(index);
      addPart(part.getContentType(), part.getInputStream().readAllBytes(), parts);
    }
  }

  static String quote(String text) {
    StringBuilder written = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      if (unit < ' ' || unit == '"' || unit == '\\') written.append(String.format("\\u%04x", (int) unit));
      else written.append(unit);
    }
    return written.append('"').toString();
  }

  record Bytes(byte[] octets, String type) implements DataSource {
    public InputStream getInputStream() {
      return new ByteArrayInputStream(octets);
    }

    public OutputStream getOutputStream() throws IOException {
      throw new IOException("read only");
    }

    public String getContentType() {
      return type;
    }

    public String getName() {
      return "content";
    }
  }
}

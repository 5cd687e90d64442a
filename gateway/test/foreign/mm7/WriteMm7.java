// Writes messages of an MMSC with SAAJ, each in several forms, and prints them as one JSON array.

import jakarta.xml.soap.AttachmentPart;
import jakarta.xml.soap.MessageFactory;
import jakarta.xml.soap.SOAPElement;
import jakarta.xml.soap.SOAPException;
import jakarta.xml.soap.SOAPMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.xml.namespace.QName;

public class WriteMm7 {
  static final String namespace = "http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/REL-6-MM7-1-4";
  static final List<String> written = new ArrayList<>();

  interface Operation {
    void write(SOAPMessage message) throws SOAPException;
  }

  public static void main(String[] args) throws Exception {
    write("accepted", (message) -> {
      SOAPElement response = add(message.getSOAPBody(), "SubmitRsp");
      status(response, "1000", "성공 <&>");
      add(response, "MessageID").addTextNode("mms-1@mmsc");
    });
    write("refused", (message) -> status(add(message.getSOAPBody(), "SubmitRsp"), "2004", "내용 거부"));
    write("fault", (message) -> {
      QName code = new QName("http://schemas.xmlsoap.org/soap/envelope/", "Server");
      var detail = message.getSOAPBody().addFault(code, "Server error").addDetail();
      status(add(detail, "RSErrorRsp"), "4006", "사용 불가");
    });
    write("report", (message) -> {
      SOAPElement request = add(message.getSOAPBody(), "DeliveryReportReq");
      add(request, "MM7Version").addTextNode("6.8.0");
      add(request, "MessageID").addTextNode("mms-1@mmsc");
      add(add(request, "Recipient"), "Number").addTextNode("+821012345678");
      add(add(request, "Sender"), "Number").addTextNode("0215881234");
      add(request, "Date").addTextNode("2026-11-15T13:04:27+09:00");
      add(request, "MMStatus").addTextNode("Retrieved");
      add(request, "StatusText").addTextNode("수신");
    });
    write("reply", (message) -> {
      SOAPElement request = add(message.getSOAPBody(), "DeliverReq");
      add(add(request, "Sender"), "Number").addTextNode("+821012345678");
      add(add(add(request, "Recipients"), "To"), "Number").addTextNode("0215881234");
      add(request, "Subject").addTextNode("수신거부");
    });
    System.out.write(("[" + String.join(",", written) + "]\n").getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }

  static void write(String name, Operation operation) throws Exception {
    for (String charset : new String[] {"utf-8", "euc-kr"})
      for (boolean declared : new boolean[] {false, true})
        for (boolean attached : new boolean[] {false, true}) {
          SOAPMessage message = MessageFactory.newInstance().createMessage();
          message.setProperty(SOAPMessage.CHARACTER_SET_ENCODING, charset);
          message.setProperty(SOAPMessage.WRITE_XML_DECLARATION, String.valueOf(declared));
          message.getSOAPHeader().addHeaderElement(new QName(namespace, "TransactionID", "mm7")).addTextNode("transaction-1");
          operation.write(message);
          if (attached) attach(message);
          message.saveChanges();
          ByteArrayOutputStream octets = new ByteArrayOutputStream();
          message.writeTo(octets);
          String type = message.getMimeHeaders().getHeader("Content-Type")[0];
          String body = Base64.getEncoder().encodeToString(octets.toByteArray());
          String form = charset + (declared ? ", declared" : "") + (attached ? ", attached" : "");
          written.add(String.format("{\"name\":\"%s\",\"form\":\"%s\",\"type\":\"%s\",\"body\":\"%s\"}", name, form, type.replace("\"", "\\\""), body));
        }
  }

  static SOAPElement add(SOAPElement parent, String name) throws SOAPException {
    return parent.addChildElement(name, "mm7", namespace);
  }

  static void status(SOAPElement response, String code, String text) throws SOAPException {
    add(response, "MM7Version").addTextNode("6.8.0");
    SOAPElement status = add(response, "Status");
    add(status, "StatusCode").addTextNode(code);
    add(status, "StatusText").addTextNode(text);
  }

  static void attach(SOAPMessage message) throws SOAPException {
    AttachmentPart part = message.createAttachmentPart();
    part.setRawContentBytes("첨부".getBytes(StandardCharsets.UTF_8), 0, 6, "text/plain; charset=utf-8");
    part.setContentId("<content>");
    message.addAttachmentPart(part);
  }
}

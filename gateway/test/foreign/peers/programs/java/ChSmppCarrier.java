// A carrier based on ch-smpp. It listens on the given port and reports submissions as lines of JSON.
import com.cloudhopper.smpp.*;
import com.cloudhopper.smpp.impl.*;
import com.cloudhopper.smpp.pdu.*;
import com.cloudhopper.smpp.type.Address;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

public class ChSmppCarrier {
  static final AtomicInteger ids = new AtomicInteger();
  static final ExecutorService pool = Executors.newCachedThreadPool();

  public static void main(String[] args) throws Exception {
    var configuration = new SmppServerConfiguration();
    configuration.setPort(Integer.parseInt(args[0]));
    new DefaultSmppServer(configuration, new SmppServerHandler() {
      public void sessionBindRequested(Long id, SmppSessionConfiguration given, BaseBind bind) {}

      public void sessionCreated(Long id, SmppServerSession session, BaseBindResp response) {
        session.serverReady(new Handler(session));
      }

      public void sessionDestroyed(Long id, SmppServerSession session) {
        session.destroy();
      }
    }, pool).start();
    System.out.println("{\"event\":\"listening\",\"port\":" + args[0] + "}");
  }

  static class Handler extends DefaultSmppSessionHandler {
    final SmppServerSession session;

    Handler(SmppServerSession session) {
      this.session = session;
    }

    @Override
    public PduResponse firePduRequestReceived(PduRequest request) {
      if (!(request instanceof SubmitSm submit)) return request.createResponse();
      System.out.println("{\"event\":\"submit\",\"dataCoding\":" + (submit.getDataCoding() & 0xff)
          + ",\"esmClass\":" + (submit.getEsmClass() & 0xff) + ",\"octets\":\""
          + HexFormat.of().formatHex(submit.getShortMessage()) + "\"}");
      var response = submit.createResponse();
      if (submit.getDestAddress().getAddress().endsWith("2")) {
        response.setCommandStatus(0x58);
        return response;
      }
      String id = String.format("%010d", ids.incrementAndGet());
      response.setMessageId(id);
      pool.submit(() -> deliver(submit, id));
      return response;
    }

    Object deliver(SubmitSm submit, String id) throws Exception {
      boolean reply = submit.getDestAddress().getAddress().endsWith("3");
      String text = reply ? "hello from ch-smpp"
          : "id:" + id + " sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:";
      var deliver = new DeliverSm();
      deliver.setSourceAddress(new Address((byte) 1, (byte) 1, submit.getDestAddress().getAddress()));
      deliver.setDestAddress(new Address((byte) 2, (byte) 1, submit.getSourceAddress().getAddress()));
      deliver.setEsmClass((byte) (reply ? 0 : 4));
      deliver.setShortMessage(text.getBytes("ISO-8859-1"));
      return session.sendRequestPdu(deliver, 10_000, false);
    }
  }
}

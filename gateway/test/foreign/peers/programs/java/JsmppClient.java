// A client based on jsmpp. Arguments: port system_id password. Reads the commands of client-program.ts and reports events
// as lines of JSON.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jsmpp.bean.*;
import org.jsmpp.extra.NegativeResponseException;
import org.jsmpp.extra.SessionState;
import org.jsmpp.session.*;

public class JsmppClient {
  static final ExecutorService pool = Executors.newCachedThreadPool();
  static volatile SMPPSession session;
  static volatile boolean leaving;

  public static void main(String[] args) throws Exception {
    connect(args);
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "submit" -> pool.submit(() -> submit(words[1], words[2], 0, Integer.parseInt(words[3]), words[4]));
        case "long" -> {
          for (int part = 4; part < words.length; part++) {
            String octets = words[part];
            pool.submit(() -> submit(words[1], words[2], 0x40, 0, octets));
          }
        }
        case "unbind" -> {
          leaving = true;
          session.unbindAndClose();
          report("{\"event\":\"unbound\"}");
        }
        default -> {}
      }
    }
    System.exit(0);
  }

  static synchronized void report(String line) {
    System.out.println(line);
  }

  static void connect(String[] args) throws Exception {
    while (!leaving) {
      var next = new SMPPSession();
      // Sends enquire_link after this time without input.
      next.setEnquireLinkTimer(300);
      next.setTransactionTimer(10_000);
      next.setMessageReceiverListener(new MessageReceiverListener() {
        public void onAcceptDeliverSm(DeliverSm delivered) {
          report("{\"event\":\"receipt\",\"octets\":\"" + HexFormat.of().formatHex(delivered.getShortMessage()) + "\"}");
        }

        public void onAcceptAlertNotification(AlertNotification alert) {}

        public DataSmResult onAcceptDataSm(DataSm data, Session source) {
          return null;
        }
      });
      try {
        next.connectAndBind("127.0.0.1", Integer.parseInt(args[0]), new BindParameter(BindType.BIND_TRX, args[1], args[2], "",
            TypeOfNumber.UNKNOWN, NumberingPlanIndicator.UNKNOWN, null));
        session = next;
        next.addSessionStateListener((now, before, source) -> {
          if (now == SessionState.CLOSED && !leaving)
            pool.submit(() -> {
              connect(args);
              return null;
            });
        });
        report("{\"event\":\"bound\"}");
        return;
      } catch (java.io.IOException refused) {
        Thread.sleep(200);
      }
    }
  }

  static Object submit(String n, String to, int esmClass, int coding, String octets) throws Exception {
    int status = 0;
    String id = "";
    try {
      id = session.submitShortMessage("", TypeOfNumber.UNKNOWN, NumberingPlanIndicator.ISDN, "0234567890",
          TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, to, new ESMClass(esmClass), (byte) 0, (byte) 0, null, null,
          new RegisteredDelivery(SMSCDeliveryReceipt.SUCCESS_FAILURE), (byte) 0, new RawDataCoding((byte) coding), (byte) 0,
          HexFormat.of().parseHex(octets)).getMessageId();
    } catch (NegativeResponseException refused) {
      status = refused.getCommandStatus();
    }
    report("{\"event\":\"answer\",\"n\":" + n + ",\"status\":" + status + ",\"id\":\"" + id + "\"}");
    return null;
  }
}

// A carrier based on jsmpp. It listens on the given port and reports submissions as lines of JSON.
import java.lang.reflect.Proxy;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jsmpp.bean.*;
import org.jsmpp.extra.ProcessRequestException;
import org.jsmpp.session.*;
import org.jsmpp.util.MessageId;

public class JsmppCarrier {
  static final AtomicInteger ids = new AtomicInteger(10000);

  public static void main(String[] args) throws Exception {
    var pool = Executors.newCachedThreadPool();
    var listener = new SMPPServerSessionListener(Integer.parseInt(args[0]));
    System.out.println("{\"event\":\"listening\",\"port\":" + args[0] + "}");
    while (true) {
      var session = listener.accept();
      session.setMessageReceiverListener((ServerMessageReceiverListener) Proxy.newProxyInstance(
          JsmppCarrier.class.getClassLoader(), new Class<?>[] {ServerMessageReceiverListener.class},
          (proxy, method, given) -> {
            if (!method.getName().equals("onAcceptSubmitSm"))
              throw new ProcessRequestException("not supported", 0x03);
            var submit = (SubmitSm) given[0];
            System.out.println("{\"event\":\"submit\",\"dataCoding\":" + (submit.getDataCoding() & 0xff)
                + ",\"esmClass\":" + (submit.getEsmClass() & 0xff) + ",\"octets\":\""
                + HexFormat.of().formatHex(submit.getShortMessage()) + "\"}");
            if (submit.getDestAddress().endsWith("2")) throw new ProcessRequestException("slow down", 0x58);
            int id = ids.incrementAndGet();
            pool.submit(() -> deliver((SMPPServerSession) given[1], submit, id));
            // Like its simulator: hexadecimal in the response, decimal in the receipt.
            return new SubmitSmResult(new MessageId(Integer.toHexString(id)), new OptionalParameter[0]);
          }));
      pool.submit(() -> {
        session.waitForBind(10_000).accept("jsmpp", InterfaceVersion.IF_34);
        return null;
      });
    }
  }

  static Object deliver(SMPPServerSession session, SubmitSm submit, int id) throws Exception {
    boolean reply = submit.getDestAddress().endsWith("3");
    String text = reply ? "hello from jsmpp"
        : "id:" + id + " sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:";
    session.deliverShortMessage("", TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN,
        submit.getDestAddress(), TypeOfNumber.NATIONAL, NumberingPlanIndicator.ISDN, submit.getSourceAddr(),
        new ESMClass(reply ? 0 : 4), (byte) 0, (byte) 0, new RegisteredDelivery(0), DataCodings.ZERO,
        text.getBytes("ISO-8859-1"));
    return null;
  }
}

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import postern.ApiClient;
import postern.ApiException;
import postern.api.FilesApi;
import postern.api.SendApi;
import postern.model.AlimtalkMessage;
import postern.model.AlimtalkStep;
import postern.model.AlimtalkType;
import postern.model.BrandmessageMessage;
import postern.model.BrandmessageSendType;
import postern.model.DestinationResult;
import postern.model.FallbackType;
import postern.model.FlowStep;
import postern.model.FriendtalkMessage;
import postern.model.FriendtalkType;
import postern.model.InternationalMessage;
import postern.model.KakaoBubbleType;
import postern.model.KakaoButton;
import postern.model.KakaoButtonType;
import postern.model.KakaoFallback;
import postern.model.MmsMessage;
import postern.model.OmniDestination;
import postern.model.OmniRequest;
import postern.model.RcsButton;
import postern.model.RcsButtonType;
import postern.model.RcsContent;
import postern.model.RcsFallback;
import postern.model.RcsMessage;
import postern.model.RcsStandalone;
import postern.model.SmsMessage;
import postern.model.SmsStep;

/** Sends messages on each channel. Every method returns the msgKeys of what it sent. */
final class Messages {
  private static final String SENDER = "0212345678";
  private static final String SENDER_KEY = "0123456789abcdef0123456789abcdef01234567";
  private static final String BRAND_KEY = "BR.4tKq9sXz2m";

  private final SendApi sends;
  private final FilesApi files;

  Messages(ApiClient client) {
    sends = new SendApi(client);
    files = new FilesApi(client);
  }

  /** Sends an SMS. A second call for the same parcel sends nothing and returns the first response. */
  String announceParcel(String to, String parcel) throws ApiException {
    SmsMessage message = new SmsMessage().from(SENDER).to(to).text("Your parcel arrives today.").ref(parcel);
    return sends.sendSms(message, null, null, "sms-" + parcel).getMsgKey();
  }

  /** Uploads an image and sends it by MMS. */
  String sendPicture(String to, File image, String ref) throws ApiException {
    String fileKey = files.uploadImage("MMS", image).getData().getFileKey();
    MmsMessage message = new MmsMessage()
        .from(SENDER)
        .to(to)
        .title("Autumn sale")
        .text("Show this picture at the counter.")
        .addFileKeyItem(fileKey)
        .ref(ref);
    return sends.sendMms(message, null, null, null).getMsgKey();
  }

  String sendCodeAbroad(String to, String code, String ref) throws ApiException {
    InternationalMessage message =
        new InternationalMessage().from(SENDER).to(to).text("Your code is " + code + ".").ref(ref);
    return sends.sendInternational(message, null, null, null).getMsgKey();
  }

  /** Sends RCS, and an SMS if the phone does not support it. */
  String remindOfAppointment(String to, String ref) throws ApiException {
    RcsButton button = new RcsButton()
        .type(RcsButtonType.URL)
        .name("Change it")
        .url("https://example.com/appointments/17");
    RcsStandalone card = new RcsStandalone()
        .title("Your appointment")
        .text("We are looking forward to seeing you tomorrow at 10:00.")
        .addButtonItem(button);
    RcsMessage message = new RcsMessage()
        .from(SENDER)
        .to(to)
        .brandKey(BRAND_KEY)
        .formatId("SL000000")
        .content(new RcsContent().standalone(card))
        .fallback(new RcsFallback().type(FallbackType.SMS).text("Your appointment is tomorrow at 10:00."))
        .ref(ref);
    return sends.sendRcs(message, null, null, null).getMsgKey();
  }

  /** Sends an alimtalk with the text of an approved template. */
  String confirmShipment(String to, String ref) throws ApiException {
    String text = "Your order 20261115-1 has been shipped.";
    KakaoButton button = new KakaoButton()
        .type(KakaoButtonType.WL)
        .name("Track it")
        .urlMobile("https://example.com/t/20261115-1");
    AlimtalkMessage message = new AlimtalkMessage()
        .senderKey(SENDER_KEY)
        .msgType(AlimtalkType.AT)
        .to(to)
        .templateCode("order_shipped_1")
        .text(text)
        .addButtonItem(button)
        .fallback(new KakaoFallback().type(FallbackType.SMS).from(SENDER).text(text))
        .ref(ref);
    return sends.sendAlimtalk(message, null, null, null).getMsgKey();
  }

  /** Sends a friendtalk to a friend of the KakaoTalk channel. */
  String presentCollection(String to, String ref) throws ApiException {
    FriendtalkMessage message = new FriendtalkMessage()
        .senderKey(SENDER_KEY)
        .msgType(FriendtalkType.FT)
        .to(to)
        .text("The autumn collection is here.")
        .ref(ref);
    return sends.sendFriendtalk(message, null, null, null).getMsgKey();
  }

  /** Sends a brand message. */
  String advertiseCollection(String to, String ref) throws ApiException {
    BrandmessageMessage message = new BrandmessageMessage()
        .senderKey(SENDER_KEY)
        .sendType(BrandmessageSendType.FREE)
        .msgType(KakaoBubbleType.FT)
        .to(to)
        .text("The autumn collection is here.")
        .unsubscribePhoneNumber("080-1234-5678")
        .ref(ref);
    return sends.sendBrandmessage(message, null, null, null).getMsgKey();
  }

  /**
   * Sends an alimtalk to each recipient, and an SMS to those it does not reach. Returns the msgKeys by
   * recipient.
   */
  Map<String, String> announceOrders(Map<String, String> names, String ref) throws ApiException {
    AlimtalkStep alimtalk = new AlimtalkStep()
        .senderKey(SENDER_KEY)
        .msgType(AlimtalkType.AT)
        .templateCode("order_shipped_2")
        .text("Dear #{name}, your order has been shipped.");
    SmsStep sms = new SmsStep().from(SENDER).text("#{name}, your order has been shipped.");
    OmniRequest request = new OmniRequest()
        .messageFlow(List.of(new FlowStep().alimtalk(alimtalk), new FlowStep().sms(sms)))
        .ref(ref);
    names.forEach((to, name) ->
        request.addDestinationsItem(new OmniDestination().to(to).putReplaceWordsItem("name", name)));
    // Each destination is accepted or refused separately; the msgKey of a refused one is empty.
    return sends.sendOmni(request, null, null).getData().getDestinations().stream()
        .filter(each -> each.getCode().equals("A000"))
        .collect(Collectors.toMap(DestinationResult::getTo, DestinationResult::getMsgKey));
  }
}

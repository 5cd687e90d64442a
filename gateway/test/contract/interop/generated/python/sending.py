"""Sends messages on each channel. Every function except `upload` returns the msgKeys of what it sent."""

from pathlib import Path

from connection import checked
from postern import AuthenticatedClient
from postern.api.files import upload_image
from postern.api.send import (
    send_alimtalk,
    send_brandmessage,
    send_friendtalk,
    send_international,
    send_mms,
    send_omni,
    send_rcs,
    send_sms,
)
from postern.models import (
    AlimtalkMessage,
    AlimtalkStep,
    BrandmessageMessage,
    FlowStep,
    FriendtalkMessage,
    InternationalMessage,
    KakaoButton,
    KakaoFallback,
    MmsMessage,
    OmniDestination,
    OmniRequest,
    RcsButton,
    RcsContent,
    RcsFallback,
    RcsMessage,
    RcsStandalone,
    ReplaceWords,
    SmsMessage,
    SmsStep,
    UploadRequest,
)
from postern.types import File

SENDER = "0212345678"
SENDER_KEY = "0123456789abcdef0123456789abcdef01234567"
BRAND_KEY = "BR.4tKq9sXz2m"


def announce_parcel(client: AuthenticatedClient, to: str, parcel: str) -> str:
    """Sends an SMS. A second call for the same parcel sends nothing and returns the first response."""
    message = SmsMessage(from_=SENDER, to=to, text="Your parcel arrives today.", ref=parcel)
    response = send_sms.sync_detailed(client=client, body=message, idempotency_key=f"sms-{parcel}")
    return checked(response).msg_key


def send_picture(client: AuthenticatedClient, to: str, image: Path, ref: str) -> str:
    """Uploads an image and sends it by MMS."""
    message = MmsMessage(
        from_=SENDER,
        to=to,
        title="Autumn sale",
        text="Show this picture at the counter.",
        file_key=[upload(client, image)],
        ref=ref,
    )
    return checked(send_mms.sync_detailed(client=client, body=message)).msg_key


def upload(client: AuthenticatedClient, image: Path) -> str:
    with image.open("rb") as content:
        body = UploadRequest(file=File(payload=content, file_name=image.name, mime_type="image/jpeg"))
        return checked(upload_image.sync_detailed("MMS", client=client, body=body)).data.file_key


def send_code_abroad(client: AuthenticatedClient, to: str, code: str, ref: str) -> str:
    message = InternationalMessage(from_=SENDER, to=to, text=f"Your code is {code}.", ref=ref)
    return checked(send_international.sync_detailed(client=client, body=message)).msg_key


def remind_of_appointment(client: AuthenticatedClient, to: str, ref: str) -> str:
    """Sends RCS, and an SMS if the phone does not support it."""
    message = RcsMessage(
        from_=SENDER,
        to=to,
        brand_key=BRAND_KEY,
        format_id="SL000000",
        content=RcsContent(
            standalone=RcsStandalone(
                title="Your appointment",
                text="We are looking forward to seeing you tomorrow at 10:00.",
                button=[RcsButton(type_="URL", name="Change it", url="https://example.com/appointments/17")],
            )
        ),
        fallback=RcsFallback(type_="SMS", text="Your appointment is tomorrow at 10:00."),
        ref=ref,
    )
    return checked(send_rcs.sync_detailed(client=client, body=message)).msg_key


def confirm_shipment(client: AuthenticatedClient, to: str, ref: str) -> str:
    """Sends an alimtalk with the text of an approved template."""
    text = "Your order 20261115-1 has been shipped."
    message = AlimtalkMessage(
        sender_key=SENDER_KEY,
        msg_type="AT",
        to=to,
        template_code="order_shipped_1",
        text=text,
        button=[KakaoButton(type_="WL", name="Track it", url_mobile="https://example.com/t/20261115-1")],
        fallback=KakaoFallback(type_="SMS", from_=SENDER, text=text),
        ref=ref,
    )
    return checked(send_alimtalk.sync_detailed(client=client, body=message)).msg_key


def present_collection(client: AuthenticatedClient, to: str, ref: str) -> str:
    """Sends a friendtalk to a friend of the KakaoTalk channel."""
    message = FriendtalkMessage(
        sender_key=SENDER_KEY, msg_type="FT", to=to, text="The autumn collection is here.", ref=ref
    )
    return checked(send_friendtalk.sync_detailed(client=client, body=message)).msg_key


def advertise_collection(client: AuthenticatedClient, to: str, ref: str) -> str:
    """Sends a brand message."""
    message = BrandmessageMessage(
        sender_key=SENDER_KEY,
        send_type="free",
        msg_type="FT",
        to=to,
        text="The autumn collection is here.",
        unsubscribe_phone_number="080-1234-5678",
        ref=ref,
    )
    return checked(send_brandmessage.sync_detailed(client=client, body=message)).msg_key


def announce_orders(client: AuthenticatedClient, names: dict[str, str], ref: str) -> dict[str, str]:
    """Sends an alimtalk to each recipient, and an SMS to those it does not reach. Returns msgKeys by recipient."""
    flow = [
        FlowStep(
            alimtalk=AlimtalkStep(
                sender_key=SENDER_KEY,
                msg_type="AT",
                template_code="order_shipped_2",
                text="Dear #{name}, your order has been shipped.",
            )
        ),
        FlowStep(sms=SmsStep(from_=SENDER, text="#{name}, your order has been shipped.")),
    ]
    destinations = [
        OmniDestination(to=to, replace_words=ReplaceWords.from_dict({"name": name})) for to, name in names.items()
    ]
    request = OmniRequest(message_flow=flow, destinations=destinations, ref=ref)
    response = checked(send_omni.sync_detailed(client=client, body=request))
    # Each destination is accepted or refused separately; the msgKey of a refused one is empty.
    return {each.to: each.msg_key for each in response.data.destinations if each.code == "A000"}

"""Uses the generated client against the sandbox of a gateway and prints a line for each check."""

import os
import queue
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path

import httpx
import reports
import sending
import webhook
from connection import ResponseError, connect
from postern import AuthenticatedClient
from postern.models import Report

# The last four digits select the sandbox result: 0001 is delivered, 0023 supports only SMS.
PHONE = "01000000001"
PLAIN_PHONE = "01000000023"
PHONE_ABROAD = "+14155550001"


def main() -> None:
    client = connect(os.environ["POSTERN_URL"], os.environ["POSTERN_CLIENT_ID"], os.environ["POSTERN_PASSWORD"])
    print("ok requests a token")
    check_channels(client)
    check_repetition(client)
    check_fallback(client)
    check_search(client)
    check_polling(client)
    check_stream(client)
    check_error(client)
    check_webhook(client)


def check_channels(client: AuthenticatedClient) -> None:
    image = Path(os.environ["POSTERN_IMAGE"])
    sent = {
        "SMS": sending.announce_parcel(client, PHONE, "parcel-1"),
        "MMS": sending.send_picture(client, PHONE, image, "sale-1"),
        "INTERNATIONAL": sending.send_code_abroad(client, PHONE_ABROAD, "482913", "code-1"),
        "RCS": sending.remind_of_appointment(client, PHONE, "appointment-1"),
        "ALIMTALK": sending.confirm_shipment(client, PHONE, "order-1"),
        "FRIENDTALK": sending.present_collection(client, PHONE, "collection-1"),
        "BRANDMESSAGE": sending.advertise_collection(client, PHONE, "collection-2"),
    }
    for service_type, msg_key in sent.items():
        outcome = reports.wait_for_outcome(client, msg_key)
        assert (outcome.service_type, outcome.outcome) == (service_type, "delivered"), outcome
        print(f"ok delivers {service_type}")


def check_repetition(client: AuthenticatedClient) -> None:
    first = sending.announce_parcel(client, PHONE, "parcel-2")
    assert sending.announce_parcel(client, PHONE, "parcel-2") == first
    reports.wait_for_outcome(client, first)
    print("ok sends once with one Idempotency-Key")


def check_fallback(client: AuthenticatedClient) -> None:
    keys = sending.announce_orders(client, {PHONE: "Minji", PLAIN_PHONE: "Junho"}, "orders-1")
    reached = {to: reports.wait_for_outcome(client, key).service_type for to, key in keys.items()}
    assert reached == {PHONE: "ALIMTALK", PLAIN_PHONE: "SMS"}, reached
    print("ok falls back to SMS")


def check_search(client: AuthenticatedClient) -> None:
    an_hour_ago = datetime.now(timezone.utc) - timedelta(hours=1)
    found = list(reports.find_messages(client, "orders-1", an_hour_ago))
    assert {message.to for message in found} == {PHONE, PLAIN_PHONE}, found
    assert {message.state for message in found} == {"closed"}, found
    print("ok finds messages by ref")
    assert reports.inquire(client, found[0].msg_key).state == "closed"
    assert reports.inquire(client, "no-such-message").state == "unknown"
    print("ok distinguishes closed and unknown messages")


def check_polling(client: AuthenticatedClient) -> None:
    stored: list[Report] = []
    while reports.collect_reports(client, stored.extend) > 0:
        pass
    assert "parcel-1" in {report.ref for report in stored}, stored
    print("ok polls and acknowledges reports")


def check_stream(client: AuthenticatedClient) -> None:
    stored: list[Report] = []
    while reports.follow_reports(client, "billing", stored.extend) > 0:
        pass
    assert "parcel-1" in {report.ref for report in stored}, stored
    print("ok follows the report stream")


def check_error(client: AuthenticatedClient) -> None:
    try:
        sending.announce_parcel(client, "invalid", "parcel-3")
        raise AssertionError("an invalid recipient was accepted")
    except ResponseError as error:
        assert (error.code, error.field) == ("A306", "to"), vars(error)
        print("ok reads the code and the field of an error")


def check_webhook(client: AuthenticatedClient) -> None:
    received: queue.Queue[Report] = queue.Queue()
    receiver = webhook.Receiver(received.put)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    receiver.webhook = webhook.register(client, receiver.url)
    msg_key = sending.announce_parcel(client, PHONE, "parcel-4")
    report = received.get(timeout=30)
    assert (report.msg_key, report.outcome) == (msg_key, "delivered"), report
    print("ok receives a report by webhook")
    assert httpx.post(receiver.url, content=b"{}").status_code == 401
    print("ok refuses a push without a signature")


if __name__ == "__main__":
    main()

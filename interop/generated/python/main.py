"""Requests a token, sends a message to the sandbox, reads its report and an error, with the generated client.
Prints a line for each check. Settings come from the environment."""

import os
import time
import uuid

from postern import AuthenticatedClient, Client
from postern.api.reports import find_reports
from postern.api.send import send_sms
from postern.api.token import issue_token
from postern.models import InquiryAnswer, PlainAnswer, SendAnswer, SmsMessage, TokenAnswer

url = os.environ["POSTERN_URL"]
token = issue_token.sync(
    client=Client(base_url=url),
    x_svc_client_id=os.environ["POSTERN_CLIENT_ID"],
    x_svc_client_passwd=os.environ["POSTERN_PASSWORD"],
)
assert isinstance(token, TokenAnswer), token
print("ok requests a token")

client = AuthenticatedClient(base_url=url, token=token.data.token)
message = SmsMessage(from_="0212345678", to="01000000001", text="Hello from Python", ref="python")
key = str(uuid.uuid4())
sent = send_sms.sync(client=client, body=message, idempotency_key=key)
assert isinstance(sent, SendAnswer), sent
again = send_sms.sync(client=client, body=message, idempotency_key=key)
assert isinstance(again, SendAnswer) and again.msg_key == sent.msg_key, again
print("ok sends a message once with one Idempotency-Key")

reports = []
until = time.monotonic() + 30
while not reports and time.monotonic() < until:
    time.sleep(0.2)
    found = find_reports.sync(sent.msg_key, client=client)
    assert isinstance(found, InquiryAnswer), found
    reports = found.data.report
assert [(report.ref, report.report_code) for report in reports] == [("python", "10000")], reports
print("ok reads the report: delivered")

wrong = send_sms.sync_detailed(client=client, body=SmsMessage(from_="0212345678", to="nobody", text="Hello"))
assert wrong.status_code == 400, wrong
assert isinstance(wrong.parsed, PlainAnswer) and wrong.parsed.code == "A306", wrong
print("ok an error has its code")

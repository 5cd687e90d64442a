"""Reads golden requests to the KT relay with rcs-pydantic and prints their contents as JSON.

The message model accepts any body and any buttons, so each is also checked against its own model.
"""

import email
import json
import sys
import warnings

warnings.simplefilter("ignore")
from rcs_pydantic import scheme  # noqa: E402

BODIES = {
    "RCSSMS": scheme.RcsSMSBody,
    "RCSLMS": scheme.RcsLMSBody,
    "RCSMMS": scheme.RcsMMSBody,
}
CAROUSEL = scheme.RcsMMSCarouselBody


def read_message(data):
    given = json.loads(data)
    message = scheme.SendInfo(**given)
    rcs = given["rcs"]
    body = rcs["body"]
    if "title1" in body:
        CAROUSEL(**body)
    # The model of a card requires a text, which the formats that emphasize an image do not have.
    elif rcs["serviceType"] in BODIES and "description" in body:
        BODIES[rcs["serviceType"]](**body)
    actions = []
    for card in rcs.get("buttons", []):
        for suggestion in card.get("suggestions", []):
            action = suggestion["action"]
            # The model lacks recordings, which the carriers' list of codes contains (42057).
            if "composeRecordingMessage" not in action.get("composeAction", {}):
                scheme.SuggestionInfo(**suggestion)
            actions.append(next(key for key in action if key.endswith("Action")))
    return {
        "id": message.common.msgId,
        "to": message.common.userContact,
        "from": message.rcs.chatbotId,
        "format": getattr(message.rcs.messagebaseId, "value", message.rcs.messagebaseId),
        "service": message.rcs.serviceType.value,
        "header": message.rcs.header.value,
        "footer": message.rcs.footer,
        "expiry": int(message.rcs.expiryOption),
        "copy": message.rcs.copyAllowed,
        "body": body,
        "actions": actions,
    }


def read_file(head, data):
    form = email.message_from_bytes(head + b"\r\n\r\n" + data)
    fields = {
        part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
        for part in form.get_payload()
    }
    texts = {name: value.decode() for name, value in fields.items() if name != "file"}
    info = scheme.FileRegistInfo(**texts, file=fields["file"])
    return {"fileId": info.fileId, "service": info.usageService.value, "file": info.file.hex()}


found = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        head, _, data = file.read().partition(b"\r\n\r\n")
    found.append(read_file(head, data) if b"multipart" in head else read_message(data))
print(json.dumps(found))

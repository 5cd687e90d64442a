"""Reads MM7 requests with Python's email package and lxml, and prints their contents as one JSON array."""

import email
import email.policy
import hashlib
import json
import re
import sys

from lxml import etree


def text_of(part):
    charset = part.get_content_charset() or "us-ascii"
    return part.get_payload(decode=True).decode(charset)


def read(path):
    with open(path, "rb") as file:
        message = email.message_from_bytes(file.read(), policy=email.policy.HTTP)
    if message.defects:
        raise ValueError(f"{path}: {message.defects}")
    soap, content = message.get_payload()
    start = re.search(r'start="([^"]*)"', message["content-type"]).group(1)
    # libxml2 follows the XML declaration.
    envelope = etree.fromstring(soap.get_payload(decode=True), etree.XMLParser(resolve_entities=False))
    values = {etree.QName(node).localname: node.text or "" for node in envelope.iter() if len(node) == 0}
    parts = []
    for part in content.walk():
        if part.defects:
            raise ValueError(f"{path}: {part.defects}")
        if part.is_multipart():
            continue
        kind = part.get_content_type()
        octets = part.get_payload(decode=True)
        found = {"type": kind, "sha256": hashlib.sha256(octets).hexdigest()}
        if kind == "text/plain":
            found["text"] = text_of(part)
        elif kind == "text/html":
            page = etree.HTML(octets, etree.HTMLParser(encoding=part.get_content_charset()))
            for line in page.iter("br"):
                line.text = "\n"
            found["text"] = "".join(page.find("body").itertext())
        elif kind == "text/skt-xt":
            page = etree.fromstring(octets)
            for line in page.iter("{*}br"):
                line.text = "\n"
            found["text"] = "".join(page.itertext())
        elif kind == "application/smil":
            ids = [node.get("src") for node in etree.fromstring(octets).iter() if node.get("src")]
            found["sources"] = [name.removeprefix("cid:") for name in ids]
        found["id"] = (part["content-id"] or "").strip("<>")
        parts.append(found)
    return {"start": start == soap["content-id"], "values": values, "parts": parts}


print(json.dumps([read(path) for path in sys.argv[1:]]))

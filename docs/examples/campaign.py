"""Sends one text to every line (number,name) of a CSV file.

python3 campaign.py check FILE              checks the form of all lines, and a request of the first ten
python3 campaign.py send NAME FILE [TIME]   sends; TIME schedules: 2026-12-24T09:00:00+09:00
python3 campaign.py outcomes NAME           counts the outcomes, writes NAME.outcomes.csv
"""

import csv
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from itertools import islice
from urllib.parse import urlencode

POSTERN, TOKEN = os.environ["POSTERN"], os.environ["TOKEN"]
FLOW = [{"sms": {"from": "0212345678", "text": "Dear #{name}, your order has been shipped."}}]
REQUESTS_AT_ONCE = 8
# Quiet hours, a cap, too many messages to one recipient: accepted later.
LATER = {"A341", "A343", "A344"}


def call(method, path, body=None, key=None):
    """Returns the response. Waits and repeats while the gateway is busy or cannot be reached."""
    request = urllib.request.Request(POSTERN + path, method=method)
    request.add_header("Authorization", f"Bearer {TOKEN}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if key is not None:
        request.add_header("Idempotency-Key", key)
    while True:
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code != 429:
                return json.load(error)
            time.sleep(int(error.headers.get("Retry-After", 5)))
        except (OSError, http.client.HTTPException):
            time.sleep(5)


def read_lines(file):
    """Returns the lines as (line, number, name), and counts of what it skips."""
    lines, skipped = {}, Counter()
    with open(file, newline="", encoding="utf-8-sig") as rows:
        for line, row in enumerate(csv.reader(rows), 1):
            if len(row) != 2 or not all(column.strip() for column in row):
                print(f"line {line}: must have a number and a name", file=sys.stderr)
                skipped["wrong"] += 1
            elif row[0] in lines:
                skipped["repeated"] += 1
            else:
                lines[row[0]] = (line, *row)
    return list(lines.values()), skipped


def read_results(campaign):
    """Returns the stored rows (line, number, msgKey, code, time) by line."""
    try:
        with open(f"{campaign}.results.csv", newline="", encoding="utf-8") as rows:
            return {int(row[0]): row for row in csv.reader(rows)}
    except FileNotFoundError:
        return {}


def create_request(campaign, chunk):
    destinations = [{"to": to, "replaceWords": {"name": name}} for _, to, name in chunk]
    return {"messageFlow": FLOW, "destinations": destinations, "ref": campaign}


def check(file):
    lines, skipped = read_lines(file)
    response = call("POST", "/v1/send/omni?dryRun=true", create_request("check", lines[:10]))
    if "data" not in response:
        sys.exit(f"{response['code']} {response['result']}")
    for (line, to, _), one in zip(lines, response["data"]["destinations"]):
        print(line, to, one["code"], one["result"])
    print(json.dumps({"recipients": len(lines), **skipped}, sort_keys=True))


def send_chunk(campaign, chunk, send_at):
    """Returns the rows to store."""
    first = chunk[0][0]
    query = "?" + urlencode({"sendAt": send_at}) if send_at else ""
    # The same lines have the same key in every run, so a repeated request sends nothing twice.
    key = f"{campaign}-{first}-{len(chunk)}"
    while True:
        at = send_at or datetime.now(timezone.utc).isoformat(timespec="seconds")
        response = call("POST", f"/v1/send/omni{query}", create_request(campaign, chunk), key)
        if response["code"] != "A000":
            sys.exit(f"stopped at line {first}: {response['code']} {response['result']}")
        destinations = response["data"]["destinations"]
        # The gateway was too busy to accept some recipients: repeat the request for them.
        if all(one["code"] != "A920" for one in destinations):
            break
        time.sleep(1)
    for (line, _, _), one in zip(chunk, destinations):
        if one["code"] != "A000":
            print(f"line {line}: {one['code']} {one['result']}", file=sys.stderr)
    return [(line, to, one["msgKey"], one["code"], at) for (line, to, _), one in zip(chunk, destinations)]


def select_unsent(chunk, stored):
    """Returns all lines until every response is stored, then those that can be accepted later."""
    if any(line not in stored for line, _, _ in chunk):
        return chunk
    return [row for row in chunk if stored[row[0]][3] in LATER]


def send(campaign, file, send_at=None):
    lines, skipped = read_lines(file)
    stored = read_results(campaign)
    chunks = filter(None, (select_unsent(lines[i : i + 10], stored) for i in range(0, len(lines), 10)))
    with open(f"{campaign}.results.csv", "a", newline="", encoding="utf-8") as results:
        with ThreadPoolExecutor(REQUESTS_AT_ONCE) as pool:
            while batch := list(islice(chunks, REQUESTS_AT_ONCE)):
                codes = set()
                for rows in pool.map(lambda chunk: send_chunk(campaign, chunk, send_at), batch):
                    csv.writer(results).writerows(rows)
                    results.flush()
                    codes.update(row[3] for row in rows)
                if codes & LATER:
                    sys.exit("stopped: start again when the refused lines can be accepted")
    codes = Counter(row[3] for row in read_results(campaign).values())
    print(json.dumps(codes + skipped, sort_keys=True))


def list_messages(campaign, since, until):
    query = {"ref": campaign, "since": since.isoformat(), "until": until.isoformat(), "limit": 200}
    while True:
        response = call("GET", f"/v1/message?{urlencode(query)}")
        if response["code"] != "A000":
            sys.exit(f"{response['code']} {response['result']}")
        yield from response["data"]["message"]
        if "cursor" not in response["data"]:
            break
        query["cursor"] = response["data"]["cursor"]


def outcomes(campaign):
    stored = read_results(campaign).values()
    # A scheduled message is listed at its send time.
    times = [datetime.fromisoformat(row[4].replace("Z", "+00:00")) for row in stored]
    times.append(datetime.now(timezone.utc))
    line_by_key = {row[2]: row[0] for row in stored}
    rows = [(line, to, key, "refused", code) for line, to, key, code, _ in stored if code != "A000"]
    margin = timedelta(minutes=5)  # Clocks differ.
    for message in list_messages(campaign, min(times) - margin, max(times) + margin):
        key, outcome = message["msgKey"], message.get("outcome", "open")
        rows.append((line_by_key.get(key), message["to"], key, outcome, message.get("reportCode")))
    with open(f"{campaign}.outcomes.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    print(json.dumps(Counter(row[3] for row in rows), sort_keys=True))


if __name__ == "__main__":
    commands = {"check": check, "send": send, "outcomes": outcomes}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])

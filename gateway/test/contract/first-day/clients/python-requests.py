"""The first requests of a new client, with the library requests.

Prints request, status and body separated by tabs; run.ts compares them with the expected responses of requests.ts.
"""

import json
import os
import time
from pathlib import Path

import requests

base = os.environ["BASE_URL"]
bodies = Path(os.environ["BODIES"])


def show(request, response):
    print(request, response.status_code, json.dumps(response.json(), separators=(",", ":")), sep="\t")
    return response.json()


credentials = {"X-SVC-Client-Id": os.environ["CLIENT_ID"], "X-SVC-Client-Passwd": os.environ["PASSWORD"]}
show("token, empty body", requests.post(f"{base}/v1/auth/token", data="", headers=credentials))
show("token, JSON body", requests.post(f"{base}/v1/auth/token", json={}, headers=credentials))
data = show("token", requests.post(f"{base}/v1/auth/token", headers=credentials))["data"]
headers = {"Authorization": f"{data['schema']} {data['token']}"}

# Keys of the uploads by the placeholders `{{…}}` that requests.ts puts into the bodies.
keys = {}
for service, field in {"MMS": "fileKey", "RCS": "media", "FRIENDTALK/FI": "imgUrl"}.items():
    with open(bodies / "image.jpg", "rb") as image:
        response = requests.post(f"{base}/v1/file/{service}", files={"file": image}, headers=headers)
    data = show(f"upload {service}", response).get("data", {})
    keys["{{" + service + "}}"] = data.get(field, "")
    keys["{{" + service + " fileKey}}"] = data.get("fileKey", "")

for file in sorted(bodies.glob("*.json")):
    text = file.read_text()
    for placeholder, key in keys.items():
        text = text.replace(placeholder, key)
    channel = file.name.split(".")[0]
    response = requests.post(f"{base}/v1/send/{channel}", json=json.loads(text), headers=headers)
    show(file.stem, response)
sms = (bodies / "sms.json").read_text()
show("sms without Content-Type", requests.post(f"{base}/v1/send/sms", data=sms, headers=headers))

for _ in range(50):
    polled = requests.get(f"{base}/v1/report/polling", headers=headers)
    if polled.json()["data"]["reportId"]:
        break
    time.sleep(0.2)
batch = show("polling", polled)["data"]
show("acknowledgement", requests.delete(f"{base}/v1/report/polling/{batch['reportId']}", headers=headers))
show("inquiry", requests.get(f"{base}/v1/report/inquiry/{batch['report'][0]['msgKey']}", headers=headers))

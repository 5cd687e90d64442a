"""Receives reports by webhook."""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from connection import checked
from postern import AuthenticatedClient
from postern.api.webhooks import create_webhook
from postern.models import Report, WebhookRequest
from standardwebhooks import Webhook, WebhookVerificationError


def register(client: AuthenticatedClient, url: str) -> Webhook:
    """Creates a webhook. Only this response contains the secret: store it."""
    request = WebhookRequest(url=url, notices=False)
    secret = checked(create_webhook.sync_detailed(client=client, body=request)).data.secret
    return Webhook(secret)


def read_report(webhook: Webhook, body: bytes, headers: dict[str, str]) -> Report:
    """Verifies the signature of a push and returns its report."""
    return Report.from_dict(webhook.verify(body, headers))


class Receiver(ThreadingHTTPServer):
    """Listens on a port of this machine and passes each report to `store`."""

    webhook: Webhook

    def __init__(self, store: Callable[[Report], None]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.store = store
        self.url = f"http://127.0.0.1:{self.server_port}/reports"


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            report = read_report(self.server.webhook, body, dict(self.headers))
        except WebhookVerificationError:
            self.respond(401)
            return
        # Store the report before responding: any 2xx acknowledges it.
        self.server.store(report)
        self.respond(204)

    def respond(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Disables the access log."""

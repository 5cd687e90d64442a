"""Reads delivery reports."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime

from connection import checked
from postern import AuthenticatedClient
from postern.api.reports import (
    acknowledge_reports,
    find_reports,
    move_consumer,
    poll_reports,
    search_messages,
    stream_reports,
)
from postern.models import InquiryResponse, ListedMessage, MessageSearchRequest, Report, StreamPosition

Store = Callable[[list[Report]], None]


def inquire(client: AuthenticatedClient, msg_key: str) -> InquiryResponse:
    return checked(find_reports.sync_detailed(msg_key, client=client))


def wait_for_outcome(client: AuthenticatedClient, msg_key: str, seconds: float = 30) -> Report:
    """Polls until the message is closed and returns the report of its last step."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        inquiry = inquire(client, msg_key)
        if inquiry.state == "closed":
            return next(report for report in inquiry.data.report if report.last)
        time.sleep(0.2)
    raise TimeoutError(f"{msg_key} is not closed after {seconds} seconds")


def find_messages(client: AuthenticatedClient, ref: str, since: datetime) -> Iterator[ListedMessage]:
    """Lists the messages with a ref, newest first."""
    search = MessageSearchRequest(since=since, ref=ref)
    while True:
        page = checked(search_messages.sync_detailed(client=client, body=search)).data
        yield from page.message
        if not page.cursor:
            return
        search.cursor = page.cursor


def collect_reports(client: AuthenticatedClient, store: Store) -> int:
    """Stores one batch of reports. The gateway returns it again until it is acknowledged, so none is lost."""
    batch = checked(poll_reports.sync_detailed(client=client)).data
    if batch.report:
        store(batch.report)
        checked(acknowledge_reports.sync_detailed(batch.report_id, client=client))
    return len(batch.report)


def follow_reports(client: AuthenticatedClient, consumer: str, store: Store) -> int:
    """Waits for reports, stores them and advances the consumer."""
    page = checked(stream_reports.sync_detailed(client=client, consumer=consumer, limit=500, wait=3)).data
    if page.report:
        store(page.report)
        checked(move_consumer.sync_detailed(consumer, client=client, body=StreamPosition(cursor=page.cursor)))
    return len(page.report)

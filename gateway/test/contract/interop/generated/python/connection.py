"""Connects to the gateway and turns its error responses into exceptions."""

from typing import TypeVar

from postern import AuthenticatedClient, Client
from postern.api.token import issue_token
from postern.models import ErrorResponse
from postern.types import Response

T = TypeVar("T")


class ResponseError(Exception):
    """An error response of the gateway. `field` is the path of the invalid field, or None."""

    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(f"{response.code}: {response.result}")
        self.code = response.code
        self.field = response.field or None


def checked(response: Response[ErrorResponse | T]) -> T:
    """Returns the body of a successful response and raises any other one."""
    if isinstance(response.parsed, ErrorResponse):
        raise ResponseError(response.parsed)
    if response.parsed is None:
        raise ConnectionError(f"not a response of the gateway: {response.status_code}")
    return response.parsed


def connect(url: str, client_id: str, password: str) -> AuthenticatedClient:
    response = issue_token.sync_detailed(
        client=Client(base_url=url),
        x_svc_client_id=client_id,
        x_svc_client_passwd=password,
    )
    return AuthenticatedClient(base_url=url, token=checked(response).data.token)

"""Sends requests with credentials, keys, deadlines and retries."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Mapping, NamedTuple, Optional, Protocol

from .errors import ApiError, CentavoError, ConnectionError, IgnoredFieldsError, TimeoutError

FIRST_WAIT_SECONDS = 0.5
# It waits no longer for a retry: whoever called gets the error and its `retry_after`.
LONGEST_WAIT_SECONDS = 60.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The credentials go to no other address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Opener(Protocol):
    """Sends a request as `urllib.request.OpenerDirector` does."""

    def open(self, fullurl: urllib.request.Request, *, timeout: float) -> Any: ...


class _Answer(NamedTuple):
    key: Optional[str]
    body: bytes
    headers: Mapping[str, str]


class Http:
    """The requests of one company's credentials."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        api_key: str,
        timeout: float,
        retries: int,
        raise_on_ignored: Optional[bool],
        opener: Optional[Opener],
    ) -> None:
        for name, value in (("client_id", client_id), ("api_key", api_key)):
            if not re.fullmatch("[!-~]+", value or ""):
                raise CentavoError(f"The {name} is missing, or has characters that no header takes.")
        self._base_url = base_url.rstrip("/")
        self._credentials = {"X-Client-Id": client_id, "X-API-Key": api_key}
        self._timeout = timeout
        self._retries = retries
        is_test = api_key.startswith("sk_test_")
        self._raise_on_ignored = is_test if raise_on_ignored is None else raise_on_ignored
        self._opener = opener or urllib.request.build_opener(_NoRedirect)

    @staticmethod
    def quote(value: Any) -> str:
        """A parameter as it stands in a path. Nothing, or dots, would lead to another operation."""
        if str(value) in ("", ".", ".."):
            raise CentavoError(f'"{value}" is no id.')
        return urllib.parse.quote(str(value), safe="")

    def call(self, method: str, path: str, *, body: Any = None, **request: Any) -> Any:
        """Calls an operation for JSON; raises `ApiError` where it is refused, `ConnectionError` where no answer came."""
        if body is not None:
            request.update(content=json.dumps(body).encode(), content_type="application/json")
        answer = self._send(method, path, media="application/json", **request)
        try:
            parsed = json.loads(answer.body)
        except ValueError as error:
            # Of something between: whether it was done is not known.
            raise ConnectionError("The answer is no JSON.", answer.key) from error
        ignored = answer.headers.get("Centavo-Ignored")
        if self._raise_on_ignored and ignored is not None:
            raise IgnoredFieldsError(ignored.split(", "), parsed)
        return parsed

    def file(self, method: str, path: str, *, media: str, body: Any = None, **request: Any) -> bytes:
        """Calls an operation for a file of this media type."""
        if body is not None:
            request.update(content=json.dumps(body).encode(), content_type="application/json")
        return self._send(method, path, media=media, **request).body

    def _send(
        self,
        method: str,
        path: str,
        *,
        media: str,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Any]] = None,
        content: Optional[bytes] = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> _Answer:
        # Without one a repeated attempt could do it twice.
        key = (idempotency_key or f"py_{uuid.uuid4()}") if method == "POST" else None
        sent = {
            "Accept": f"{media}, application/problem+json",
            **self._credentials,
            "Idempotency-Key": key,
            "Content-Type": content_type,
            **(headers or {}),
        }
        asked = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        request = urllib.request.Request(
            f"{self._base_url}{path}" + (f"?{urllib.parse.urlencode(asked)}" if asked else ""),
            data=content,
            headers={name: str(value) for name, value in sent.items() if value is not None},
            method=method,
        )
        attempt = 0
        while True:
            try:
                return self._attempt(request, key)
            except (ApiError, ConnectionError) as error:
                seconds = _wait_before(attempt, error)
                if attempt >= self._retries or seconds is None:
                    raise
            time.sleep(seconds)
            attempt += 1

    def _attempt(self, request: urllib.request.Request, key: Optional[str]) -> _Answer:
        try:
            try:
                with self._opener.open(request, timeout=self._timeout) as response:
                    return _Answer(key, response.read(), response.headers)
            except urllib.error.HTTPError as refused:
                with refused:
                    problem = _problem_of(refused.read())
                    retry_after = _seconds_of(refused.headers.get("Retry-After"))
                raise ApiError(refused.code, problem, retry_after, key) from None
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(reason, socket.timeout):
                raise TimeoutError(f"No answer in {self._timeout} s.", key) from error
            raise ConnectionError(f"No answer of {self._base_url}.", key) from error


def _wait_before(attempt: int, error: CentavoError) -> Optional[float]:
    """How long to wait after a failed attempt, in seconds; None where another one is no use."""
    if not error.retryable:
        return None
    backoff = FIRST_WAIT_SECONDS * 2**attempt * (0.5 + random.random())
    asked = error.retry_after if isinstance(error, ApiError) else None
    seconds = max(backoff, asked or 0.0)
    return None if seconds > LONGEST_WAIT_SECONDS else seconds


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem_of(body: bytes) -> Dict[str, Any]:
    """The problem in an answer; empty for what is none, as of a proxy."""
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    if not isinstance(said, dict):
        return {}
    # The contract's answer to a withdraw without any key has only a message.
    return {"detail": str(said["message"])} if "message" in said else said


def _seconds_of(text: Optional[str]) -> Optional[float]:
    """`Retry-After`: seconds, or a date (RFC 9110)."""
    if text is None:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None

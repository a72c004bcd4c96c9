"""What a call fails with."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

RETRYABLE_CODES = {"IDEMPOTENCY_IN_PROGRESS"}
RETRYABLE_REASONS = {"clock_runs"}
RETRYABLE_STATUSES = {408, 429, 500, 502, 503, 504}


class CentavoError(Exception):
    """Any failure of the client. `retryable`: the same call may succeed later."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class ApiError(CentavoError):
    """The API refused a request, or failed."""

    def __init__(
        self,
        status: int,
        problem: Dict[str, Any],
        retry_after: Optional[float],
        idempotency_key: Optional[str],
    ) -> None:
        code = problem.get("code")
        retryable = (
            status in RETRYABLE_STATUSES
            or code in RETRYABLE_CODES
            or problem.get("reason") in RETRYABLE_REASONS
        )
        super().__init__(_text_of(problem, status), retryable=retryable)
        self.status = status
        #: Stable, to branch on; None where the answer is no problem of the API.
        self.code: Optional[str] = code
        #: The whole problem: the fields' messages in `errors`, limits, `traceId`.
        self.problem = problem
        #: What the service asks to wait, in seconds; None where it says nothing.
        self.retry_after = retry_after
        #: The key of the call: a later call with it does nothing twice. None for a call without one.
        self.idempotency_key = idempotency_key


class ConnectionError(CentavoError):
    """No answer came: the request may have been done. Call again with `idempotency_key` to learn what became of it."""

    def __init__(self, message: str, idempotency_key: Optional[str]) -> None:
        super().__init__(message, retryable=True)
        self.idempotency_key = idempotency_key


class TimeoutError(ConnectionError):
    """No answer came in time."""


class IgnoredFieldsError(CentavoError):
    """The API did what was asked, but did not know these fields. Raised with keys of a test environment only."""

    def __init__(self, fields: List[str], answer: Any) -> None:
        super().__init__(f"The API does not know {', '.join(fields)}: it was done without.")
        self.fields = fields
        #: What the API answered: it was done.
        self.answer = answer


class WebhookError(CentavoError):
    """A webhook that is not the gateway's, or not as it was sent."""


class MissingEventError(CentavoError):
    """An event is missing in the list for longer than it takes to be written."""


def _text_of(problem: Dict[str, Any], status: int) -> str:
    said = problem.get("detail") or problem.get("title") or f"The API answered {status}."
    code = problem.get("code")
    errors = problem.get("errors") or {}
    fields = [f"{field} {', '.join(messages)}" for field, messages in errors.items()]
    return " ".join([f"{code}: {said}" if code else said, *fields])

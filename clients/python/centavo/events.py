"""The company's events, in order and without gaps."""

from __future__ import annotations

import time
from typing import Iterator, Literal, Optional

from . import types as t
from .errors import MissingEventError
from .operations import Operations

PAGE = 100
# An event is in the list seconds after it happened; a number that is missing for longer is a fault.
GAP_SECONDS = 120.0


class Events:
    """The company's events, in order and without gaps."""

    def __init__(self, operations: Operations) -> None:
        self._operations = operations

    def get(self, id: str) -> t.EventDetail:
        """An event with its deliveries and each attempt."""
        return self._operations.get_event(id)

    def list(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        order: Optional[Literal["oldest", "newest"]] = None,
    ) -> t.Events:
        """A page of events, oldest first where `order` does not say otherwise."""
        return self._operations.list_events(after=after, limit=limit, order=order)

    def iterate(
        self, *, after: int = 0, follow: bool = False, poll_seconds: float = 5.0
    ) -> Iterator[t.Event]:
        """Each event after one, once, in order: keep the `companySequence` of what you handled, and begin there after a crash.

        `follow` waits for new events, without end; else it ends at the newest one. A number that is
        missing is an event that is being written: it is waited for, and raises `MissingEventError`
        after two minutes.
        """
        last = after
        gap_since: Optional[float] = None
        while True:
            before = last
            page = self._operations.list_events(after=str(last), limit=PAGE)
            items = page["items"]
            for event in items:
                if event["companySequence"] != last + 1:
                    break
                yield event
                last = event["companySequence"]
            newest = items[-1]["companySequence"] if items else last
            has_moved = last != before
            if newest == last:
                gap_since = None
            elif has_moved or gap_since is None:
                gap_since = time.monotonic()
            if gap_since is not None and time.monotonic() - gap_since > GAP_SECONDS:
                raise MissingEventError(f"Event {last + 1} is missing.", retryable=True)
            is_newest = gap_since is None and not page["hasMore"]
            if is_newest and not follow:
                return
            if is_newest or gap_since is not None or not has_moved:
                time.sleep(poll_seconds)

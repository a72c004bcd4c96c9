"""Webhooks, by Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import Mapping, Optional, Union, cast

from . import types as t
from .errors import WebhookError

SECRET_PREFIX = "whsec_"
#: How far a webhook's timestamp may be from the clock.
TOLERANCE_SECONDS = 300


def verify(
    body: Union[str, bytes], headers: Mapping[str, str], secret: str, *, now: Optional[float] = None
) -> t.Webhook:
    """A webhook's event, once its signature holds (HMAC-SHA256): `type` tells the shape of `data`.

    `body` is the raw body as it came, before any parser; `secret` is the endpoint's (`whsec_...`);
    `now` is the time in seconds, by default the clock's. Raises `WebhookError` for anything else.
    """
    named = {name.lower(): value for name, value in headers.items()}
    message_id = _header(named, "webhook-id")
    timestamp = _header(named, "webhook-timestamp")
    signatures = _header(named, "webhook-signature")
    clock = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,15}", timestamp) or abs(clock - int(timestamp)) > TOLERANCE_SECONDS:
        raise WebhookError("The webhook's timestamp is too far from this clock.")
    if not secret.startswith(SECRET_PREFIX):
        raise WebhookError(f"The secret does not begin with {SECRET_PREFIX}.")
    raw = body.encode() if isinstance(body, str) else body
    if not isinstance(raw, (bytes, bytearray)):
        raise WebhookError("The body must be raw, as it came: a parsed one does not verify.")
    key = _from_base64(secret[len(SECRET_PREFIX) :])
    # By an empty key anybody signs.
    if not key:
        raise WebhookError("The secret is empty, or not base64.")
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
    given = [_from_base64(each[3:]) for each in signatures.split(" ") if each.startswith("v1,")]
    if not any([hmac.compare_digest(digest, each) for each in given if each is not None]):
        raise WebhookError("No signature of the webhook is of this secret and this raw body.")
    try:
        return cast("t.Webhook", json.loads(raw))
    except ValueError as error:
        raise WebhookError("The webhook's body is no JSON.") from error


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not isinstance(value, str):
        raise WebhookError(f"The webhook has no header {name}.")
    return value


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None

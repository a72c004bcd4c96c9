"""Verifies a webhook without dependencies."""

import base64, hashlib, hmac, json, os, time

TOLERANCE_SECONDS = 5 * 60
SECRET = base64.b64decode(os.environ["CENTAVO_WEBHOOK_SECRET"].removeprefix("whsec_"))

def event_of(raw_body: bytes, headers: dict) -> dict:
    """The event of a request; raises ValueError where it is not Centavo's."""
    received = {name.lower(): value for name, value in headers.items()}
    event_id, timestamp = received.get("webhook-id", ""), received.get("webhook-timestamp", "")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("too old or too new")
    signed = f"{event_id}.{timestamp}.".encode() + raw_body
    digest = hmac.new(SECRET, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = received.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(expected, signature) for signature in signatures):
        raise ValueError("wrong signature")
    return json.loads(raw_body)

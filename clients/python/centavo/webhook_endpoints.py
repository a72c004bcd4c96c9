"""Where webhooks go, and what became of them."""

from __future__ import annotations

from typing import Literal, Optional

from . import types as t
from .operations import Operations
from .resource import Resource
from .webhooks import verify


class Webhooks(Resource):
    """Verifies webhooks, and tells the gateway where to send them."""

    verify = staticmethod(verify)

    def __init__(self, operations: Operations) -> None:
        super().__init__(operations)
        self.endpoints = Endpoints(operations)

    def test(self, body: Optional[t.TestWebhookInput] = None) -> t.EventDetail:
        """Sends a test event to the company's addresses and says what they answered."""
        return self._operations.test_webhook(body)

    def diagnose(self, body: t.ReceivedWebhook) -> t.WebhookDiagnosis:
        """Why a webhook that a handler got does not verify."""
        return self._operations.verify_webhook(body)

    def deliveries(
        self,
        *,
        status: Optional[Literal["pending", "delivered", "superseded", "stopped", "exhausted"]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.Deliveries:
        """A page of what was sent, newest first."""
        return self._operations.list_webhook_deliveries(status=status, after=after, limit=limit)

    def resend(self, id: str) -> t.Delivery:
        """Sends one delivery again."""
        return self._operations.resend_webhook(id)

    def resend_all(self, body: t.ResendWebhooksInput) -> t.Deliveries:
        """Sends again what went wrong in a time."""
        return self._operations.resend_webhooks(body)


class Endpoints(Resource):
    """The addresses that get the company's events, each with its types and its secret."""

    def create(
        self, body: t.CreateWebhookEndpointInput, *, idempotency_key: Optional[str] = None
    ) -> t.MadeWebhookEndpoint:
        """The answer shows the `secret`, which `verify` takes: no later one does."""
        made = self._operations.create_webhook_endpoint(body, idempotency_key=idempotency_key)
        return made["data"]

    def list(
        self, *, after: Optional[str] = None, limit: Optional[int] = None
    ) -> t.WebhookEndpoints:
        return self._operations.list_webhook_endpoints(after=after, limit=limit)

    def change(self, id: str, body: t.ChangeWebhookEndpointInput) -> t.WebhookEndpointItem:
        return self._operations.change_webhook_endpoint(id, body)["data"]

    def delete(self, id: str) -> t.WebhookEndpointItem:
        return self._operations.delete_webhook_endpoint(id)["data"]

    def rotate_secret(
        self,
        id: str,
        body: Optional[t.RotateWebhookSecretInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.RotatedWebhookEndpoint:
        """A new secret, shown once; the old one signs too for `overlapHours`."""
        made = self._operations.rotate_webhook_endpoint_secret(
            id, body, idempotency_key=idempotency_key
        )
        return made["data"]

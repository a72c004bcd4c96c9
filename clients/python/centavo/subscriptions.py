"""Automatic debits (Pix Automático)."""

from __future__ import annotations

from typing import Literal, Optional

from . import types as t
from .resource import Resource

Status = Literal[
    "pending_approval",
    "active",
    "past_due",
    "paused",
    "cancelled",
    "rejected",
    "expired",
    "completed",
]


class Subscriptions(Resource):
    """Automatic debits that payers approve at their banks. Amounts in centavos.

    A page's `after` asks for the next one.
    """

    def create(
        self, body: t.CreateSubscriptionInput, *, idempotency_key: Optional[str] = None
    ) -> t.Subscription:
        return self._operations.create_subscription(body, idempotency_key=idempotency_key)["data"]

    def get(self, id: str) -> t.Subscription:
        return self._operations.get_subscription(id)["data"]

    def list(
        self,
        *,
        status: Optional[Status] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.Subscriptions:
        return self._operations.list_subscriptions(status=status, after=after, limit=limit)

    def change(self, id: str, body: t.ChangeSubscriptionInput) -> t.Subscription:
        """What the next cycles are debited, where the payer approved a minimum."""
        return self._operations.change_subscription(id, body)["data"]

    def cancel(self, id: str) -> t.Subscription:
        return self._operations.cancel_subscription(id)["data"]

    def pause(self, id: str) -> t.Subscription:
        return self._operations.pause_subscription(id)["data"]

    def resume(self, id: str) -> t.Subscription:
        return self._operations.resume_subscription(id)["data"]

    def charges(
        self, id: str, *, after: Optional[str] = None, limit: Optional[int] = None
    ) -> t.SubscriptionCharges:
        """The cycles that were opened, newest first, with each attempt."""
        return self._operations.list_subscription_charges(id, after=after, limit=limit)

    def open_charge(
        self,
        id: str,
        body: t.OpenSubscriptionChargeInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.SubscriptionCharge:
        """Opens the next cycle before its time, with an amount of its own if it has one."""
        return self._operations.open_subscription_charge(
            id, body, idempotency_key=idempotency_key
        )["data"]

    def retry_charge(
        self,
        id: str,
        transaction_id: str,
        body: t.RetrySubscriptionChargeInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.SubscriptionCharge:
        """Tries a failed debit again, on a day that the rules allow."""
        return self._operations.repeat_subscription_charge(
            id, transaction_id, body, idempotency_key=idempotency_key
        )["data"]

    def cancel_charge(self, id: str, transaction_id: str) -> t.SubscriptionCharge:
        return self._operations.cancel_subscription_charge(id, transaction_id)["data"]

    def pay_by_hand(
        self, id: str, transaction_id: str, *, idempotency_key: Optional[str] = None
    ) -> t.SubscriptionCharge:
        """Makes the PIX by which the payer pays one cycle himself: `byHand` of the answer."""
        return self._operations.pay_subscription_charge_by_hand(
            id, transaction_id, idempotency_key=idempotency_key
        )["data"]

    def recovery(
        self, *, from_: Optional[str] = None, to: Optional[str] = None
    ) -> t.SubscriptionRecoveryReport:
        """What failed and what of it was recovered, by month."""
        return self._operations.get_subscription_recovery(from_=from_, to=to)

    def backtest(self, *, retry: str) -> t.SubscriptionRetryBacktestData:
        """What other days of retries would have recovered, such as `1,3,5`."""
        return self._operations.backtest_subscription_retries(retry=retry)["data"]

    def upcoming(self, *, days: Optional[int] = None) -> t.DebitOutlook:
        """What will be debited, by day, from today on."""
        return self._operations.get_debit_outlook(days=days)

    def banks(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.PayerBanks:
        """What the banks of payers did with mandates and debits."""
        return self._operations.get_payer_bank_report(from_=from_, to=to)

"""The sandbox."""

from __future__ import annotations

from typing import List, Optional

from . import types as t
from .resource import Resource

#: Calls that one move of the clock makes at most.
CLOCK_CALLS_MAX = 100


class Sandbox(Resource):
    """Plays the payers and banks of a sandbox company; a live company is refused. Amounts in centavos."""

    def pay(self, id: str, body: Optional[t.SandboxPay] = None) -> t.Transaction:
        """Pays a charge: what it asks for, or `amount`."""
        return self._operations.pay_sandbox_transaction(id, body)["data"]

    def fail(self, id: str) -> t.Transaction:
        return self._operations.fail_sandbox_transaction(id)["data"]

    def expire(self, id: str) -> t.Transaction:
        return self._operations.expire_sandbox_transaction(id)["data"]

    def dispute(self, id: str, body: Optional[t.SandboxDispute] = None) -> t.Transaction:
        """The payer's bank disputes a PIX."""
        return self._operations.dispute_sandbox_transaction(id, body)["data"]

    def resolve_dispute(self, id: str, body: t.SandboxResolveDispute) -> t.Transaction:
        return self._operations.resolve_sandbox_dispute(id, body)["data"]

    def charge_back(self, id: str) -> t.Transaction:
        """The card's bank takes a payment back."""
        return self._operations.charge_back_sandbox_transaction(id)["data"]

    def reverse_chargeback(self, id: str) -> t.Transaction:
        return self._operations.reverse_sandbox_chargeback(id)["data"]

    def approve_subscription(self, id: str) -> t.Subscription:
        """The payer approves a subscription."""
        return self._operations.approve_sandbox_subscription(id)["data"]

    def reject_subscription(self, id: str) -> t.Subscription:
        """The payer refuses a subscription."""
        return self._operations.refuse_sandbox_subscription(id)["data"]

    def payer_cancel_subscription(self, id: str) -> t.Subscription:
        """The payer cancels a subscription in the bank's app."""
        return self._operations.cancel_sandbox_subscription(id)["data"]

    def decide_attempt(self, id: str, body: t.SandboxAttempt) -> t.SubscriptionCharge:
        """What becomes of the next attempt to debit a charge."""
        return self._operations.decide_sandbox_attempt(id, body)["data"]

    def pay_code(self, id: str, body: Optional[t.SandboxPayStaticCode] = None) -> t.Transaction:
        """Pays a static code."""
        return self._operations.pay_static_code(id, body)["data"]

    def pay_without_charge(self, body: t.SandboxPayment) -> t.SandboxPaid:
        """A PIX that no charge asked for."""
        return self._operations.create_sandbox_payment(body)

    def pay_withdraw(self, id: int) -> t.Withdraw:
        return self._operations.pay_sandbox_withdraw(str(id))

    def fail_withdraw(self, id: int) -> t.Withdraw:
        return self._operations.fail_sandbox_withdraw(str(id))

    def return_withdraw(self, id: int, body: Optional[t.SandboxReturn] = None) -> t.Withdraw:
        """The receiving bank sends a withdraw back: all of it, or `amount`."""
        return self._operations.return_sandbox_withdraw(str(id), body)

    def terms(self) -> t.CompanyTerms:
        return self._operations.get_sandbox_terms()

    def change_terms(self, body: t.ChangeCompanyTermsInput) -> t.CompanyTerms:
        """Changes what an operator sets for a live company: fees, delays, `frozen`."""
        return self._operations.change_sandbox_terms(body)

    def webhook_chaos(self) -> t.WebhookChaos:
        """What goes wrong with webhooks on purpose."""
        return self._operations.get_webhook_chaos()

    def set_webhook_chaos(self, body: t.WebhookChaos) -> t.WebhookChaos:
        return self._operations.set_webhook_chaos(body)

    def faults(self) -> t.SandboxFaultsData:
        """What goes wrong at the company's bank and receiver, by its clock."""
        return self._operations.get_sandbox_faults()["data"]

    def set_faults(self, body: t.SandboxFaultsInput) -> t.SandboxFaultsData:
        """Has these faults happen and no others; none ends all."""
        return self._operations.set_sandbox_faults(body)["data"]

    def clock(self) -> t.CompanyClockData:
        """The company's time, and whether it was moved."""
        return self._operations.get_sandbox_clock()["data"]

    def advance(self, duration: str) -> t.MovedClockData:
        """Moves the company's time forward by an ISO 8601 duration such as `P3D`, and returns all that became due.

        It is in order. Goes on for 100 calls; `hasMore` says whether that was not enough: set the time `now` again.
        """
        # Counted from a time, so that a repeated attempt moves nothing twice.
        return self._move_clock({"advance": duration, "from": self.clock()["now"]})

    def set_clock(self, time: str) -> t.MovedClockData:
        """As `advance`, to a time."""
        return self._move_clock({"set": time})

    def _move_clock(self, body: t.MoveClock) -> t.MovedClockData:
        ran: List[t.ClockItem] = []
        calls = 0
        while True:
            moved = self._operations.move_sandbox_clock(body)["data"]
            calls += 1
            ran += moved["ran"]
            if not moved["hasMore"] or calls == CLOCK_CALLS_MAX:
                moved["ran"] = ran
                return moved
            body = {"set": moved["now"]}

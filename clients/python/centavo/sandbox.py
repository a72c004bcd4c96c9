"""The sandbox."""

from __future__ import annotations

from typing import Optional

from . import types as t
from .resource import Resource


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

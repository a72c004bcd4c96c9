"""What is the company's own: cards, payments, refunds, statement, settings."""

from __future__ import annotations

from typing import Literal, Optional

from . import types as t
from .resource import Resource


class Cards(Resource):
    """Cards by token: a shop's server never sees a number."""

    def tokenize(self, body: t.CardTokenRequest) -> t.CardToken:
        """A token for a card's fields, for good; only a sandbox company's server has a card to tokenize."""
        return self._operations.create_card_token(body)

    def saved(self, *, customer: str) -> list[t.SavedCard]:
        """The cards that a payer (`customer`: CPF or CNPJ) let the company keep."""
        return self._operations.list_saved_cards(customer=customer)["data"]

    def delete(self, id: str) -> t.SavedCard:
        """Deletes a saved card, which can be charged no more."""
        return self._operations.delete_saved_card(id)["data"]


class Payments(Resource):
    """Payments that no charge asked for, and all that came."""

    def unexpected(
        self,
        *,
        status: Optional[Literal["kept", "crediting", "credited", "returning", "returned"]] = None,
        reason: Optional[Literal["SECOND_PAYMENT", "LATE", "NO_CHARGE", "WRONG_AMOUNT"]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.UnexpectedPayments:
        """A page of payments without a charge: second, late, of another amount."""
        return self._operations.list_unexpected_payments(
            status=status, reason=reason, after=after, limit=limit
        )

    def get(self, id: str) -> t.UnexpectedPayment:
        return self._operations.get_unexpected_payment(id)["data"]

    def return_(self, id: str, *, idempotency_key: Optional[str] = None) -> t.UnexpectedPayment:
        """Sends one back to its payer."""
        return self._operations.return_unexpected_payment(
            id, idempotency_key=idempotency_key
        )["data"]

    def credit(
        self,
        id: str,
        body: Optional[t.CreditPayment] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.UnexpectedPayment:
        """Takes one into the balance."""
        return self._operations.credit_unexpected_payment(
            id, body, idempotency_key=idempotency_key
        )["data"]

    def received(
        self,
        *,
        end_to_end_id: Optional[str] = None,
        amount: Optional[int] = None,
        at: Optional[str] = None,
    ) -> t.ReceivedPayments:
        """Whether a payment arrived: by its end-to-end id, or by amount and time."""
        return self._operations.search_received_payments(
            end_to_end_id=end_to_end_id, amount=amount, at=at
        )


class Refunds(Resource):
    """Refunds that wait for somebody else."""

    def waiting(
        self, *, after: Optional[str] = None, limit: Optional[int] = None
    ) -> t.RequestedRefunds:
        return self._operations.list_waiting_refunds(after=after, limit=limit, approval="pending")

    def approve(
        self,
        id: str,
        body: Optional[t.RefundDecision] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.RequestedRefund:
        return self._operations.approve_refund(id, body, idempotency_key=idempotency_key)["data"]

    def refuse(
        self,
        id: str,
        body: Optional[t.RefundDecision] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.RequestedRefund:
        return self._operations.refuse_refund(id, body, idempotency_key=idempotency_key)["data"]


class Statement(Resource):
    """What moved the balance."""

    def entries(
        self,
        *,
        month: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        hour: Optional[int] = None,
        only: Optional[Literal["in", "out", "fees"]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.StatementEntries:
        """A page of entries, newest first."""
        return self._operations.get_statement_entries(
            month=month, from_=from_, to=to, hour=hour, only=only, after=after, limit=limit
        )

    def entries_csv(
        self,
        *,
        month: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        hour: Optional[int] = None,
        only: Optional[Literal["in", "out", "fees"]] = None,
    ) -> str:
        """The entries of a time as CSV."""
        csv = self._operations.get_statement_entries_file(
            "text/csv", month=month, from_=from_, to=to, hour=hour, only=only
        )
        return csv.decode()

    def releases(
        self, *, day: str, after: Optional[str] = None, limit: Optional[int] = None
    ) -> t.PendingReleases:
        """The money that a day releases."""
        return self._operations.list_releases(day=day, after=after, limit=limit)


class Settings(Resource):
    """The company's own limits and rules."""

    def get(self) -> t.CompanySettings:
        return self._operations.get_company_settings()

    def change(self, body: t.ChangeCompanySettingsInput) -> t.CompanySettings:
        """What is stricter holds at once, what is looser later: it stands in `pending`."""
        return self._operations.change_company_settings(body)

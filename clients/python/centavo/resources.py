"""The calls of a company, by what they are about. Amounts are centavos; an answer is the API's, as a dict."""

from __future__ import annotations

from typing import Literal, Optional, cast

from . import types as t
from .resource import Resource


class Transactions(Resource):
    """Charges: PIX, boleto, card."""

    def create(
        self, body: t.CreateTransactionInput, *, idempotency_key: Optional[str] = None
    ) -> t.Transaction:
        """Charges a payer. A refused card is no error: its `status` is `REFUSED`."""
        return self._operations.create_transaction(body, idempotency_key=idempotency_key)["data"]

    def get(self, id: str) -> t.CurrentTransactionData:
        """The charge as it is now, with its customer and items."""
        return self._operations.get_transaction(id)["data"]

    def search(self, body: Optional[t.SearchTransactionsInput] = None) -> t.TransactionSearch:
        """A page of charges, newest first. The filters stand in no address."""
        return self._operations.search_transactions_by_body({} if body is None else body)

    def refund(
        self,
        id: str,
        body: Optional[t.RefundTransactionInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Gives a payment back: all that is left of it, or `amount` centavos. The end may follow by webhook."""
        return self._operations.refund_transaction(id, body, idempotency_key=idempotency_key)["data"]

    def capture(
        self,
        id: str,
        body: Optional[t.CaptureTransactionInput] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.Transaction:
        """Takes the money of an authorized card: all of it, or `amount` centavos."""
        return self._operations.capture_transaction(id, body, idempotency_key=idempotency_key)["data"]

    def change_due_date(
        self, id: str, body: t.ChangeDueDateInput, *, idempotency_key: Optional[str] = None
    ) -> t.Transaction:
        """Gives an unpaid boleto another due date, and with it another line."""
        return self._operations.change_due_date(id, body, idempotency_key=idempotency_key)["data"]

    def cancel(self, id: str, *, idempotency_key: Optional[str] = None) -> t.Transaction:
        """Ends an unpaid charge, or lets an authorized card go."""
        return self._operations.cancel_transaction(id, idempotency_key=idempotency_key)["data"]

    def timeline(self, id: str) -> t.TransactionTimeline:
        """All that happened to the charge, oldest first."""
        return self._operations.get_transaction_timeline(id)

    def receipt(self, id: str) -> t.PaymentReceipt:
        """The signed receipt of a payment."""
        return self._operations.get_transaction_receipt(id)

    def receipt_pdf(self, id: str) -> bytes:
        """The signed receipt as PDF."""
        return self._operations.get_transaction_receipt_file(id, "application/pdf")

    def qr(self, id: str) -> str:
        """The QR code of an unpaid charge as SVG, for a page."""
        return self._operations.get_transaction_qr(id, "image/svg+xml").decode()

    def qr_png(self, id: str) -> bytes:
        """The QR code as PNG, for an e-mail."""
        return self._operations.get_transaction_qr(id, "image/png")

    def search_csv(self, body: Optional[t.SearchTransactionsInput] = None) -> str:
        """All charges of a search as CSV, or `limit` of them."""
        asked = {} if body is None else body
        return self._operations.search_transactions_by_body_file("text/csv", asked).decode()

    def change(self, id: str, body: t.UpdateTransactionInput) -> t.Transaction:
        """Links its fiscal note, or removes the link."""
        return self._operations.change_transaction(id, body)["data"]


class Withdraws(Resource):
    """Payouts of the company's money to a PIX key. `amount` in centavos, `value` in reais as the contract has it."""

    def dry_run(self, body: t.RequestWithdrawInput) -> t.WithdrawDryRun:
        """Makes every check of a withdraw, and nothing else."""
        return self._operations.preview_withdraw(body)

    def request(
        self,
        body: t.RequestWithdrawInput,
        *,
        confirmed_duplicate: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> t.Withdraw:
        """Requests one. `confirmed_duplicate`: the earlier withdraw that it looks like, where both are meant."""
        earlier = None if confirmed_duplicate is None else str(confirmed_duplicate)
        made = self._operations.request_withdraw(
            body, confirm_duplicate=earlier, idempotency_key=idempotency_key
        )
        # Without `X-Dry-Run` it is the withdraw.
        return cast("t.Withdraw", made)

    def get(self, id: int) -> t.Withdraw:
        return self._operations.get_withdraw(str(id))

    def search(self, body: Optional[t.SearchWithdrawsInput] = None) -> t.WithdrawSearch:
        """A page of withdraws, newest first."""
        return self._operations.search_withdraws_by_body({} if body is None else body)

    def approve(
        self,
        id: int,
        body: Optional[t.WithdrawDecision] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.DecidedWithdraw:
        """Approves one that somebody else asked for."""
        return self._operations.approve_withdraw(str(id), body, idempotency_key=idempotency_key)

    def refuse(
        self,
        id: int,
        body: Optional[t.WithdrawDecision] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> t.DecidedWithdraw:
        """Refuses one that somebody else asked for: its money returns to the balance."""
        return self._operations.refuse_withdraw(str(id), body, idempotency_key=idempotency_key)

    def cancel(self, id: int, *, idempotency_key: Optional[str] = None) -> t.Withdraw:
        """Takes back one that is `Awaiting`."""
        return self._operations.cancel_withdraw(str(id), idempotency_key=idempotency_key)

    def receipt(self, id: int) -> t.WithdrawReceipt:
        """The signed receipt of a paid one."""
        return self._operations.get_withdraw_receipt(str(id))

    def search_csv(self, body: Optional[t.SearchWithdrawsInput] = None) -> str:
        """All withdraws of a search as CSV, or `limit` of them."""
        asked = {} if body is None else body
        return self._operations.search_withdraws_by_body_file("text/csv", asked).decode()

    def timeline(self, id: int) -> t.WithdrawTimeline:
        """All that happened to it, oldest first."""
        return self._operations.get_withdraw_timeline(str(id))

    def approval(self, id: int) -> t.WithdrawApprovalFacts:
        """What whoever approves it has to know."""
        return self._operations.get_withdraw_approval(str(id))


class Reports(Resource):
    """Sums of days. `from_` and `to` are days of São Paulo, `2026-11-21`."""

    def daily(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.DailyReports:
        """What each day took, by payment method."""
        return self._operations.get_daily_report(from_=from_, to=to)

    def conversion(
        self, *, from_: Optional[str] = None, to: Optional[str] = None
    ) -> t.ConversionReport:
        """How many of the charges were paid."""
        return self._operations.get_conversion_report(from_=from_, to=to)

    def rehearsal(self, *, days: Optional[int] = None) -> t.Rehearsal:
        """The cash of the next days: for certain, as expected, in the worst and the best case."""
        return self._operations.get_rehearsal(days=days)

    def fees(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.FeeReport:
        """The fees that banks took, beside the agreed ones."""
        return self._operations.get_fee_report(from_=from_, to=to)

    def fee_differences(
        self,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.FeeDifferences:
        """Settlements that are not as agreed and booked. A page's `after` asks for the next one."""
        return self._operations.list_fee_differences(from_=from_, to=to, after=after, limit=limit)


class Links(Resource):
    """Pages on which anybody pays. A page's `after` asks for the next one."""

    def create(
        self, body: t.CreatePaymentLinkInput, *, idempotency_key: Optional[str] = None
    ) -> t.PaymentLink:
        return self._operations.create_payment_link(body, idempotency_key=idempotency_key)["data"]

    def get(self, id: str) -> t.PaymentLink:
        return self._operations.get_payment_link(id)["data"]

    def list(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.PaymentLinks:
        return self._operations.list_payment_links(after=after, limit=limit)

    def change(self, id: str, body: t.UpdatePaymentLinkInput) -> t.PaymentLink:
        return self._operations.change_payment_link(id, body)["data"]

    def qr(self, id: str) -> str:
        """The QR code of its address as SVG."""
        return self._operations.get_payment_link_qr(id, "image/svg+xml").decode()


class Codes(Resource):
    """Static PIX codes, for a counter or a print."""

    def create(
        self, body: t.CreateStaticCodeInput, *, idempotency_key: Optional[str] = None
    ) -> t.StaticCode:
        return self._operations.create_static_code(body, idempotency_key=idempotency_key)["data"]

    def list(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.StaticCodes:
        return self._operations.list_static_codes(after=after, limit=limit)

    def delete(self, id: str) -> t.StaticCode:
        return self._operations.delete_static_code(id)["data"]

    def get(self, id: str) -> t.StaticCode:
        return self._operations.get_static_code(id)["data"]


class Disputes(Resource):
    """What payers' banks ask back."""

    def list(
        self,
        *,
        status: Optional[Literal["open", "won", "lost"]] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> t.Disputes:
        return self._operations.list_disputes(status=status, after=after, limit=limit)

    def get(self, id: str) -> t.Dispute:
        return self._operations.get_dispute(id)["data"]

    def submit_evidence(
        self, id: str, body: t.SubmitEvidence, *, idempotency_key: Optional[str] = None
    ) -> t.Dispute:
        made = self._operations.submit_dispute_evidence(id, body, idempotency_key=idempotency_key)
        return made["data"]

    def send_response(self, id: str, *, idempotency_key: Optional[str] = None) -> t.Dispute:
        """Sends the dossier to the bank, where it takes dossiers by API."""
        made = self._operations.send_dispute_response(id, idempotency_key=idempotency_key)
        return made["data"]

    def dossier(self, id: str) -> t.Dossier:
        """All that is known of it, signed."""
        return self._operations.get_dispute_dossier(id)



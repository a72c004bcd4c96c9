# `npm run clients` writes this file from the API's document.

"""Each operation of the API as a method, by the name that the document gives it."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union, cast

from . import types as t
from .http import Http


class Operations:
    """Everything that a company may call. Each raises a `CentavoError` where it fails."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create_transaction(self, body: t.CreateTransactionInput, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Create a transaction."""
        return cast("t.TransactionEnvelope", self._http.call("POST", "/api/v1/transactions/create", body=body, idempotency_key=idempotency_key))

    def refund_transaction(self, id: str, body: Optional[t.RefundTransactionInput] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Give a payment back."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/transactions/{self._http.quote(id)}/refund", body={} if body is None else body, idempotency_key=idempotency_key))

    def cancel_transaction(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Cancel an unpaid transaction, or void an authorized card."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/transactions/{self._http.quote(id)}/cancel", body={} if body is None else body, idempotency_key=idempotency_key))

    def capture_transaction(self, id: str, body: Optional[t.CaptureTransactionInput] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Take the money of an authorized card."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/transactions/{self._http.quote(id)}/capture", body={} if body is None else body, idempotency_key=idempotency_key))

    def change_due_date(self, id: str, body: t.ChangeDueDateInput, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Change the due date of an unpaid boleto."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/transactions/{self._http.quote(id)}/due-date", body=body, idempotency_key=idempotency_key))

    def get_transaction_detail_record(self, transaction_id: str) -> t.TransactionDetail:
        """Get a transaction in the contract's detail record."""
        return cast("t.TransactionDetail", self._http.call("GET", f"/api/Transaction/transactionByTransactionId/{self._http.quote(transaction_id)}"))

    def get_transaction_timeline(self, id: str) -> t.TransactionTimeline:
        """See all that happened about a transaction."""
        return cast("t.TransactionTimeline", self._http.call("GET", f"/api/v1/transactions/{self._http.quote(id)}/timeline"))

    def get_transaction_qr(self, id: str, media: Literal["image/svg+xml", "image/png"], *, format: Optional[Literal["svg", "png"]] = None) -> bytes:
        """Get the QR code of a transaction."""
        return self._http.file("GET", f"/api/v1/transactions/{self._http.quote(id)}/qr", query={"format": format}, media=media)

    def list_transactions(self, *, page: Optional[int] = None, page_size: Optional[int] = None, sort: Optional[Literal["createdAt_desc", "createdAt_asc"]] = None) -> t.TransactionPage:
        """List the company's transactions."""
        return cast("t.TransactionPage", self._http.call("GET", "/api/Transaction/company/transactions", query={"page": page, "pageSize": page_size, "sort": sort}))

    def search_transactions(self, *, after: Optional[str] = None, status: Optional[Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED", "PENDING"]] = None, payment_method: Optional[Literal["PIX", "BOLETO", "CREDIT_CARD"]] = None, failure_code: Optional[Literal["KEY_NOT_FOUND", "KEY_OWNER_MISMATCH", "ACCOUNT_INVALID", "ACCOUNT_CLOSED", "ACCOUNT_BLOCKED", "REFUSED_BY_BANK", "FRAUD_SUSPECTED", "BANK_UNAVAILABLE", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS_AT_PROVIDER", "TIMED_OUT", "PROVIDER_REFUSED", "REMOVED_BY_PROVIDER", "NOT_RECEIVED_BY_PROVIDER", "AUTHORIZATION_ENDED", "DECIDED_BY_OPERATOR", "LINK_UNAVAILABLE", "DEBIT_FAILED", "CARD_TOKEN_EXPIRED", "CARD_DECLINED", "INSUFFICIENT_FUNDS", "EXPIRED_CARD", "INCORRECT_CVV", "UNKNOWN"]] = None, from_: Optional[str] = None, to: Optional[str] = None, paid_from: Optional[str] = None, paid_to: Optional[str] = None, external_ref: Optional[str] = None, end_to_end_id: Optional[str] = None, fiscal_key: Optional[str] = None, static_code_id: Optional[str] = None, payment_link_id: Optional[str] = None, payer_name: Optional[str] = None, document: Optional[str] = None, limit: Optional[int] = None, amount_from: Optional[int] = None, amount_to: Optional[int] = None, ids: Optional[str] = None) -> t.TransactionSearch:
        """Search the company's transactions."""
        return cast("t.TransactionSearch", self._http.call("GET", "/api/v1/transactions", query={"after": after, "status": status, "paymentMethod": payment_method, "failureCode": failure_code, "from": from_, "to": to, "paidFrom": paid_from, "paidTo": paid_to, "externalRef": external_ref, "endToEndId": end_to_end_id, "fiscalKey": fiscal_key, "staticCodeId": static_code_id, "paymentLinkId": payment_link_id, "payerName": payer_name, "document": document, "limit": limit, "amountFrom": amount_from, "amountTo": amount_to, "ids": ids}))

    def search_transactions_file(self, media: Literal["text/csv"], *, after: Optional[str] = None, status: Optional[Literal["WAITING_PAYMENT", "AUTHORIZED", "PAID", "REFUSED", "FAILED", "CANCELLED", "REFUNDED", "PENDING"]] = None, payment_method: Optional[Literal["PIX", "BOLETO", "CREDIT_CARD"]] = None, failure_code: Optional[Literal["KEY_NOT_FOUND", "KEY_OWNER_MISMATCH", "ACCOUNT_INVALID", "ACCOUNT_CLOSED", "ACCOUNT_BLOCKED", "REFUSED_BY_BANK", "FRAUD_SUSPECTED", "BANK_UNAVAILABLE", "LIMIT_EXCEEDED", "INSUFFICIENT_FUNDS_AT_PROVIDER", "TIMED_OUT", "PROVIDER_REFUSED", "REMOVED_BY_PROVIDER", "NOT_RECEIVED_BY_PROVIDER", "AUTHORIZATION_ENDED", "DECIDED_BY_OPERATOR", "LINK_UNAVAILABLE", "DEBIT_FAILED", "CARD_TOKEN_EXPIRED", "CARD_DECLINED", "INSUFFICIENT_FUNDS", "EXPIRED_CARD", "INCORRECT_CVV", "UNKNOWN"]] = None, from_: Optional[str] = None, to: Optional[str] = None, paid_from: Optional[str] = None, paid_to: Optional[str] = None, external_ref: Optional[str] = None, end_to_end_id: Optional[str] = None, fiscal_key: Optional[str] = None, static_code_id: Optional[str] = None, payment_link_id: Optional[str] = None, payer_name: Optional[str] = None, document: Optional[str] = None, limit: Optional[int] = None, amount_from: Optional[int] = None, amount_to: Optional[int] = None, ids: Optional[str] = None) -> bytes:
        """Search the company's transactions."""
        return self._http.file("GET", "/api/v1/transactions", query={"after": after, "status": status, "paymentMethod": payment_method, "failureCode": failure_code, "from": from_, "to": to, "paidFrom": paid_from, "paidTo": paid_to, "externalRef": external_ref, "endToEndId": end_to_end_id, "fiscalKey": fiscal_key, "staticCodeId": static_code_id, "paymentLinkId": payment_link_id, "payerName": payer_name, "document": document, "limit": limit, "amountFrom": amount_from, "amountTo": amount_to, "ids": ids}, media=media)

    def search_transactions_by_body(self, body: t.SearchTransactionsInput, *, idempotency_key: Optional[str] = None) -> t.TransactionSearch:
        """Search the company's transactions by filters in a body."""
        return cast("t.TransactionSearch", self._http.call("POST", "/api/v1/transactions/search", body=body, idempotency_key=idempotency_key))

    def search_transactions_by_body_file(self, media: Literal["text/csv"], body: t.SearchTransactionsInput, *, idempotency_key: Optional[str] = None) -> bytes:
        """Search the company's transactions by filters in a body."""
        return self._http.file("POST", "/api/v1/transactions/search", body=body, media=media, idempotency_key=idempotency_key)

    def get_transaction(self, id: str) -> t.CurrentTransaction:
        """Get a transaction as it is now."""
        return cast("t.CurrentTransaction", self._http.call("GET", f"/api/v1/transactions/{self._http.quote(id)}"))

    def change_transaction(self, id: str, body: t.UpdateTransactionInput) -> t.TransactionEnvelope:
        """Link a fiscal document to a transaction."""
        return cast("t.TransactionEnvelope", self._http.call("PATCH", f"/api/v1/transactions/{self._http.quote(id)}", body=body))

    def get_withdraw_timeline(self, id: str) -> t.WithdrawTimeline:
        """See all that happened about a withdraw."""
        return cast("t.WithdrawTimeline", self._http.call("GET", f"/api/v1/withdraws/{self._http.quote(id)}/timeline"))

    def request_withdraw(self, body: t.RequestWithdrawInput, *, dry_run: Optional[Literal["true", "false"]] = None, confirm_duplicate: Optional[str] = None, idempotency_key: Optional[str] = None) -> Union[t.WithdrawDryRun, t.Withdraw]:
        """Request a withdraw."""
        return cast("Union[t.WithdrawDryRun, t.Withdraw]", self._http.call("POST", "/api/Withdraw/request", headers={"X-Dry-Run": dry_run, "X-Confirm-Duplicate": confirm_duplicate}, body=body, idempotency_key=idempotency_key))

    def preview_withdraw(self, body: t.RequestWithdrawInput, *, idempotency_key: Optional[str] = None) -> t.WithdrawDryRun:
        """Check a withdraw without requesting it."""
        return cast("t.WithdrawDryRun", self._http.call("POST", "/api/v1/withdraws/preview", body=body, idempotency_key=idempotency_key))

    def cancel_withdraw(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.Withdraw:
        """Cancel a withdraw."""
        return cast("t.Withdraw", self._http.call("POST", f"/api/Withdraw/{self._http.quote(id)}/cancel", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_withdraws(self, *, page: Optional[int] = None, page_size: Optional[int] = None, sort: Optional[Literal["createdAt_desc", "createdAt_asc"]] = None) -> t.WithdrawPage:
        """List the company's withdraws."""
        return cast("t.WithdrawPage", self._http.call("GET", "/api/Withdraw/company/withdraws", query={"page": page, "pageSize": page_size, "sort": sort}))

    def get_withdraw(self, id: str) -> t.Withdraw:
        """Get a withdraw."""
        return cast("t.Withdraw", self._http.call("GET", f"/api/Withdraw/{self._http.quote(id)}"))

    def search_withdraws(self, *, after: Optional[str] = None, status: Optional[Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]] = None, approval: Optional[Literal["none", "pending", "approved", "refused"]] = None, from_: Optional[str] = None, to: Optional[str] = None, pix_key: Optional[str] = None, limit: Optional[int] = None, amount_from: Optional[int] = None, amount_to: Optional[int] = None) -> t.WithdrawSearch:
        """Search the company's withdraws."""
        return cast("t.WithdrawSearch", self._http.call("GET", "/api/v1/withdraws", query={"after": after, "status": status, "approval": approval, "from": from_, "to": to, "pixKey": pix_key, "limit": limit, "amountFrom": amount_from, "amountTo": amount_to}))

    def search_withdraws_file(self, media: Literal["text/csv"], *, after: Optional[str] = None, status: Optional[Literal["Awaiting", "Processing", "Paid", "Failed", "Cancelled", "Returned"]] = None, approval: Optional[Literal["none", "pending", "approved", "refused"]] = None, from_: Optional[str] = None, to: Optional[str] = None, pix_key: Optional[str] = None, limit: Optional[int] = None, amount_from: Optional[int] = None, amount_to: Optional[int] = None) -> bytes:
        """Search the company's withdraws."""
        return self._http.file("GET", "/api/v1/withdraws", query={"after": after, "status": status, "approval": approval, "from": from_, "to": to, "pixKey": pix_key, "limit": limit, "amountFrom": amount_from, "amountTo": amount_to}, media=media)

    def search_withdraws_by_body(self, body: t.SearchWithdrawsInput, *, idempotency_key: Optional[str] = None) -> t.WithdrawSearch:
        """Search the company's withdraws by filters in a body."""
        return cast("t.WithdrawSearch", self._http.call("POST", "/api/v1/withdraws/search", body=body, idempotency_key=idempotency_key))

    def search_withdraws_by_body_file(self, media: Literal["text/csv"], body: t.SearchWithdrawsInput, *, idempotency_key: Optional[str] = None) -> bytes:
        """Search the company's withdraws by filters in a body."""
        return self._http.file("POST", "/api/v1/withdraws/search", body=body, media=media, idempotency_key=idempotency_key)

    def get_withdraw_approval(self, id: str) -> t.WithdrawApprovalFacts:
        """Get what an approver should know."""
        return cast("t.WithdrawApprovalFacts", self._http.call("GET", f"/api/v1/withdraws/{self._http.quote(id)}/approval"))

    def approve_withdraw(self, id: str, body: Optional[t.WithdrawDecision] = None, *, idempotency_key: Optional[str] = None) -> t.DecidedWithdraw:
        """Approve a withdraw."""
        return cast("t.DecidedWithdraw", self._http.call("POST", f"/api/v1/withdraws/{self._http.quote(id)}/approve", body={} if body is None else body, idempotency_key=idempotency_key))

    def refuse_withdraw(self, id: str, body: Optional[t.WithdrawDecision] = None, *, idempotency_key: Optional[str] = None) -> t.DecidedWithdraw:
        """Refuse a withdraw."""
        return cast("t.DecidedWithdraw", self._http.call("POST", f"/api/v1/withdraws/{self._http.quote(id)}/refuse", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_unexpected_payments(self, *, status: Optional[Literal["kept", "crediting", "credited", "returning", "returned"]] = None, reason: Optional[Literal["SECOND_PAYMENT", "LATE", "NO_CHARGE", "WRONG_AMOUNT"]] = None, after: Optional[str] = None, limit: Optional[int] = None) -> t.UnexpectedPayments:
        """List payments that no charge expected as they came."""
        return cast("t.UnexpectedPayments", self._http.call("GET", "/api/v1/payments/unexpected", query={"status": status, "reason": reason, "after": after, "limit": limit}))

    def get_unexpected_payment(self, id: str) -> t.UnexpectedPaymentEnvelope:
        """Show a payment that no charge expected."""
        return cast("t.UnexpectedPaymentEnvelope", self._http.call("GET", f"/api/v1/payments/unexpected/{self._http.quote(id)}"))

    def return_unexpected_payment(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.UnexpectedPaymentEnvelope:
        """Return an unexpected payment to its payer."""
        return cast("t.UnexpectedPaymentEnvelope", self._http.call("POST", f"/api/v1/payments/unexpected/{self._http.quote(id)}/return", body={} if body is None else body, idempotency_key=idempotency_key))

    def credit_unexpected_payment(self, id: str, body: Optional[t.CreditPayment] = None, *, idempotency_key: Optional[str] = None) -> t.UnexpectedPaymentEnvelope:
        """Credit an unexpected payment."""
        return cast("t.UnexpectedPaymentEnvelope", self._http.call("POST", f"/api/v1/payments/unexpected/{self._http.quote(id)}/credit", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_waiting_refunds(self, *, approval: Literal["pending"], after: Optional[str] = None, limit: Optional[int] = None) -> t.RequestedRefunds:
        """List refunds and returns that wait for an approval."""
        return cast("t.RequestedRefunds", self._http.call("GET", "/api/v1/refunds", query={"approval": approval, "after": after, "limit": limit}))

    def approve_refund(self, id: str, body: Optional[t.RefundDecision] = None, *, idempotency_key: Optional[str] = None) -> t.RequestedRefundEnvelope:
        """Approve a refund or return."""
        return cast("t.RequestedRefundEnvelope", self._http.call("POST", f"/api/v1/refunds/{self._http.quote(id)}/approve", body={} if body is None else body, idempotency_key=idempotency_key))

    def refuse_refund(self, id: str, body: Optional[t.RefundDecision] = None, *, idempotency_key: Optional[str] = None) -> t.RequestedRefundEnvelope:
        """Refuse a refund or return."""
        return cast("t.RequestedRefundEnvelope", self._http.call("POST", f"/api/v1/refunds/{self._http.quote(id)}/refuse", body={} if body is None else body, idempotency_key=idempotency_key))

    def search_received_payments(self, *, end_to_end_id: Optional[str] = None, amount: Optional[int] = None, at: Optional[str] = None) -> t.ReceivedPayments:
        """Find a payment that arrived."""
        return cast("t.ReceivedPayments", self._http.call("GET", "/api/v1/payments/received", query={"endToEndId": end_to_end_id, "amount": amount, "at": at}))

    def get_balance(self, company_id: int, *, currency: str) -> t.Balance:
        """Get the company's balance."""
        return cast("t.Balance", self._http.call("GET", f"/api/Balance/balance/{self._http.quote(company_id)}", query={"currency": currency}))

    def get_own_balance(self, *, currency: Optional[str] = None) -> t.OwnBalance:
        """Get the balance in centavos."""
        return cast("t.OwnBalance", self._http.call("GET", "/api/v1/balance", query={"currency": currency}))

    def get_forecast(self, company_id: int, *, currency: str) -> t.Forecast:
        """Forecast when credits become available."""
        return cast("t.Forecast", self._http.call("GET", f"/api/Balance/forecast/{self._http.quote(company_id)}", query={"currency": currency}))

    def get_statement(self, company_id: int, *, currency: str, from_: Optional[str] = None, to: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None, accounts: Optional[Literal["company", "all"]] = None) -> t.Statement:
        """List the company's postings."""
        return cast("t.Statement", self._http.call("GET", f"/api/Balance/statement/{self._http.quote(company_id)}", query={"currency": currency, "from": from_, "to": to, "after": after, "limit": limit, "accounts": accounts}))

    def get_statement_file(self, company_id: int, media: Literal["text/csv", "application/x-ofx"], *, currency: str, from_: Optional[str] = None, to: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None, accounts: Optional[Literal["company", "all"]] = None) -> bytes:
        """List the company's postings."""
        return self._http.file("GET", f"/api/Balance/statement/{self._http.quote(company_id)}", query={"currency": currency, "from": from_, "to": to, "after": after, "limit": limit, "accounts": accounts}, media=media)

    def verify_statement(self, content: bytes, content_type: Literal["text/csv"], *, idempotency_key: Optional[str] = None) -> t.StatementVerdict:
        """Check a statement."""
        return cast("t.StatementVerdict", self._http.call("POST", "/api/v1/statement/verify", content=content, content_type=content_type, idempotency_key=idempotency_key))

    def get_statement_entries(self, *, month: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, hour: Optional[int] = None, only: Optional[Literal["in", "out", "fees"]] = None, after: Optional[str] = None, limit: Optional[int] = None) -> t.StatementEntries:
        """List what happened to the company's money in a month, or on some days."""
        return cast("t.StatementEntries", self._http.call("GET", "/api/v1/statement/entries", query={"month": month, "from": from_, "to": to, "hour": hour, "only": only, "after": after, "limit": limit}))

    def get_statement_entries_file(self, media: Literal["text/csv", "application/x-ofx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"], *, month: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, hour: Optional[int] = None, only: Optional[Literal["in", "out", "fees"]] = None, after: Optional[str] = None, limit: Optional[int] = None) -> bytes:
        """List what happened to the company's money in a month, or on some days."""
        return self._http.file("GET", "/api/v1/statement/entries", query={"month": month, "from": from_, "to": to, "hour": hour, "only": only, "after": after, "limit": limit}, media=media)

    def list_releases(self, *, day: str, after: Optional[str] = None, limit: Optional[int] = None) -> t.PendingReleases:
        """List the credits that become available on a day."""
        return cast("t.PendingReleases", self._http.call("GET", "/api/v1/releases", query={"day": day, "after": after, "limit": limit}))

    def get_statement_archive(self, media: Literal["application/zip"], *, month: Optional[str] = None) -> bytes:
        """Get the accountant's month."""
        return self._http.file("GET", "/api/v1/statement/archive", query={"month": month}, media=media)

    def get_rehearsal(self, *, days: Optional[int] = None) -> t.Rehearsal:
        """Rehearse the cash of the next days."""
        return cast("t.Rehearsal", self._http.call("GET", "/api/v1/reports/rehearsal", query={"days": days}))

    def get_rehearsal_file(self, media: Literal["text/csv"], *, days: Optional[int] = None) -> bytes:
        """Rehearse the cash of the next days."""
        return self._http.file("GET", "/api/v1/reports/rehearsal", query={"days": days}, media=media)

    def get_fee_report(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.FeeReport:
        """Compare the fees that banks took with the agreed ones."""
        return cast("t.FeeReport", self._http.call("GET", "/api/v1/reports/fees", query={"from": from_, "to": to}))

    def get_fee_report_file(self, media: Literal["text/csv"], *, from_: Optional[str] = None, to: Optional[str] = None) -> bytes:
        """Compare the fees that banks took with the agreed ones."""
        return self._http.file("GET", "/api/v1/reports/fees", query={"from": from_, "to": to}, media=media)

    def list_fee_differences(self, *, from_: Optional[str] = None, to: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None) -> t.FeeDifferences:
        """List the settlements that differ."""
        return cast("t.FeeDifferences", self._http.call("GET", "/api/v1/reports/fees/differences", query={"from": from_, "to": to, "after": after, "limit": limit}))

    def get_daily_report(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.DailyReports:
        """Sum the payments, fees and refunds of each day."""
        return cast("t.DailyReports", self._http.call("GET", "/api/v1/reports/daily", query={"from": from_, "to": to}))

    def get_conversion_report(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.ConversionReport:
        """Show the created and paid charges of each day."""
        return cast("t.ConversionReport", self._http.call("GET", "/api/v1/reports/conversion", query={"from": from_, "to": to}))

    def reconcile_transactions(self, body: t.ReconcileLines, *, idempotency_key: Optional[str] = None) -> t.ReconcileResult:
        """Compare your own list with the transactions."""
        return cast("t.ReconcileResult", self._http.call("POST", "/api/v1/reconcile", body=body, idempotency_key=idempotency_key))

    def get_checkout_status(self, id: str) -> t.CheckoutStatus:
        """Get a transaction's status."""
        return cast("t.CheckoutStatus", self._http.call("GET", f"/api/checkout/status/{self._http.quote(id)}"))

    def create_payment_link(self, body: t.CreatePaymentLinkInput, *, idempotency_key: Optional[str] = None) -> t.PaymentLinkEnvelope:
        """Make a payment link."""
        return cast("t.PaymentLinkEnvelope", self._http.call("POST", "/api/v1/payment-links", body=body, idempotency_key=idempotency_key))

    def list_payment_links(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.PaymentLinks:
        """List the company's payment links."""
        return cast("t.PaymentLinks", self._http.call("GET", "/api/v1/payment-links", query={"after": after, "limit": limit}))

    def get_payment_link(self, id: str) -> t.PaymentLinkEnvelope:
        """Show a payment link."""
        return cast("t.PaymentLinkEnvelope", self._http.call("GET", f"/api/v1/payment-links/{self._http.quote(id)}"))

    def change_payment_link(self, id: str, body: t.UpdatePaymentLinkInput) -> t.PaymentLinkEnvelope:
        """Change a payment link."""
        return cast("t.PaymentLinkEnvelope", self._http.call("PATCH", f"/api/v1/payment-links/{self._http.quote(id)}", body=body))

    def get_payment_link_qr(self, id: str, media: Literal["image/svg+xml", "image/png"], *, format: Optional[Literal["svg", "png"]] = None) -> bytes:
        """Get the QR code of a payment link."""
        return self._http.file("GET", f"/api/v1/payment-links/{self._http.quote(id)}/qr", query={"format": format}, media=media)

    def create_subscription(self, body: t.CreateSubscriptionInput, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Make a subscription (Pix Automático)."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", "/api/v1/subscriptions", body=body, idempotency_key=idempotency_key))

    def list_subscriptions(self, *, status: Optional[Literal["pending_approval", "active", "past_due", "paused", "cancelled", "rejected", "expired", "completed"]] = None, after: Optional[str] = None, limit: Optional[int] = None) -> t.Subscriptions:
        """List the company's subscriptions."""
        return cast("t.Subscriptions", self._http.call("GET", "/api/v1/subscriptions", query={"status": status, "after": after, "limit": limit}))

    def get_subscription(self, id: str) -> t.SubscriptionEnvelope:
        """Show a subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("GET", f"/api/v1/subscriptions/{self._http.quote(id)}"))

    def change_subscription(self, id: str, body: t.ChangeSubscriptionInput) -> t.SubscriptionEnvelope:
        """Change what the next cycles are debited, and how unpaid ones are dunned."""
        return cast("t.SubscriptionEnvelope", self._http.call("PATCH", f"/api/v1/subscriptions/{self._http.quote(id)}", body=body))

    def cancel_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Cancel a subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/cancel", body={} if body is None else body, idempotency_key=idempotency_key))

    def pause_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Pause a subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/pause", body={} if body is None else body, idempotency_key=idempotency_key))

    def resume_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Resume a paused subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/resume", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_subscription_charges(self, id: str, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.SubscriptionCharges:
        """List the charges of a subscription."""
        return cast("t.SubscriptionCharges", self._http.call("GET", f"/api/v1/subscriptions/{self._http.quote(id)}/charges", query={"after": after, "limit": limit}))

    def open_subscription_charge(self, id: str, body: t.OpenSubscriptionChargeInput, *, idempotency_key: Optional[str] = None) -> t.SubscriptionChargeEnvelope:
        """Open the next cycle's charge before its time."""
        return cast("t.SubscriptionChargeEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/charges", body=body, idempotency_key=idempotency_key))

    def repeat_subscription_charge(self, id: str, transaction_id: str, body: t.RetrySubscriptionChargeInput, *, idempotency_key: Optional[str] = None) -> t.SubscriptionChargeEnvelope:
        """Repeat a failed debit on another day."""
        return cast("t.SubscriptionChargeEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/charges/{self._http.quote(transaction_id)}/retry", body=body, idempotency_key=idempotency_key))

    def pay_subscription_charge_by_hand(self, id: str, transaction_id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionChargeEnvelope:
        """Have the payer pay one cycle by hand."""
        return cast("t.SubscriptionChargeEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/charges/{self._http.quote(transaction_id)}/by-hand", body={} if body is None else body, idempotency_key=idempotency_key))

    def cancel_subscription_charge(self, id: str, transaction_id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionChargeEnvelope:
        """Cancel the debit of one cycle."""
        return cast("t.SubscriptionChargeEnvelope", self._http.call("POST", f"/api/v1/subscriptions/{self._http.quote(id)}/charges/{self._http.quote(transaction_id)}/cancel", body={} if body is None else body, idempotency_key=idempotency_key))

    def get_subscription_recovery(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.SubscriptionRecoveryReport:
        """Sum the debits that failed and what of them was recovered."""
        return cast("t.SubscriptionRecoveryReport", self._http.call("GET", "/api/v1/reports/subscriptions", query={"from": from_, "to": to}))

    def backtest_subscription_retries(self, *, retry: str) -> t.SubscriptionRetryBacktest:
        """Backtest a retry policy on the company's own debits."""
        return cast("t.SubscriptionRetryBacktest", self._http.call("GET", "/api/v1/reports/subscriptions/backtest", query={"retry": retry}))

    def get_debit_outlook(self, *, days: Optional[int] = None) -> t.DebitOutlook:
        """See what will be debited."""
        return cast("t.DebitOutlook", self._http.call("GET", "/api/v1/reports/subscriptions/upcoming", query={"days": days}))

    def get_payer_bank_report(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> t.PayerBanks:
        """Compare the banks of your payers."""
        return cast("t.PayerBanks", self._http.call("GET", "/api/v1/reports/subscriptions/banks", query={"from": from_, "to": to}))

    def list_saved_cards(self, *, customer: str) -> t.SavedCards:
        """List a payer's saved cards."""
        return cast("t.SavedCards", self._http.call("GET", "/api/v1/cards", query={"customer": customer}))

    def delete_saved_card(self, id: str) -> t.OneSavedCard:
        """Delete a saved card."""
        return cast("t.OneSavedCard", self._http.call("DELETE", f"/api/v1/cards/{self._http.quote(id)}"))

    def create_card_token(self, body: t.CardTokenRequest, *, idempotency_key: Optional[str] = None) -> t.CardToken:
        """Make a token of a card."""
        return cast("t.CardToken", self._http.call("POST", "/api/v1/cards/tokens", body=body, idempotency_key=idempotency_key))

    def decode_pix_code(self, *, code: str) -> t.PixCodeVerdict:
        """See what a PIX code pays."""
        return cast("t.PixCodeVerdict", self._http.call("GET", "/api/v1/pix/decode", query={"code": code}))

    def get_calendar_day(self, *, date: str, city: Optional[str] = None) -> t.CalendarDay:
        """See whether banks work on a day, and why a debit is on it."""
        return cast("t.CalendarDay", self._http.call("GET", "/api/v1/calendar", query={"date": date, "city": city}))

    def create_static_code(self, body: t.CreateStaticCodeInput, *, idempotency_key: Optional[str] = None) -> t.StaticCodeEnvelope:
        """Make a static PIX code."""
        return cast("t.StaticCodeEnvelope", self._http.call("POST", "/api/v1/pix/static-codes", body=body, idempotency_key=idempotency_key))

    def list_static_codes(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.StaticCodes:
        """List the company's static PIX codes."""
        return cast("t.StaticCodes", self._http.call("GET", "/api/v1/pix/static-codes", query={"after": after, "limit": limit}))

    def get_static_code(self, id: str) -> t.StaticCodeEnvelope:
        """Show a static PIX code."""
        return cast("t.StaticCodeEnvelope", self._http.call("GET", f"/api/v1/pix/static-codes/{self._http.quote(id)}"))

    def delete_static_code(self, id: str) -> t.StaticCodeEnvelope:
        """Delete a static PIX code."""
        return cast("t.StaticCodeEnvelope", self._http.call("DELETE", f"/api/v1/pix/static-codes/{self._http.quote(id)}"))

    def decode_boleto(self, *, code: str) -> t.BoletoVerdict:
        """See what a boleto's line or barcode asks for."""
        return cast("t.BoletoVerdict", self._http.call("GET", "/api/v1/boletos/decode", query={"code": code}))

    def list_disputes(self, *, status: Optional[Literal["open", "won", "lost"]] = None, after: Optional[str] = None, limit: Optional[int] = None) -> t.Disputes:
        """List the company's disputes."""
        return cast("t.Disputes", self._http.call("GET", "/api/v1/disputes", query={"status": status, "after": after, "limit": limit}))

    def get_dispute(self, id: str) -> t.DisputeEnvelope:
        """Get a dispute."""
        return cast("t.DisputeEnvelope", self._http.call("GET", f"/api/v1/disputes/{self._http.quote(id)}"))

    def submit_dispute_evidence(self, id: str, body: t.SubmitEvidence, *, idempotency_key: Optional[str] = None) -> t.DisputeEnvelope:
        """Submit evidence against a dispute."""
        return cast("t.DisputeEnvelope", self._http.call("POST", f"/api/v1/disputes/{self._http.quote(id)}/evidence", body=body, idempotency_key=idempotency_key))

    def add_dispute_file(self, id: str, content: bytes, content_type: Literal["application/pdf", "image/jpeg", "image/png"], *, name: str, idempotency_key: Optional[str] = None) -> t.DisputeEnvelope:
        """Add a file to the evidence against a dispute."""
        return cast("t.DisputeEnvelope", self._http.call("POST", f"/api/v1/disputes/{self._http.quote(id)}/evidence/files", query={"name": name}, content=content, content_type=content_type, idempotency_key=idempotency_key))

    def get_dispute_file(self, id: str, file_id: str, media: Literal["application/pdf", "image/jpeg", "image/png"]) -> bytes:
        """Get a file of the evidence against a dispute."""
        return self._http.file("GET", f"/api/v1/disputes/{self._http.quote(id)}/evidence/files/{self._http.quote(file_id)}", media=media)

    def delete_dispute_file(self, id: str, file_id: str) -> t.DisputeEnvelope:
        """Remove a file from the evidence against a dispute."""
        return cast("t.DisputeEnvelope", self._http.call("DELETE", f"/api/v1/disputes/{self._http.quote(id)}/evidence/files/{self._http.quote(file_id)}"))

    def get_dispute_dossier(self, id: str) -> t.Dossier:
        """Get all that is known of a dispute, signed."""
        return cast("t.Dossier", self._http.call("GET", f"/api/v1/disputes/{self._http.quote(id)}/dossier"))

    def get_dispute_dossier_file(self, id: str, media: Literal["application/pdf"]) -> bytes:
        """Get all that is known of a dispute, signed."""
        return self._http.file("GET", f"/api/v1/disputes/{self._http.quote(id)}/dossier", media=media)

    def send_dispute_response(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.DisputeEnvelope:
        """Send the dossier to the bank."""
        return cast("t.DisputeEnvelope", self._http.call("POST", f"/api/v1/disputes/{self._http.quote(id)}/response", body={} if body is None else body, idempotency_key=idempotency_key))

    def get_webhook_endpoint(self) -> t.WebhookEndpoint:
        """Get the company's webhook URL and failing hosts."""
        return cast("t.WebhookEndpoint", self._http.call("GET", "/api/v1/webhooks/endpoint"))

    def set_webhook_endpoint(self, body: t.SetWebhookEndpointInput) -> t.WebhookEndpoint:
        """Set the company's webhook URL."""
        return cast("t.WebhookEndpoint", self._http.call("PUT", "/api/v1/webhooks/endpoint", body=body))

    def list_webhook_endpoints(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.WebhookEndpoints:
        """List the company's webhook endpoints."""
        return cast("t.WebhookEndpoints", self._http.call("GET", "/api/v1/webhooks/endpoints", query={"after": after, "limit": limit}))

    def create_webhook_endpoint(self, body: t.CreateWebhookEndpointInput, *, idempotency_key: Optional[str] = None) -> t.MadeWebhookEndpointEnvelope:
        """Add a webhook endpoint."""
        return cast("t.MadeWebhookEndpointEnvelope", self._http.call("POST", "/api/v1/webhooks/endpoints", body=body, idempotency_key=idempotency_key))

    def change_webhook_endpoint(self, id: str, body: t.ChangeWebhookEndpointInput) -> t.WebhookEndpointEnvelope:
        """Change a webhook endpoint."""
        return cast("t.WebhookEndpointEnvelope", self._http.call("PATCH", f"/api/v1/webhooks/endpoints/{self._http.quote(id)}", body=body))

    def delete_webhook_endpoint(self, id: str) -> t.WebhookEndpointEnvelope:
        """Delete a webhook endpoint."""
        return cast("t.WebhookEndpointEnvelope", self._http.call("DELETE", f"/api/v1/webhooks/endpoints/{self._http.quote(id)}"))

    def rotate_webhook_endpoint_secret(self, id: str, body: Optional[t.RotateWebhookSecretInput] = None, *, idempotency_key: Optional[str] = None) -> t.RotatedWebhookEndpointEnvelope:
        """Rotate an endpoint's secret."""
        return cast("t.RotatedWebhookEndpointEnvelope", self._http.call("POST", f"/api/v1/webhooks/endpoints/{self._http.quote(id)}/rotate-secret", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_webhook_keys(self, *, company: int) -> t.WebhookKeys:
        """List the public keys of a company's webhooks."""
        return cast("t.WebhookKeys", self._http.call("GET", "/.well-known/webhook-keys.json", query={"company": company}))

    def rotate_webhook_secret(self, body: Optional[t.RotateWebhookSecretInput] = None, *, idempotency_key: Optional[str] = None) -> t.RotatedWebhookSecret:
        """Rotate the webhook secret."""
        return cast("t.RotatedWebhookSecret", self._http.call("POST", "/api/v1/webhooks/secret/rotate", body={} if body is None else body, idempotency_key=idempotency_key))

    def end_previous_webhook_secrets(self) -> t.EndedWebhookSecrets:
        """End the earlier webhook secrets at once."""
        return cast("t.EndedWebhookSecrets", self._http.call("DELETE", "/api/v1/webhooks/secret/previous"))

    def verify_webhook(self, body: t.ReceivedWebhook, *, idempotency_key: Optional[str] = None) -> t.WebhookDiagnosis:
        """Find out why a webhook does not verify."""
        return cast("t.WebhookDiagnosis", self._http.call("POST", "/api/v1/webhooks/verify", body=body, idempotency_key=idempotency_key))

    def list_webhook_deliveries(self, *, after: Optional[str] = None, limit: Optional[int] = None, status: Optional[Literal["pending", "delivered", "superseded", "stopped", "exhausted"]] = None) -> t.Deliveries:
        """List the company's webhook deliveries."""
        return cast("t.Deliveries", self._http.call("GET", "/api/v1/webhooks/deliveries", query={"after": after, "limit": limit, "status": status}))

    def resend_webhook(self, id: str, *, idempotency_key: Optional[str] = None) -> t.Delivery:
        """Resend a webhook."""
        return cast("t.Delivery", self._http.call("POST", f"/api/v1/webhooks/deliveries/{self._http.quote(id)}/resend", idempotency_key=idempotency_key))

    def resend_webhooks(self, body: t.ResendWebhooksInput, *, idempotency_key: Optional[str] = None) -> t.Deliveries:
        """Resend the webhooks of a time range."""
        return cast("t.Deliveries", self._http.call("POST", "/api/v1/webhooks/deliveries/resend", body=body, idempotency_key=idempotency_key))

    def test_webhook(self, body: Optional[t.TestWebhookInput] = None, *, idempotency_key: Optional[str] = None) -> t.EventDetail:
        """Test a webhook URL."""
        return cast("t.EventDetail", self._http.call("POST", "/api/v1/webhooks/test", body={} if body is None else body, idempotency_key=idempotency_key))

    def list_events(self, *, after: Optional[str] = None, limit: Optional[int] = None, order: Optional[Literal["oldest", "newest"]] = None, type: Optional[Literal["transaction.authorized", "transaction.paid", "transaction.refused", "transaction.failed", "transaction.cancelled", "transaction.refunded", "transaction.partially_refunded", "transaction.disputed", "transaction.chargeback_reversed", "withdraw.awaiting_approval", "withdraw.approved", "withdraw.refused", "withdraw.processing", "withdraw.paid", "withdraw.failed", "withdraw.cancelled", "withdraw.partially_returned", "withdraw.returned", "dispute.opened", "dispute.won", "dispute.lost", "payment.unexpected", "payment.credited", "payment.returned", "payment.return_failed", "payment_link.paid", "payment_link.exhausted", "subscription.created", "subscription.approved", "subscription.rejected", "subscription.past_due", "subscription.paused", "subscription.resumed", "subscription.cancelled", "subscription.expired", "subscription.completed", "subscription.charge_scheduled", "subscription.charge_attempt_failed", "subscription.charge_failed", "company.frozen", "company.unfrozen", "company.settings_changing", "balance.released", "ledger.anchored", "webhook.test"]] = None) -> t.Events:
        """Read the company's events in order."""
        return cast("t.Events", self._http.call("GET", "/api/v1/events", query={"after": after, "limit": limit, "order": order, "type": type}))

    def get_event(self, id: str) -> t.EventDetail:
        """Get an event, its deliveries and each attempt."""
        return cast("t.EventDetail", self._http.call("GET", f"/api/v1/events/{self._http.quote(id)}"))

    def get_own_terms(self) -> t.OwnTerms:
        """Show the company's fees and release days."""
        return cast("t.OwnTerms", self._http.call("GET", "/api/v1/company/terms"))

    def get_sandbox_terms(self) -> t.CompanyTerms:
        """Show the terms of a sandbox company."""
        return cast("t.CompanyTerms", self._http.call("GET", "/api/v1/sandbox/settings"))

    def change_sandbox_terms(self, body: t.ChangeCompanyTermsInput) -> t.CompanyTerms:
        """Change the terms of a sandbox company, as its operator would."""
        return cast("t.CompanyTerms", self._http.call("PUT", "/api/v1/sandbox/settings", body=body))

    def list_company_providers(self) -> t.CompanyProviders:
        """Show the company's accounts at PSPs, and when their access ends."""
        return cast("t.CompanyProviders", self._http.call("GET", "/api/v1/company/providers"))

    def get_company_settings(self) -> t.CompanySettings:
        """Show the company's settings."""
        return cast("t.CompanySettings", self._http.call("GET", "/api/v1/company/settings"))

    def change_company_settings(self, body: t.ChangeCompanySettingsInput) -> t.CompanySettings:
        """Change the company's settings."""
        return cast("t.CompanySettings", self._http.call("PUT", "/api/v1/company/settings", body=body))

    def refuse_pending_setting(self, field: str) -> t.CompanySettings:
        """Refuse a loosened setting that waits."""
        return cast("t.CompanySettings", self._http.call("DELETE", f"/api/v1/company/settings/pending/{self._http.quote(field)}"))

    def list_applications(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.Applications:
        """List the company's applications."""
        return cast("t.Applications", self._http.call("GET", "/api/v1/applications", query={"after": after, "limit": limit}))

    def create_application(self, body: t.CreateApplicationInput, *, idempotency_key: Optional[str] = None) -> t.ApplicationEnvelope:
        """Make an application."""
        return cast("t.ApplicationEnvelope", self._http.call("POST", "/api/v1/applications", body=body, idempotency_key=idempotency_key))

    def delete_application(self, id: str) -> t.ApplicationEnvelope:
        """Delete an application and its keys."""
        return cast("t.ApplicationEnvelope", self._http.call("DELETE", f"/api/v1/applications/{self._http.quote(id)}"))

    def change_application(self, id: str, body: t.ChangeApplicationInput) -> t.ApplicationEnvelope:
        """Change an application."""
        return cast("t.ApplicationEnvelope", self._http.call("PATCH", f"/api/v1/applications/{self._http.quote(id)}", body=body))

    def refuse_pending_limit(self, id: str, field: str) -> t.ApplicationEnvelope:
        """Refuse a loosened limit that waits."""
        return cast("t.ApplicationEnvelope", self._http.call("DELETE", f"/api/v1/applications/{self._http.quote(id)}/pending/{self._http.quote(field)}"))

    def list_application_keys(self, id: str, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.ApiKeys:
        """List the API keys of an application."""
        return cast("t.ApiKeys", self._http.call("GET", f"/api/v1/applications/{self._http.quote(id)}/keys", query={"after": after, "limit": limit}))

    def issue_application_key(self, id: str, body: Optional[t.IssueKey] = None, *, idempotency_key: Optional[str] = None) -> t.IssuedApiKeyEnvelope:
        """Issue an API key of an application."""
        return cast("t.IssuedApiKeyEnvelope", self._http.call("POST", f"/api/v1/applications/{self._http.quote(id)}/keys", body={} if body is None else body, idempotency_key=idempotency_key))

    def revoke_application_key(self, id: str, key_id: int) -> t.ApiKeyEnvelope:
        """Revoke an API key of an application."""
        return cast("t.ApiKeyEnvelope", self._http.call("DELETE", f"/api/v1/applications/{self._http.quote(id)}/keys/{self._http.quote(key_id)}"))

    def get_me(self) -> t.Me:
        """Tell whose credentials these are."""
        return cast("t.Me", self._http.call("GET", "/api/v1/me"))

    def list_requests(self, *, limit: Optional[int] = None) -> t.RequestLogs:
        """List the newest requests that changed something."""
        return cast("t.RequestLogs", self._http.call("GET", "/api/v1/requests", query={"limit": limit}))

    def get_request(self, trace_id: str, *, to: Optional[str] = None) -> t.RequestLog:
        """Find what a request did by its trace id."""
        return cast("t.RequestLog", self._http.call("GET", f"/api/v1/requests/{self._http.quote(trace_id)}", query={"to": to}))

    def list_people(self) -> t.People:
        """List the company's people and open invitations."""
        return cast("t.People", self._http.call("GET", "/api/v1/people"))

    def invite_person(self, body: t.InvitePersonInput, *, idempotency_key: Optional[str] = None) -> t.MadeInvitation:
        """Invite a person."""
        return cast("t.MadeInvitation", self._http.call("POST", "/api/v1/people/invitations", body=body, idempotency_key=idempotency_key))

    def revoke_invitation(self, id: str) -> t.OneInvitation:
        """Revoke an open invitation."""
        return cast("t.OneInvitation", self._http.call("DELETE", f"/api/v1/people/invitations/{self._http.quote(id)}"))

    def change_person(self, id: str, body: t.ChangePersonInput) -> t.OneMember:
        """Change a person's role."""
        return cast("t.OneMember", self._http.call("PATCH", f"/api/v1/people/{self._http.quote(id)}", body=body))

    def delete_person(self, id: str) -> t.OneMember:
        """Remove a person from the company."""
        return cast("t.OneMember", self._http.call("DELETE", f"/api/v1/people/{self._http.quote(id)}"))

    def list_saved_views(self) -> t.SavedViews:
        """List your saved views of payments."""
        return cast("t.SavedViews", self._http.call("GET", "/api/v1/saved-views"))

    def create_saved_view(self, body: t.SaveView, *, idempotency_key: Optional[str] = None) -> t.OneSavedView:
        """Give filters of payments a name."""
        return cast("t.OneSavedView", self._http.call("POST", "/api/v1/saved-views", body=body, idempotency_key=idempotency_key))

    def rename_saved_view(self, id: str, body: t.RenameView) -> t.OneSavedView:
        """Rename a saved view."""
        return cast("t.OneSavedView", self._http.call("PATCH", f"/api/v1/saved-views/{self._http.quote(id)}", body=body))

    def delete_saved_view(self, id: str) -> t.OneSavedView:
        """Delete a saved view."""
        return cast("t.OneSavedView", self._http.call("DELETE", f"/api/v1/saved-views/{self._http.quote(id)}"))

    def list_allowed_pix_keys(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.AllowedPixKeys:
        """List the PIX keys to which withdraws are allowed."""
        return cast("t.AllowedPixKeys", self._http.call("GET", "/api/v1/company/pix-keys", query={"after": after, "limit": limit}))

    def allow_pix_key(self, body: t.AddPixKey, *, idempotency_key: Optional[str] = None) -> t.AddedPixKey:
        """Allow withdraws to a PIX key."""
        return cast("t.AddedPixKey", self._http.call("POST", "/api/v1/company/pix-keys", body=body, idempotency_key=idempotency_key))

    def delete_allowed_pix_key(self, id: str) -> t.RemovedPixKey:
        """Take a PIX key from the list."""
        return cast("t.RemovedPixKey", self._http.call("DELETE", f"/api/v1/company/pix-keys/{self._http.quote(id)}"))

    def backtest_withdraw_policy(self, body: t.WithdrawPolicyBacktest, *, idempotency_key: Optional[str] = None) -> t.WithdrawPolicyBacktestResult:
        """Show what a withdraw policy would have stopped in the last 90 days."""
        return cast("t.WithdrawPolicyBacktestResult", self._http.call("POST", "/api/v1/company/withdraw-policy/backtest", body=body, idempotency_key=idempotency_key))

    def list_audit_entries(self, *, after: Optional[str] = None, limit: Optional[int] = None, actor: Optional[str] = None, action: Optional[str] = None, target: Optional[str] = None, from_: Optional[str] = None, to: Optional[str] = None, order: Optional[Literal["oldest", "newest"]] = None) -> t.AuditTrail:
        """List the company's audit trail."""
        return cast("t.AuditTrail", self._http.call("GET", "/api/v1/audit", query={"after": after, "limit": limit, "actor": actor, "action": action, "target": target, "from": from_, "to": to, "order": order}))

    def list_payers(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> t.Payers:
        """List payers with what they paid and owe."""
        return cast("t.Payers", self._http.call("GET", "/api/v1/payers", query={"after": after, "limit": limit}))

    def export_payer(self, body: t.ExportPayerInput, *, idempotency_key: Optional[str] = None) -> t.PayerExport:
        """Export what is stored of a payer."""
        return cast("t.PayerExport", self._http.call("POST", "/api/v1/payers/export", body=body, idempotency_key=idempotency_key))

    def erase_payer(self, body: t.ErasePayerInput, *, idempotency_key: Optional[str] = None) -> t.PayerErasure:
        """Erase a payer's data."""
        return cast("t.PayerErasure", self._http.call("POST", "/api/v1/payers/erase", body=body, idempotency_key=idempotency_key))

    def get_transaction_receipt(self, id: str) -> t.PaymentReceipt:
        """Get the receipt of a paid transaction."""
        return cast("t.PaymentReceipt", self._http.call("GET", f"/api/v1/transactions/{self._http.quote(id)}/receipt"))

    def get_transaction_receipt_file(self, id: str, media: Literal["application/pdf"]) -> bytes:
        """Get the receipt of a paid transaction."""
        return self._http.file("GET", f"/api/v1/transactions/{self._http.quote(id)}/receipt", media=media)

    def get_withdraw_receipt(self, id: str) -> t.WithdrawReceipt:
        """Get the receipt of a paid withdraw."""
        return cast("t.WithdrawReceipt", self._http.call("GET", f"/api/v1/withdraws/{self._http.quote(id)}/receipt"))

    def get_withdraw_receipt_file(self, id: str, media: Literal["application/pdf"]) -> bytes:
        """Get the receipt of a paid withdraw."""
        return self._http.file("GET", f"/api/v1/withdraws/{self._http.quote(id)}/receipt", media=media)

    def verify_receipt(self, body: t.ReceiptToVerify, *, idempotency_key: Optional[str] = None) -> t.ReceiptVerdict:
        """Check whether a receipt is genuine."""
        return cast("t.ReceiptVerdict", self._http.call("POST", "/receipts/verify", body=body, idempotency_key=idempotency_key))

    def pay_static_code(self, id: str, body: Optional[t.SandboxPayStaticCode] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer: pay a static PIX code."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/pix/static-codes/{self._http.quote(id)}/pay", body={} if body is None else body, idempotency_key=idempotency_key))

    def approve_sandbox_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Play the payer: approve a subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/sandbox/subscriptions/{self._http.quote(id)}/approve", body={} if body is None else body, idempotency_key=idempotency_key))

    def refuse_sandbox_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Play the payer: refuse a subscription."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/sandbox/subscriptions/{self._http.quote(id)}/reject", body={} if body is None else body, idempotency_key=idempotency_key))

    def cancel_sandbox_subscription(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.SubscriptionEnvelope:
        """Play the payer: cancel a subscription in the bank's app."""
        return cast("t.SubscriptionEnvelope", self._http.call("POST", f"/api/v1/sandbox/subscriptions/{self._http.quote(id)}/payer-cancel", body={} if body is None else body, idempotency_key=idempotency_key))

    def decide_sandbox_attempt(self, id: str, body: t.SandboxAttempt, *, idempotency_key: Optional[str] = None) -> t.SubscriptionChargeEnvelope:
        """Play the payer's bank: what becomes of the next attempt to debit."""
        return cast("t.SubscriptionChargeEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/attempt", body=body, idempotency_key=idempotency_key))

    def get_sandbox_clock(self) -> t.CompanyClock:
        """Show the company's time."""
        return cast("t.CompanyClock", self._http.call("GET", "/api/v1/sandbox/clock"))

    def move_sandbox_clock(self, body: t.MoveClock, *, idempotency_key: Optional[str] = None) -> t.MovedClock:
        """Move the company's time forward, and live what becomes due."""
        return cast("t.MovedClock", self._http.call("POST", "/api/v1/sandbox/clock", body=body, idempotency_key=idempotency_key))

    def pay_sandbox_transaction(self, id: str, body: Optional[t.SandboxPay] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer: pay a transaction."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/pay", body={} if body is None else body, idempotency_key=idempotency_key))

    def create_sandbox_payment(self, body: t.SandboxPayment, *, idempotency_key: Optional[str] = None) -> t.SandboxPaid:
        """Play a payer who pays without a charge."""
        return cast("t.SandboxPaid", self._http.call("POST", "/api/v1/sandbox/payments", body=body, idempotency_key=idempotency_key))

    def fail_sandbox_transaction(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the bank: the charge fails."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/fail", body={} if body is None else body, idempotency_key=idempotency_key))

    def expire_sandbox_transaction(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the clock: the charge expires."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/expire", body={} if body is None else body, idempotency_key=idempotency_key))

    def dispute_sandbox_transaction(self, id: str, body: Optional[t.SandboxDispute] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer's bank: it disputes the payment (PIX: MED)."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/dispute", body={} if body is None else body, idempotency_key=idempotency_key))

    def resolve_sandbox_dispute(self, id: str, body: t.SandboxResolveDispute, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer's bank: it decides the dispute."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/dispute/resolve", body=body, idempotency_key=idempotency_key))

    def charge_back_sandbox_transaction(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer's bank: it takes the payment back."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/chargeback", body={} if body is None else body, idempotency_key=idempotency_key))

    def reverse_sandbox_chargeback(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.TransactionEnvelope:
        """Play the payer's bank: it gives a chargeback back."""
        return cast("t.TransactionEnvelope", self._http.call("POST", f"/api/v1/sandbox/transactions/{self._http.quote(id)}/chargeback/reverse", body={} if body is None else body, idempotency_key=idempotency_key))

    def pay_sandbox_withdraw(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.Withdraw:
        """Play the receiving bank: it has the money."""
        return cast("t.Withdraw", self._http.call("POST", f"/api/v1/sandbox/withdraws/{self._http.quote(id)}/pay", body={} if body is None else body, idempotency_key=idempotency_key))

    def fail_sandbox_withdraw(self, id: str, body: Optional[t.NoFields] = None, *, idempotency_key: Optional[str] = None) -> t.Withdraw:
        """Play the receiving bank: it refuses the money."""
        return cast("t.Withdraw", self._http.call("POST", f"/api/v1/sandbox/withdraws/{self._http.quote(id)}/fail", body={} if body is None else body, idempotency_key=idempotency_key))

    def return_sandbox_withdraw(self, id: str, body: Optional[t.SandboxReturn] = None, *, idempotency_key: Optional[str] = None) -> t.Withdraw:
        """Play the receiving bank: it sends a withdraw back, or a part of it."""
        return cast("t.Withdraw", self._http.call("POST", f"/api/v1/sandbox/withdraws/{self._http.quote(id)}/return", body={} if body is None else body, idempotency_key=idempotency_key))

    def get_webhook_chaos(self) -> t.WebhookChaos:
        """Show how hostile the company's webhooks are."""
        return cast("t.WebhookChaos", self._http.call("GET", "/api/v1/sandbox/webhooks/chaos"))

    def set_webhook_chaos(self, body: t.WebhookChaos) -> t.WebhookChaos:
        """Have the company's webhooks delivered with hostility."""
        return cast("t.WebhookChaos", self._http.call("PUT", "/api/v1/sandbox/webhooks/chaos", body=body))

    def get_sandbox_faults(self) -> t.SandboxFaults:
        """Show what goes wrong at the company's bank and receiver."""
        return cast("t.SandboxFaults", self._http.call("GET", "/api/v1/sandbox/faults"))

    def set_sandbox_faults(self, body: t.SandboxFaultsInput) -> t.SandboxFaults:
        """Have the company's bank or receiver fail, by its clock."""
        return cast("t.SandboxFaults", self._http.call("PUT", "/api/v1/sandbox/faults", body=body))

    def get_health(self) -> t.Health:
        """Show that the service runs, and which version."""
        return cast("t.Health", self._http.call("GET", "/health"))

    def check_readiness(self) -> t.Ready:
        """Check that the service can work."""
        return cast("t.Ready", self._http.call("GET", "/ready"))

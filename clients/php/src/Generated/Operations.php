<?php

// `npm run clients` writes this file from the API's document.

declare(strict_types=1);

namespace Centavo\Generated;

use Centavo\Http;

/**
 * Everything that a company may call, by the names of the API's document. Each throws a `CentavoError` where it fails.
 *
 * @phpstan-import-type TransactionEnvelope from Types
 * @phpstan-import-type Transaction from Types
 * @phpstan-import-type CreateTransactionInput from Types
 * @phpstan-import-type RefundTransactionInput from Types
 * @phpstan-import-type NoFields from Types
 * @phpstan-import-type CaptureTransactionInput from Types
 * @phpstan-import-type ChangeDueDateInput from Types
 * @phpstan-import-type TransactionDetail from Types
 * @phpstan-import-type TransactionTimeline from Types
 * @phpstan-import-type TransactionPage from Types
 * @phpstan-import-type TransactionSearch from Types
 * @phpstan-import-type SearchTransactionsInput from Types
 * @phpstan-import-type CurrentTransaction from Types
 * @phpstan-import-type UpdateTransactionInput from Types
 * @phpstan-import-type WithdrawTimeline from Types
 * @phpstan-import-type WithdrawDryRun from Types
 * @phpstan-import-type Withdraw from Types
 * @phpstan-import-type RequestWithdrawInput from Types
 * @phpstan-import-type WithdrawPage from Types
 * @phpstan-import-type WithdrawSearch from Types
 * @phpstan-import-type SearchWithdrawsInput from Types
 * @phpstan-import-type WithdrawApprovalFacts from Types
 * @phpstan-import-type DecidedWithdraw from Types
 * @phpstan-import-type WithdrawDecision from Types
 * @phpstan-import-type UnexpectedPayments from Types
 * @phpstan-import-type UnexpectedPaymentEnvelope from Types
 * @phpstan-import-type CreditPayment from Types
 * @phpstan-import-type RequestedRefunds from Types
 * @phpstan-import-type RequestedRefundEnvelope from Types
 * @phpstan-import-type RefundDecision from Types
 * @phpstan-import-type ReceivedPayments from Types
 * @phpstan-import-type Balance from Types
 * @phpstan-import-type OwnBalance from Types
 * @phpstan-import-type Forecast from Types
 * @phpstan-import-type Statement from Types
 * @phpstan-import-type StatementVerdict from Types
 * @phpstan-import-type StatementEntries from Types
 * @phpstan-import-type PendingReleases from Types
 * @phpstan-import-type Rehearsal from Types
 * @phpstan-import-type FeeReport from Types
 * @phpstan-import-type FeeDifferences from Types
 * @phpstan-import-type DailyReports from Types
 * @phpstan-import-type ConversionReport from Types
 * @phpstan-import-type ReconcileResult from Types
 * @phpstan-import-type ReconcileLines from Types
 * @phpstan-import-type CheckoutStatus from Types
 * @phpstan-import-type PaymentLinkEnvelope from Types
 * @phpstan-import-type CreatePaymentLinkInput from Types
 * @phpstan-import-type PaymentLinks from Types
 * @phpstan-import-type UpdatePaymentLinkInput from Types
 * @phpstan-import-type SubscriptionEnvelope from Types
 * @phpstan-import-type CreateSubscriptionInput from Types
 * @phpstan-import-type Subscriptions from Types
 * @phpstan-import-type ChangeSubscriptionInput from Types
 * @phpstan-import-type SubscriptionCharges from Types
 * @phpstan-import-type SubscriptionChargeEnvelope from Types
 * @phpstan-import-type OpenSubscriptionChargeInput from Types
 * @phpstan-import-type RetrySubscriptionChargeInput from Types
 * @phpstan-import-type SubscriptionRecoveryReport from Types
 * @phpstan-import-type SubscriptionRetryBacktest from Types
 * @phpstan-import-type DebitOutlook from Types
 * @phpstan-import-type PayerBanks from Types
 * @phpstan-import-type SavedCards from Types
 * @phpstan-import-type OneSavedCard from Types
 * @phpstan-import-type CardToken from Types
 * @phpstan-import-type CardTokenRequest from Types
 * @phpstan-import-type PixCodeVerdict from Types
 * @phpstan-import-type CalendarDay from Types
 * @phpstan-import-type StaticCodeEnvelope from Types
 * @phpstan-import-type CreateStaticCodeInput from Types
 * @phpstan-import-type StaticCodes from Types
 * @phpstan-import-type BoletoVerdict from Types
 * @phpstan-import-type Disputes from Types
 * @phpstan-import-type DisputeEnvelope from Types
 * @phpstan-import-type SubmitEvidence from Types
 * @phpstan-import-type Dossier from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type SetWebhookEndpointInput from Types
 * @phpstan-import-type WebhookEndpoints from Types
 * @phpstan-import-type MadeWebhookEndpointEnvelope from Types
 * @phpstan-import-type CreateWebhookEndpointInput from Types
 * @phpstan-import-type WebhookEndpointEnvelope from Types
 * @phpstan-import-type ChangeWebhookEndpointInput from Types
 * @phpstan-import-type RotatedWebhookEndpointEnvelope from Types
 * @phpstan-import-type RotateWebhookSecretInput from Types
 * @phpstan-import-type WebhookKeys from Types
 * @phpstan-import-type RotatedWebhookSecret from Types
 * @phpstan-import-type EndedWebhookSecrets from Types
 * @phpstan-import-type WebhookDiagnosis from Types
 * @phpstan-import-type ReceivedWebhook from Types
 * @phpstan-import-type Deliveries from Types
 * @phpstan-import-type Delivery from Types
 * @phpstan-import-type ResendWebhooksInput from Types
 * @phpstan-import-type EventDetail from Types
 * @phpstan-import-type TestWebhookInput from Types
 * @phpstan-import-type Events from Types
 * @phpstan-import-type OwnTerms from Types
 * @phpstan-import-type CompanyTerms from Types
 * @phpstan-import-type ChangeCompanyTermsInput from Types
 * @phpstan-import-type CompanyProviders from Types
 * @phpstan-import-type CompanySettings from Types
 * @phpstan-import-type ChangeCompanySettingsInput from Types
 * @phpstan-import-type Applications from Types
 * @phpstan-import-type ApplicationEnvelope from Types
 * @phpstan-import-type CreateApplicationInput from Types
 * @phpstan-import-type ChangeApplicationInput from Types
 * @phpstan-import-type ApiKeys from Types
 * @phpstan-import-type IssuedApiKeyEnvelope from Types
 * @phpstan-import-type IssueKey from Types
 * @phpstan-import-type ApiKeyEnvelope from Types
 * @phpstan-import-type Me from Types
 * @phpstan-import-type RequestLogs from Types
 * @phpstan-import-type RequestLog from Types
 * @phpstan-import-type People from Types
 * @phpstan-import-type MadeInvitation from Types
 * @phpstan-import-type InvitePersonInput from Types
 * @phpstan-import-type OneInvitation from Types
 * @phpstan-import-type OneMember from Types
 * @phpstan-import-type ChangePersonInput from Types
 * @phpstan-import-type SavedViews from Types
 * @phpstan-import-type OneSavedView from Types
 * @phpstan-import-type SaveView from Types
 * @phpstan-import-type RenameView from Types
 * @phpstan-import-type AllowedPixKeys from Types
 * @phpstan-import-type AddedPixKey from Types
 * @phpstan-import-type AddPixKey from Types
 * @phpstan-import-type RemovedPixKey from Types
 * @phpstan-import-type WithdrawPolicyBacktestResult from Types
 * @phpstan-import-type WithdrawPolicyBacktest from Types
 * @phpstan-import-type AuditTrail from Types
 * @phpstan-import-type Payers from Types
 * @phpstan-import-type PayerExport from Types
 * @phpstan-import-type ExportPayerInput from Types
 * @phpstan-import-type PayerErasure from Types
 * @phpstan-import-type ErasePayerInput from Types
 * @phpstan-import-type PaymentReceipt from Types
 * @phpstan-import-type WithdrawReceipt from Types
 * @phpstan-import-type ReceiptVerdict from Types
 * @phpstan-import-type ReceiptToVerify from Types
 * @phpstan-import-type SandboxPayStaticCode from Types
 * @phpstan-import-type SandboxAttempt from Types
 * @phpstan-import-type CompanyClock from Types
 * @phpstan-import-type MovedClock from Types
 * @phpstan-import-type MoveClock from Types
 * @phpstan-import-type SandboxPay from Types
 * @phpstan-import-type SandboxPaid from Types
 * @phpstan-import-type SandboxPayment from Types
 * @phpstan-import-type SandboxDispute from Types
 * @phpstan-import-type SandboxResolveDispute from Types
 * @phpstan-import-type SandboxReturn from Types
 * @phpstan-import-type WebhookChaos from Types
 * @phpstan-import-type SandboxFaults from Types
 * @phpstan-import-type SandboxFaultsInput from Types
 * @phpstan-import-type Health from Types
 * @phpstan-import-type Ready from Types
 */
final class Operations
{
    public function __construct(private readonly Http $http)
    {
    }

    /**
     * Create a transaction.
     *
     * @param CreateTransactionInput $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function createTransaction(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/create', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Give a payment back.
     *
     * @param string $id
     * @param RefundTransactionInput $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function refundTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/' . Http::segment($id) . '/refund', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Cancel an unpaid transaction, or void an authorized card.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function cancelTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/' . Http::segment($id) . '/cancel', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Take the money of an authorized card.
     *
     * @param string $id
     * @param CaptureTransactionInput $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function captureTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/' . Http::segment($id) . '/capture', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Change the due date of an unpaid boleto.
     *
     * @param string $id
     * @param ChangeDueDateInput $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function changeDueDate(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/' . Http::segment($id) . '/due-date', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get a transaction in the contract's detail record.
     *
     * @param string $transactionId
     * @return TransactionDetail
     */
    public function getTransactionDetailRecord(string $transactionId): array
    {
        return $this->http->call('GET', '/api/Transaction/transactionByTransactionId/' . Http::segment($transactionId));
    }

    /**
     * See all that happened about a transaction.
     *
     * @param string $id
     * @return TransactionTimeline
     */
    public function getTransactionTimeline(string $id): array
    {
        return $this->http->call('GET', '/api/v1/transactions/' . Http::segment($id) . '/timeline');
    }

    /**
     * Get the QR code of a transaction.
     *
     * @param string $id
     * @param 'image/svg+xml'|'image/png' $media
     * @param 'svg'|'png'|null $format
     * @return string the file's bytes
     */
    public function getTransactionQr(string $id, string $media, ?string $format = null): string
    {
        return $this->http->file('GET', '/api/v1/transactions/' . Http::segment($id) . '/qr', query: ['format' => $format], media: $media);
    }

    /**
     * List the company's transactions.
     *
     * @param int|null $page
     * @param int|null $pageSize
     * @param 'createdAt_desc'|'createdAt_asc'|null $sort
     * @return TransactionPage
     */
    public function listTransactions(?int $page = null, ?int $pageSize = null, ?string $sort = null): array
    {
        return $this->http->call('GET', '/api/Transaction/company/transactions', query: ['page' => $page, 'pageSize' => $pageSize, 'sort' => $sort]);
    }

    /**
     * Search the company's transactions.
     *
     * @param string|null $after
     * @param 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'|'PENDING'|null $status
     * @param 'PIX'|'BOLETO'|'CREDIT_CARD'|null $paymentMethod
     * @param 'KEY_NOT_FOUND'|'KEY_OWNER_MISMATCH'|'ACCOUNT_INVALID'|'ACCOUNT_CLOSED'|'ACCOUNT_BLOCKED'|'REFUSED_BY_BANK'|'FRAUD_SUSPECTED'|'BANK_UNAVAILABLE'|'LIMIT_EXCEEDED'|'INSUFFICIENT_FUNDS_AT_PROVIDER'|'TIMED_OUT'|'PROVIDER_REFUSED'|'REMOVED_BY_PROVIDER'|'NOT_RECEIVED_BY_PROVIDER'|'AUTHORIZATION_ENDED'|'DECIDED_BY_OPERATOR'|'LINK_UNAVAILABLE'|'DEBIT_FAILED'|'CARD_TOKEN_EXPIRED'|'CARD_DECLINED'|'INSUFFICIENT_FUNDS'|'EXPIRED_CARD'|'INCORRECT_CVV'|'UNKNOWN'|null $failureCode
     * @param string|null $from
     * @param string|null $to
     * @param string|null $paidFrom
     * @param string|null $paidTo
     * @param string|null $externalRef
     * @param string|null $endToEndId
     * @param string|null $fiscalKey
     * @param string|null $staticCodeId
     * @param string|null $paymentLinkId
     * @param string|null $payerName
     * @param string|null $document
     * @param int|null $limit
     * @param int|null $amountFrom
     * @param int|null $amountTo
     * @param string|null $ids
     * @return TransactionSearch
     */
    public function searchTransactions(?string $after = null, ?string $status = null, ?string $paymentMethod = null, ?string $failureCode = null, ?string $from = null, ?string $to = null, ?string $paidFrom = null, ?string $paidTo = null, ?string $externalRef = null, ?string $endToEndId = null, ?string $fiscalKey = null, ?string $staticCodeId = null, ?string $paymentLinkId = null, ?string $payerName = null, ?string $document = null, ?int $limit = null, ?int $amountFrom = null, ?int $amountTo = null, ?string $ids = null): array
    {
        return $this->http->call('GET', '/api/v1/transactions', query: ['after' => $after, 'status' => $status, 'paymentMethod' => $paymentMethod, 'failureCode' => $failureCode, 'from' => $from, 'to' => $to, 'paidFrom' => $paidFrom, 'paidTo' => $paidTo, 'externalRef' => $externalRef, 'endToEndId' => $endToEndId, 'fiscalKey' => $fiscalKey, 'staticCodeId' => $staticCodeId, 'paymentLinkId' => $paymentLinkId, 'payerName' => $payerName, 'document' => $document, 'limit' => $limit, 'amountFrom' => $amountFrom, 'amountTo' => $amountTo, 'ids' => $ids]);
    }

    /**
     * Search the company's transactions.
     *
     * @param 'text/csv' $media
     * @param string|null $after
     * @param 'WAITING_PAYMENT'|'AUTHORIZED'|'PAID'|'REFUSED'|'FAILED'|'CANCELLED'|'REFUNDED'|'PENDING'|null $status
     * @param 'PIX'|'BOLETO'|'CREDIT_CARD'|null $paymentMethod
     * @param 'KEY_NOT_FOUND'|'KEY_OWNER_MISMATCH'|'ACCOUNT_INVALID'|'ACCOUNT_CLOSED'|'ACCOUNT_BLOCKED'|'REFUSED_BY_BANK'|'FRAUD_SUSPECTED'|'BANK_UNAVAILABLE'|'LIMIT_EXCEEDED'|'INSUFFICIENT_FUNDS_AT_PROVIDER'|'TIMED_OUT'|'PROVIDER_REFUSED'|'REMOVED_BY_PROVIDER'|'NOT_RECEIVED_BY_PROVIDER'|'AUTHORIZATION_ENDED'|'DECIDED_BY_OPERATOR'|'LINK_UNAVAILABLE'|'DEBIT_FAILED'|'CARD_TOKEN_EXPIRED'|'CARD_DECLINED'|'INSUFFICIENT_FUNDS'|'EXPIRED_CARD'|'INCORRECT_CVV'|'UNKNOWN'|null $failureCode
     * @param string|null $from
     * @param string|null $to
     * @param string|null $paidFrom
     * @param string|null $paidTo
     * @param string|null $externalRef
     * @param string|null $endToEndId
     * @param string|null $fiscalKey
     * @param string|null $staticCodeId
     * @param string|null $paymentLinkId
     * @param string|null $payerName
     * @param string|null $document
     * @param int|null $limit
     * @param int|null $amountFrom
     * @param int|null $amountTo
     * @param string|null $ids
     * @return string the file's bytes
     */
    public function searchTransactionsFile(string $media, ?string $after = null, ?string $status = null, ?string $paymentMethod = null, ?string $failureCode = null, ?string $from = null, ?string $to = null, ?string $paidFrom = null, ?string $paidTo = null, ?string $externalRef = null, ?string $endToEndId = null, ?string $fiscalKey = null, ?string $staticCodeId = null, ?string $paymentLinkId = null, ?string $payerName = null, ?string $document = null, ?int $limit = null, ?int $amountFrom = null, ?int $amountTo = null, ?string $ids = null): string
    {
        return $this->http->file('GET', '/api/v1/transactions', query: ['after' => $after, 'status' => $status, 'paymentMethod' => $paymentMethod, 'failureCode' => $failureCode, 'from' => $from, 'to' => $to, 'paidFrom' => $paidFrom, 'paidTo' => $paidTo, 'externalRef' => $externalRef, 'endToEndId' => $endToEndId, 'fiscalKey' => $fiscalKey, 'staticCodeId' => $staticCodeId, 'paymentLinkId' => $paymentLinkId, 'payerName' => $payerName, 'document' => $document, 'limit' => $limit, 'amountFrom' => $amountFrom, 'amountTo' => $amountTo, 'ids' => $ids], media: $media);
    }

    /**
     * Search the company's transactions by filters in a body.
     *
     * @param SearchTransactionsInput $body
     * @param string|null $idempotencyKey
     * @return TransactionSearch
     */
    public function searchTransactionsByBody(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/transactions/search', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Search the company's transactions by filters in a body.
     *
     * @param 'text/csv' $media
     * @param SearchTransactionsInput $body
     * @param string|null $idempotencyKey
     * @return string the file's bytes
     */
    public function searchTransactionsByBodyFile(string $media, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): string
    {
        return $this->http->file('POST', '/api/v1/transactions/search', body: $body, media: $media, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get a transaction as it is now.
     *
     * @param string $id
     * @return CurrentTransaction
     */
    public function getTransaction(string $id): array
    {
        return $this->http->call('GET', '/api/v1/transactions/' . Http::segment($id));
    }

    /**
     * Link a fiscal document to a transaction.
     *
     * @param string $id
     * @param UpdateTransactionInput $body
     * @return TransactionEnvelope
     */
    public function changeTransaction(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/transactions/' . Http::segment($id), body: $body);
    }

    /**
     * See all that happened about a withdraw.
     *
     * @param string $id
     * @return WithdrawTimeline
     */
    public function getWithdrawTimeline(string $id): array
    {
        return $this->http->call('GET', '/api/v1/withdraws/' . Http::segment($id) . '/timeline');
    }

    /**
     * Request a withdraw.
     *
     * @param RequestWithdrawInput $body
     * @param 'true'|'false'|null $dryRun
     * @param string|null $confirmDuplicate
     * @param string|null $idempotencyKey
     * @return WithdrawDryRun|Withdraw
     */
    public function requestWithdraw(#[\SensitiveParameter] array $body, ?string $dryRun = null, ?string $confirmDuplicate = null, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/Withdraw/request', headers: ['X-Dry-Run' => $dryRun, 'X-Confirm-Duplicate' => $confirmDuplicate], body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Check a withdraw without requesting it.
     *
     * @param RequestWithdrawInput $body
     * @param string|null $idempotencyKey
     * @return WithdrawDryRun
     */
    public function previewWithdraw(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/withdraws/preview', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Cancel a withdraw.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return Withdraw
     */
    public function cancelWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/Withdraw/' . Http::segment($id) . '/cancel', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's withdraws.
     *
     * @param int|null $page
     * @param int|null $pageSize
     * @param 'createdAt_desc'|'createdAt_asc'|null $sort
     * @return WithdrawPage
     */
    public function listWithdraws(?int $page = null, ?int $pageSize = null, ?string $sort = null): array
    {
        return $this->http->call('GET', '/api/Withdraw/company/withdraws', query: ['page' => $page, 'pageSize' => $pageSize, 'sort' => $sort]);
    }

    /**
     * Get a withdraw.
     *
     * @param string $id
     * @return Withdraw
     */
    public function getWithdraw(string $id): array
    {
        return $this->http->call('GET', '/api/Withdraw/' . Http::segment($id));
    }

    /**
     * Search the company's withdraws.
     *
     * @param string|null $after
     * @param 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned'|null $status
     * @param 'none'|'pending'|'approved'|'refused'|null $approval
     * @param string|null $from
     * @param string|null $to
     * @param string|null $pixKey
     * @param int|null $limit
     * @param int|null $amountFrom
     * @param int|null $amountTo
     * @return WithdrawSearch
     */
    public function searchWithdraws(?string $after = null, ?string $status = null, ?string $approval = null, ?string $from = null, ?string $to = null, ?string $pixKey = null, ?int $limit = null, ?int $amountFrom = null, ?int $amountTo = null): array
    {
        return $this->http->call('GET', '/api/v1/withdraws', query: ['after' => $after, 'status' => $status, 'approval' => $approval, 'from' => $from, 'to' => $to, 'pixKey' => $pixKey, 'limit' => $limit, 'amountFrom' => $amountFrom, 'amountTo' => $amountTo]);
    }

    /**
     * Search the company's withdraws.
     *
     * @param 'text/csv' $media
     * @param string|null $after
     * @param 'Awaiting'|'Processing'|'Paid'|'Failed'|'Cancelled'|'Returned'|null $status
     * @param 'none'|'pending'|'approved'|'refused'|null $approval
     * @param string|null $from
     * @param string|null $to
     * @param string|null $pixKey
     * @param int|null $limit
     * @param int|null $amountFrom
     * @param int|null $amountTo
     * @return string the file's bytes
     */
    public function searchWithdrawsFile(string $media, ?string $after = null, ?string $status = null, ?string $approval = null, ?string $from = null, ?string $to = null, ?string $pixKey = null, ?int $limit = null, ?int $amountFrom = null, ?int $amountTo = null): string
    {
        return $this->http->file('GET', '/api/v1/withdraws', query: ['after' => $after, 'status' => $status, 'approval' => $approval, 'from' => $from, 'to' => $to, 'pixKey' => $pixKey, 'limit' => $limit, 'amountFrom' => $amountFrom, 'amountTo' => $amountTo], media: $media);
    }

    /**
     * Search the company's withdraws by filters in a body.
     *
     * @param SearchWithdrawsInput $body
     * @param string|null $idempotencyKey
     * @return WithdrawSearch
     */
    public function searchWithdrawsByBody(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/withdraws/search', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Search the company's withdraws by filters in a body.
     *
     * @param 'text/csv' $media
     * @param SearchWithdrawsInput $body
     * @param string|null $idempotencyKey
     * @return string the file's bytes
     */
    public function searchWithdrawsByBodyFile(string $media, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): string
    {
        return $this->http->file('POST', '/api/v1/withdraws/search', body: $body, media: $media, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get what an approver should know.
     *
     * @param string $id
     * @return WithdrawApprovalFacts
     */
    public function getWithdrawApproval(string $id): array
    {
        return $this->http->call('GET', '/api/v1/withdraws/' . Http::segment($id) . '/approval');
    }

    /**
     * Approve a withdraw.
     *
     * @param string $id
     * @param WithdrawDecision $body
     * @param string|null $idempotencyKey
     * @return DecidedWithdraw
     */
    public function approveWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/withdraws/' . Http::segment($id) . '/approve', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Refuse a withdraw.
     *
     * @param string $id
     * @param WithdrawDecision $body
     * @param string|null $idempotencyKey
     * @return DecidedWithdraw
     */
    public function refuseWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/withdraws/' . Http::segment($id) . '/refuse', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List payments that no charge expected as they came.
     *
     * @param 'kept'|'crediting'|'credited'|'returning'|'returned'|null $status
     * @param 'SECOND_PAYMENT'|'LATE'|'NO_CHARGE'|'WRONG_AMOUNT'|null $reason
     * @param string|null $after
     * @param int|null $limit
     * @return UnexpectedPayments
     */
    public function listUnexpectedPayments(?string $status = null, ?string $reason = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/payments/unexpected', query: ['status' => $status, 'reason' => $reason, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Show a payment that no charge expected.
     *
     * @param string $id
     * @return UnexpectedPaymentEnvelope
     */
    public function getUnexpectedPayment(string $id): array
    {
        return $this->http->call('GET', '/api/v1/payments/unexpected/' . Http::segment($id));
    }

    /**
     * Return an unexpected payment to its payer.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return UnexpectedPaymentEnvelope
     */
    public function returnUnexpectedPayment(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/payments/unexpected/' . Http::segment($id) . '/return', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Credit an unexpected payment.
     *
     * @param string $id
     * @param CreditPayment $body
     * @param string|null $idempotencyKey
     * @return UnexpectedPaymentEnvelope
     */
    public function creditUnexpectedPayment(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/payments/unexpected/' . Http::segment($id) . '/credit', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List refunds and returns that wait for an approval.
     *
     * @param 'pending' $approval
     * @param string|null $after
     * @param int|null $limit
     * @return RequestedRefunds
     */
    public function listWaitingRefunds(string $approval, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/refunds', query: ['approval' => $approval, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Approve a refund or return.
     *
     * @param string $id
     * @param RefundDecision $body
     * @param string|null $idempotencyKey
     * @return RequestedRefundEnvelope
     */
    public function approveRefund(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/refunds/' . Http::segment($id) . '/approve', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Refuse a refund or return.
     *
     * @param string $id
     * @param RefundDecision $body
     * @param string|null $idempotencyKey
     * @return RequestedRefundEnvelope
     */
    public function refuseRefund(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/refunds/' . Http::segment($id) . '/refuse', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Find a payment that arrived.
     *
     * @param string|null $endToEndId
     * @param int|null $amount
     * @param string|null $at
     * @return ReceivedPayments
     */
    public function searchReceivedPayments(?string $endToEndId = null, ?int $amount = null, ?string $at = null): array
    {
        return $this->http->call('GET', '/api/v1/payments/received', query: ['endToEndId' => $endToEndId, 'amount' => $amount, 'at' => $at]);
    }

    /**
     * Get the company's balance.
     *
     * @param int $companyId
     * @param string $currency
     * @return Balance
     */
    public function getBalance(int $companyId, string $currency): array
    {
        return $this->http->call('GET', '/api/Balance/balance/' . Http::segment((string) $companyId), query: ['currency' => $currency]);
    }

    /**
     * Get the balance in centavos.
     *
     * @param string|null $currency
     * @return OwnBalance
     */
    public function getOwnBalance(?string $currency = null): array
    {
        return $this->http->call('GET', '/api/v1/balance', query: ['currency' => $currency]);
    }

    /**
     * Forecast when credits become available.
     *
     * @param int $companyId
     * @param string $currency
     * @return Forecast
     */
    public function getForecast(int $companyId, string $currency): array
    {
        return $this->http->call('GET', '/api/Balance/forecast/' . Http::segment((string) $companyId), query: ['currency' => $currency]);
    }

    /**
     * List the company's postings.
     *
     * @param int $companyId
     * @param string $currency
     * @param string|null $from
     * @param string|null $to
     * @param string|null $after
     * @param int|null $limit
     * @param 'company'|'all'|null $accounts
     * @return Statement
     */
    public function getStatement(int $companyId, string $currency, ?string $from = null, ?string $to = null, ?string $after = null, ?int $limit = null, ?string $accounts = null): array
    {
        return $this->http->call('GET', '/api/Balance/statement/' . Http::segment((string) $companyId), query: ['currency' => $currency, 'from' => $from, 'to' => $to, 'after' => $after, 'limit' => $limit, 'accounts' => $accounts]);
    }

    /**
     * List the company's postings.
     *
     * @param int $companyId
     * @param 'text/csv'|'application/x-ofx' $media
     * @param string $currency
     * @param string|null $from
     * @param string|null $to
     * @param string|null $after
     * @param int|null $limit
     * @param 'company'|'all'|null $accounts
     * @return string the file's bytes
     */
    public function getStatementFile(int $companyId, string $media, string $currency, ?string $from = null, ?string $to = null, ?string $after = null, ?int $limit = null, ?string $accounts = null): string
    {
        return $this->http->file('GET', '/api/Balance/statement/' . Http::segment((string) $companyId), query: ['currency' => $currency, 'from' => $from, 'to' => $to, 'after' => $after, 'limit' => $limit, 'accounts' => $accounts], media: $media);
    }

    /**
     * Check a statement.
     *
     * @param string $content
     * @param 'text/csv' $contentType
     * @param string|null $idempotencyKey
     * @return StatementVerdict
     */
    public function verifyStatement(string $content, string $contentType, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/statement/verify', content: $content, contentType: $contentType, idempotencyKey: $idempotencyKey);
    }

    /**
     * List what happened to the company's money in a month, or on some days.
     *
     * @param string|null $month
     * @param string|null $from
     * @param string|null $to
     * @param int|null $hour
     * @param 'in'|'out'|'fees'|null $only
     * @param string|null $after
     * @param int|null $limit
     * @return StatementEntries
     */
    public function getStatementEntries(?string $month = null, ?string $from = null, ?string $to = null, ?int $hour = null, ?string $only = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/statement/entries', query: ['month' => $month, 'from' => $from, 'to' => $to, 'hour' => $hour, 'only' => $only, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * List what happened to the company's money in a month, or on some days.
     *
     * @param 'text/csv'|'application/x-ofx'|'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' $media
     * @param string|null $month
     * @param string|null $from
     * @param string|null $to
     * @param int|null $hour
     * @param 'in'|'out'|'fees'|null $only
     * @param string|null $after
     * @param int|null $limit
     * @return string the file's bytes
     */
    public function getStatementEntriesFile(string $media, ?string $month = null, ?string $from = null, ?string $to = null, ?int $hour = null, ?string $only = null, ?string $after = null, ?int $limit = null): string
    {
        return $this->http->file('GET', '/api/v1/statement/entries', query: ['month' => $month, 'from' => $from, 'to' => $to, 'hour' => $hour, 'only' => $only, 'after' => $after, 'limit' => $limit], media: $media);
    }

    /**
     * List the credits that become available on a day.
     *
     * @param string $day
     * @param string|null $after
     * @param int|null $limit
     * @return PendingReleases
     */
    public function listReleases(string $day, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/releases', query: ['day' => $day, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Get the accountant's month.
     *
     * @param 'application/zip' $media
     * @param string|null $month
     * @return string the file's bytes
     */
    public function getStatementArchive(string $media, ?string $month = null): string
    {
        return $this->http->file('GET', '/api/v1/statement/archive', query: ['month' => $month], media: $media);
    }

    /**
     * Rehearse the cash of the next days.
     *
     * @param int|null $days
     * @return Rehearsal
     */
    public function getRehearsal(?int $days = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/rehearsal', query: ['days' => $days]);
    }

    /**
     * Rehearse the cash of the next days.
     *
     * @param 'text/csv' $media
     * @param int|null $days
     * @return string the file's bytes
     */
    public function getRehearsalFile(string $media, ?int $days = null): string
    {
        return $this->http->file('GET', '/api/v1/reports/rehearsal', query: ['days' => $days], media: $media);
    }

    /**
     * Compare the fees that banks took with the agreed ones.
     *
     * @param string|null $from
     * @param string|null $to
     * @return FeeReport
     */
    public function getFeeReport(?string $from = null, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/fees', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * Compare the fees that banks took with the agreed ones.
     *
     * @param 'text/csv' $media
     * @param string|null $from
     * @param string|null $to
     * @return string the file's bytes
     */
    public function getFeeReportFile(string $media, ?string $from = null, ?string $to = null): string
    {
        return $this->http->file('GET', '/api/v1/reports/fees', query: ['from' => $from, 'to' => $to], media: $media);
    }

    /**
     * List the settlements that differ.
     *
     * @param string|null $from
     * @param string|null $to
     * @param string|null $after
     * @param int|null $limit
     * @return FeeDifferences
     */
    public function listFeeDifferences(?string $from = null, ?string $to = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/fees/differences', query: ['from' => $from, 'to' => $to, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Sum the payments, fees and refunds of each day.
     *
     * @param string|null $from
     * @param string|null $to
     * @return DailyReports
     */
    public function getDailyReport(?string $from = null, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/daily', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * Show the created and paid charges of each day.
     *
     * @param string|null $from
     * @param string|null $to
     * @return ConversionReport
     */
    public function getConversionReport(?string $from = null, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/conversion', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * Compare your own list with the transactions.
     *
     * @param ReconcileLines $body
     * @param string|null $idempotencyKey
     * @return ReconcileResult
     */
    public function reconcileTransactions(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/reconcile', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get a transaction's status.
     *
     * @param string $id
     * @return CheckoutStatus
     */
    public function getCheckoutStatus(string $id): array
    {
        return $this->http->call('GET', '/api/checkout/status/' . Http::segment($id));
    }

    /**
     * Make a payment link.
     *
     * @param CreatePaymentLinkInput $body
     * @param string|null $idempotencyKey
     * @return PaymentLinkEnvelope
     */
    public function createPaymentLink(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/payment-links', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's payment links.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return PaymentLinks
     */
    public function listPaymentLinks(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/payment-links', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Show a payment link.
     *
     * @param string $id
     * @return PaymentLinkEnvelope
     */
    public function getPaymentLink(string $id): array
    {
        return $this->http->call('GET', '/api/v1/payment-links/' . Http::segment($id));
    }

    /**
     * Change a payment link.
     *
     * @param string $id
     * @param UpdatePaymentLinkInput $body
     * @return PaymentLinkEnvelope
     */
    public function changePaymentLink(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/payment-links/' . Http::segment($id), body: $body);
    }

    /**
     * Get the QR code of a payment link.
     *
     * @param string $id
     * @param 'image/svg+xml'|'image/png' $media
     * @param 'svg'|'png'|null $format
     * @return string the file's bytes
     */
    public function getPaymentLinkQr(string $id, string $media, ?string $format = null): string
    {
        return $this->http->file('GET', '/api/v1/payment-links/' . Http::segment($id) . '/qr', query: ['format' => $format], media: $media);
    }

    /**
     * Make a subscription (Pix Automático).
     *
     * @param CreateSubscriptionInput $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function createSubscription(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's subscriptions.
     *
     * @param 'pending_approval'|'active'|'past_due'|'paused'|'cancelled'|'rejected'|'expired'|'completed'|null $status
     * @param string|null $after
     * @param int|null $limit
     * @return Subscriptions
     */
    public function listSubscriptions(?string $status = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/subscriptions', query: ['status' => $status, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Show a subscription.
     *
     * @param string $id
     * @return SubscriptionEnvelope
     */
    public function getSubscription(string $id): array
    {
        return $this->http->call('GET', '/api/v1/subscriptions/' . Http::segment($id));
    }

    /**
     * Change what the next cycles are debited, and how unpaid ones are dunned.
     *
     * @param string $id
     * @param ChangeSubscriptionInput $body
     * @return SubscriptionEnvelope
     */
    public function changeSubscription(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/subscriptions/' . Http::segment($id), body: $body);
    }

    /**
     * Cancel a subscription.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function cancelSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/cancel', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Pause a subscription.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function pauseSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/pause', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Resume a paused subscription.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function resumeSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/resume', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the charges of a subscription.
     *
     * @param string $id
     * @param string|null $after
     * @param int|null $limit
     * @return SubscriptionCharges
     */
    public function listSubscriptionCharges(string $id, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/subscriptions/' . Http::segment($id) . '/charges', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Open the next cycle's charge before its time.
     *
     * @param string $id
     * @param OpenSubscriptionChargeInput $body
     * @param string|null $idempotencyKey
     * @return SubscriptionChargeEnvelope
     */
    public function openSubscriptionCharge(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/charges', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Repeat a failed debit on another day.
     *
     * @param string $id
     * @param string $transactionId
     * @param RetrySubscriptionChargeInput $body
     * @param string|null $idempotencyKey
     * @return SubscriptionChargeEnvelope
     */
    public function repeatSubscriptionCharge(string $id, string $transactionId, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/charges/' . Http::segment($transactionId) . '/retry', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Have the payer pay one cycle by hand.
     *
     * @param string $id
     * @param string $transactionId
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionChargeEnvelope
     */
    public function paySubscriptionChargeByHand(string $id, string $transactionId, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/charges/' . Http::segment($transactionId) . '/by-hand', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Cancel the debit of one cycle.
     *
     * @param string $id
     * @param string $transactionId
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionChargeEnvelope
     */
    public function cancelSubscriptionCharge(string $id, string $transactionId, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/subscriptions/' . Http::segment($id) . '/charges/' . Http::segment($transactionId) . '/cancel', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Sum the debits that failed and what of them was recovered.
     *
     * @param string|null $from
     * @param string|null $to
     * @return SubscriptionRecoveryReport
     */
    public function getSubscriptionRecovery(?string $from = null, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/subscriptions', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * Backtest a retry policy on the company's own debits.
     *
     * @param string $retry
     * @return SubscriptionRetryBacktest
     */
    public function backtestSubscriptionRetries(string $retry): array
    {
        return $this->http->call('GET', '/api/v1/reports/subscriptions/backtest', query: ['retry' => $retry]);
    }

    /**
     * See what will be debited.
     *
     * @param int|null $days
     * @return DebitOutlook
     */
    public function getDebitOutlook(?int $days = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/subscriptions/upcoming', query: ['days' => $days]);
    }

    /**
     * Compare the banks of your payers.
     *
     * @param string|null $from
     * @param string|null $to
     * @return PayerBanks
     */
    public function getPayerBankReport(?string $from = null, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/reports/subscriptions/banks', query: ['from' => $from, 'to' => $to]);
    }

    /**
     * List a payer's saved cards.
     *
     * @param string $customer
     * @return SavedCards
     */
    public function listSavedCards(string $customer): array
    {
        return $this->http->call('GET', '/api/v1/cards', query: ['customer' => $customer]);
    }

    /**
     * Delete a saved card.
     *
     * @param string $id
     * @return OneSavedCard
     */
    public function deleteSavedCard(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/cards/' . Http::segment($id));
    }

    /**
     * Make a token of a card.
     *
     * @param CardTokenRequest $body
     * @param string|null $idempotencyKey
     * @return CardToken
     */
    public function createCardToken(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/cards/tokens', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * See what a PIX code pays.
     *
     * @param string $code
     * @return PixCodeVerdict
     */
    public function decodePixCode(string $code): array
    {
        return $this->http->call('GET', '/api/v1/pix/decode', query: ['code' => $code]);
    }

    /**
     * See whether banks work on a day, and why a debit is on it.
     *
     * @param string $date
     * @param string|null $city
     * @return CalendarDay
     */
    public function getCalendarDay(string $date, ?string $city = null): array
    {
        return $this->http->call('GET', '/api/v1/calendar', query: ['date' => $date, 'city' => $city]);
    }

    /**
     * Make a static PIX code.
     *
     * @param CreateStaticCodeInput $body
     * @param string|null $idempotencyKey
     * @return StaticCodeEnvelope
     */
    public function createStaticCode(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/pix/static-codes', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's static PIX codes.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return StaticCodes
     */
    public function listStaticCodes(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/pix/static-codes', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Show a static PIX code.
     *
     * @param string $id
     * @return StaticCodeEnvelope
     */
    public function getStaticCode(string $id): array
    {
        return $this->http->call('GET', '/api/v1/pix/static-codes/' . Http::segment($id));
    }

    /**
     * Delete a static PIX code.
     *
     * @param string $id
     * @return StaticCodeEnvelope
     */
    public function deleteStaticCode(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/pix/static-codes/' . Http::segment($id));
    }

    /**
     * See what a boleto's line or barcode asks for.
     *
     * @param string $code
     * @return BoletoVerdict
     */
    public function decodeBoleto(string $code): array
    {
        return $this->http->call('GET', '/api/v1/boletos/decode', query: ['code' => $code]);
    }

    /**
     * List the company's disputes.
     *
     * @param 'open'|'won'|'lost'|null $status
     * @param string|null $after
     * @param int|null $limit
     * @return Disputes
     */
    public function listDisputes(?string $status = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/disputes', query: ['status' => $status, 'after' => $after, 'limit' => $limit]);
    }

    /**
     * Get a dispute.
     *
     * @param string $id
     * @return DisputeEnvelope
     */
    public function getDispute(string $id): array
    {
        return $this->http->call('GET', '/api/v1/disputes/' . Http::segment($id));
    }

    /**
     * Submit evidence against a dispute.
     *
     * @param string $id
     * @param SubmitEvidence $body
     * @param string|null $idempotencyKey
     * @return DisputeEnvelope
     */
    public function submitDisputeEvidence(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/disputes/' . Http::segment($id) . '/evidence', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Add a file to the evidence against a dispute.
     *
     * @param string $id
     * @param string $content
     * @param 'application/pdf'|'image/jpeg'|'image/png' $contentType
     * @param string $name
     * @param string|null $idempotencyKey
     * @return DisputeEnvelope
     */
    public function addDisputeFile(string $id, string $content, string $contentType, string $name, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/disputes/' . Http::segment($id) . '/evidence/files', query: ['name' => $name], content: $content, contentType: $contentType, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get a file of the evidence against a dispute.
     *
     * @param string $id
     * @param string $fileId
     * @param 'application/pdf'|'image/jpeg'|'image/png' $media
     * @return string the file's bytes
     */
    public function getDisputeFile(string $id, string $fileId, string $media): string
    {
        return $this->http->file('GET', '/api/v1/disputes/' . Http::segment($id) . '/evidence/files/' . Http::segment($fileId), media: $media);
    }

    /**
     * Remove a file from the evidence against a dispute.
     *
     * @param string $id
     * @param string $fileId
     * @return DisputeEnvelope
     */
    public function deleteDisputeFile(string $id, string $fileId): array
    {
        return $this->http->call('DELETE', '/api/v1/disputes/' . Http::segment($id) . '/evidence/files/' . Http::segment($fileId));
    }

    /**
     * Get all that is known of a dispute, signed.
     *
     * @param string $id
     * @return Dossier
     */
    public function getDisputeDossier(string $id): array
    {
        return $this->http->call('GET', '/api/v1/disputes/' . Http::segment($id) . '/dossier');
    }

    /**
     * Get all that is known of a dispute, signed.
     *
     * @param string $id
     * @param 'application/pdf' $media
     * @return string the file's bytes
     */
    public function getDisputeDossierFile(string $id, string $media): string
    {
        return $this->http->file('GET', '/api/v1/disputes/' . Http::segment($id) . '/dossier', media: $media);
    }

    /**
     * Send the dossier to the bank.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return DisputeEnvelope
     */
    public function sendDisputeResponse(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/disputes/' . Http::segment($id) . '/response', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get the company's webhook URL and failing hosts.
     *
     * @return WebhookEndpoint
     */
    public function getWebhookEndpoint(): array
    {
        return $this->http->call('GET', '/api/v1/webhooks/endpoint');
    }

    /**
     * Set the company's webhook URL.
     *
     * @param SetWebhookEndpointInput $body
     * @return WebhookEndpoint
     */
    public function setWebhookEndpoint(#[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PUT', '/api/v1/webhooks/endpoint', body: $body);
    }

    /**
     * List the company's webhook endpoints.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return WebhookEndpoints
     */
    public function listWebhookEndpoints(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/webhooks/endpoints', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Add a webhook endpoint.
     *
     * @param CreateWebhookEndpointInput $body
     * @param string|null $idempotencyKey
     * @return MadeWebhookEndpointEnvelope
     */
    public function createWebhookEndpoint(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/endpoints', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Change a webhook endpoint.
     *
     * @param string $id
     * @param ChangeWebhookEndpointInput $body
     * @return WebhookEndpointEnvelope
     */
    public function changeWebhookEndpoint(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/webhooks/endpoints/' . Http::segment($id), body: $body);
    }

    /**
     * Delete a webhook endpoint.
     *
     * @param string $id
     * @return WebhookEndpointEnvelope
     */
    public function deleteWebhookEndpoint(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/webhooks/endpoints/' . Http::segment($id));
    }

    /**
     * Rotate an endpoint's secret.
     *
     * @param string $id
     * @param RotateWebhookSecretInput $body
     * @param string|null $idempotencyKey
     * @return RotatedWebhookEndpointEnvelope
     */
    public function rotateWebhookEndpointSecret(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/endpoints/' . Http::segment($id) . '/rotate-secret', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the public keys of a company's webhooks.
     *
     * @param int $company
     * @return WebhookKeys
     */
    public function listWebhookKeys(int $company): array
    {
        return $this->http->call('GET', '/.well-known/webhook-keys.json', query: ['company' => $company]);
    }

    /**
     * Rotate the webhook secret.
     *
     * @param RotateWebhookSecretInput $body
     * @param string|null $idempotencyKey
     * @return RotatedWebhookSecret
     */
    public function rotateWebhookSecret(#[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/secret/rotate', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * End the earlier webhook secrets at once.
     *
     * @return EndedWebhookSecrets
     */
    public function endPreviousWebhookSecrets(): array
    {
        return $this->http->call('DELETE', '/api/v1/webhooks/secret/previous');
    }

    /**
     * Find out why a webhook does not verify.
     *
     * @param ReceivedWebhook $body
     * @param string|null $idempotencyKey
     * @return WebhookDiagnosis
     */
    public function verifyWebhook(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/verify', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's webhook deliveries.
     *
     * @param string|null $after
     * @param int|null $limit
     * @param 'pending'|'delivered'|'superseded'|'stopped'|'exhausted'|null $status
     * @return Deliveries
     */
    public function listWebhookDeliveries(?string $after = null, ?int $limit = null, ?string $status = null): array
    {
        return $this->http->call('GET', '/api/v1/webhooks/deliveries', query: ['after' => $after, 'limit' => $limit, 'status' => $status]);
    }

    /**
     * Resend a webhook.
     *
     * @param string $id
     * @param string|null $idempotencyKey
     * @return Delivery
     */
    public function resendWebhook(string $id, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/deliveries/' . Http::segment($id) . '/resend', idempotencyKey: $idempotencyKey);
    }

    /**
     * Resend the webhooks of a time range.
     *
     * @param ResendWebhooksInput $body
     * @param string|null $idempotencyKey
     * @return Deliveries
     */
    public function resendWebhooks(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/deliveries/resend', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Test a webhook URL.
     *
     * @param TestWebhookInput $body
     * @param string|null $idempotencyKey
     * @return EventDetail
     */
    public function testWebhook(#[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/webhooks/test', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Read the company's events in order.
     *
     * @param string|null $after
     * @param int|null $limit
     * @param 'oldest'|'newest'|null $order
     * @param 'transaction.authorized'|'transaction.paid'|'transaction.refused'|'transaction.failed'|'transaction.cancelled'|'transaction.refunded'|'transaction.partially_refunded'|'transaction.disputed'|'transaction.chargeback_reversed'|'withdraw.awaiting_approval'|'withdraw.approved'|'withdraw.refused'|'withdraw.processing'|'withdraw.paid'|'withdraw.failed'|'withdraw.cancelled'|'withdraw.partially_returned'|'withdraw.returned'|'dispute.opened'|'dispute.won'|'dispute.lost'|'payment.unexpected'|'payment.credited'|'payment.returned'|'payment.return_failed'|'payment_link.paid'|'payment_link.exhausted'|'subscription.created'|'subscription.approved'|'subscription.rejected'|'subscription.past_due'|'subscription.paused'|'subscription.resumed'|'subscription.cancelled'|'subscription.expired'|'subscription.completed'|'subscription.charge_scheduled'|'subscription.charge_attempt_failed'|'subscription.charge_failed'|'company.frozen'|'company.unfrozen'|'company.settings_changing'|'balance.released'|'ledger.anchored'|'webhook.test'|null $type
     * @return Events
     */
    public function listEvents(?string $after = null, ?int $limit = null, ?string $order = null, ?string $type = null): array
    {
        return $this->http->call('GET', '/api/v1/events', query: ['after' => $after, 'limit' => $limit, 'order' => $order, 'type' => $type]);
    }

    /**
     * Get an event, its deliveries and each attempt.
     *
     * @param string $id
     * @return EventDetail
     */
    public function getEvent(string $id): array
    {
        return $this->http->call('GET', '/api/v1/events/' . Http::segment($id));
    }

    /**
     * Show the company's fees and release days.
     *
     * @return OwnTerms
     */
    public function getOwnTerms(): array
    {
        return $this->http->call('GET', '/api/v1/company/terms');
    }

    /**
     * Show the terms of a sandbox company.
     *
     * @return CompanyTerms
     */
    public function getSandboxTerms(): array
    {
        return $this->http->call('GET', '/api/v1/sandbox/settings');
    }

    /**
     * Change the terms of a sandbox company, as its operator would.
     *
     * @param ChangeCompanyTermsInput $body
     * @return CompanyTerms
     */
    public function changeSandboxTerms(#[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PUT', '/api/v1/sandbox/settings', body: $body);
    }

    /**
     * Show the company's accounts at PSPs, and when their access ends.
     *
     * @return CompanyProviders
     */
    public function listCompanyProviders(): array
    {
        return $this->http->call('GET', '/api/v1/company/providers');
    }

    /**
     * Show the company's settings.
     *
     * @return CompanySettings
     */
    public function getCompanySettings(): array
    {
        return $this->http->call('GET', '/api/v1/company/settings');
    }

    /**
     * Change the company's settings.
     *
     * @param ChangeCompanySettingsInput $body
     * @return CompanySettings
     */
    public function changeCompanySettings(#[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PUT', '/api/v1/company/settings', body: $body);
    }

    /**
     * Refuse a loosened setting that waits.
     *
     * @param string $field
     * @return CompanySettings
     */
    public function refusePendingSetting(string $field): array
    {
        return $this->http->call('DELETE', '/api/v1/company/settings/pending/' . Http::segment($field));
    }

    /**
     * List the company's applications.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return Applications
     */
    public function listApplications(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/applications', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Make an application.
     *
     * @param CreateApplicationInput $body
     * @param string|null $idempotencyKey
     * @return ApplicationEnvelope
     */
    public function createApplication(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/applications', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Delete an application and its keys.
     *
     * @param string $id
     * @return ApplicationEnvelope
     */
    public function deleteApplication(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/applications/' . Http::segment($id));
    }

    /**
     * Change an application.
     *
     * @param string $id
     * @param ChangeApplicationInput $body
     * @return ApplicationEnvelope
     */
    public function changeApplication(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/applications/' . Http::segment($id), body: $body);
    }

    /**
     * Refuse a loosened limit that waits.
     *
     * @param string $id
     * @param string $field
     * @return ApplicationEnvelope
     */
    public function refusePendingLimit(string $id, string $field): array
    {
        return $this->http->call('DELETE', '/api/v1/applications/' . Http::segment($id) . '/pending/' . Http::segment($field));
    }

    /**
     * List the API keys of an application.
     *
     * @param string $id
     * @param string|null $after
     * @param int|null $limit
     * @return ApiKeys
     */
    public function listApplicationKeys(string $id, ?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/applications/' . Http::segment($id) . '/keys', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Issue an API key of an application.
     *
     * @param string $id
     * @param IssueKey $body
     * @param string|null $idempotencyKey
     * @return IssuedApiKeyEnvelope
     */
    public function issueApplicationKey(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/applications/' . Http::segment($id) . '/keys', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Revoke an API key of an application.
     *
     * @param string $id
     * @param int $keyId
     * @return ApiKeyEnvelope
     */
    public function revokeApplicationKey(string $id, int $keyId): array
    {
        return $this->http->call('DELETE', '/api/v1/applications/' . Http::segment($id) . '/keys/' . Http::segment((string) $keyId));
    }

    /**
     * Tell whose credentials these are.
     *
     * @return Me
     */
    public function getMe(): array
    {
        return $this->http->call('GET', '/api/v1/me');
    }

    /**
     * List the newest requests that changed something.
     *
     * @param int|null $limit
     * @return RequestLogs
     */
    public function listRequests(?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/requests', query: ['limit' => $limit]);
    }

    /**
     * Find what a request did by its trace id.
     *
     * @param string $traceId
     * @param string|null $to
     * @return RequestLog
     */
    public function getRequest(string $traceId, ?string $to = null): array
    {
        return $this->http->call('GET', '/api/v1/requests/' . Http::segment($traceId), query: ['to' => $to]);
    }

    /**
     * List the company's people and open invitations.
     *
     * @return People
     */
    public function listPeople(): array
    {
        return $this->http->call('GET', '/api/v1/people');
    }

    /**
     * Invite a person.
     *
     * @param InvitePersonInput $body
     * @param string|null $idempotencyKey
     * @return MadeInvitation
     */
    public function invitePerson(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/people/invitations', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Revoke an open invitation.
     *
     * @param string $id
     * @return OneInvitation
     */
    public function revokeInvitation(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/people/invitations/' . Http::segment($id));
    }

    /**
     * Change a person's role.
     *
     * @param string $id
     * @param ChangePersonInput $body
     * @return OneMember
     */
    public function changePerson(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/people/' . Http::segment($id), body: $body);
    }

    /**
     * Remove a person from the company.
     *
     * @param string $id
     * @return OneMember
     */
    public function deletePerson(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/people/' . Http::segment($id));
    }

    /**
     * List your saved views of payments.
     *
     * @return SavedViews
     */
    public function listSavedViews(): array
    {
        return $this->http->call('GET', '/api/v1/saved-views');
    }

    /**
     * Give filters of payments a name.
     *
     * @param SaveView $body
     * @param string|null $idempotencyKey
     * @return OneSavedView
     */
    public function createSavedView(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/saved-views', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Rename a saved view.
     *
     * @param string $id
     * @param RenameView $body
     * @return OneSavedView
     */
    public function renameSavedView(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PATCH', '/api/v1/saved-views/' . Http::segment($id), body: $body);
    }

    /**
     * Delete a saved view.
     *
     * @param string $id
     * @return OneSavedView
     */
    public function deleteSavedView(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/saved-views/' . Http::segment($id));
    }

    /**
     * List the PIX keys to which withdraws are allowed.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return AllowedPixKeys
     */
    public function listAllowedPixKeys(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/company/pix-keys', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Allow withdraws to a PIX key.
     *
     * @param AddPixKey $body
     * @param string|null $idempotencyKey
     * @return AddedPixKey
     */
    public function allowPixKey(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/company/pix-keys', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Take a PIX key from the list.
     *
     * @param string $id
     * @return RemovedPixKey
     */
    public function deleteAllowedPixKey(string $id): array
    {
        return $this->http->call('DELETE', '/api/v1/company/pix-keys/' . Http::segment($id));
    }

    /**
     * Show what a withdraw policy would have stopped in the last 90 days.
     *
     * @param WithdrawPolicyBacktest $body
     * @param string|null $idempotencyKey
     * @return WithdrawPolicyBacktestResult
     */
    public function backtestWithdrawPolicy(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/company/withdraw-policy/backtest', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * List the company's audit trail.
     *
     * @param string|null $after
     * @param int|null $limit
     * @param string|null $actor
     * @param string|null $action
     * @param string|null $target
     * @param string|null $from
     * @param string|null $to
     * @param 'oldest'|'newest'|null $order
     * @return AuditTrail
     */
    public function listAuditEntries(?string $after = null, ?int $limit = null, ?string $actor = null, ?string $action = null, ?string $target = null, ?string $from = null, ?string $to = null, ?string $order = null): array
    {
        return $this->http->call('GET', '/api/v1/audit', query: ['after' => $after, 'limit' => $limit, 'actor' => $actor, 'action' => $action, 'target' => $target, 'from' => $from, 'to' => $to, 'order' => $order]);
    }

    /**
     * List payers with what they paid and owe.
     *
     * @param string|null $after
     * @param int|null $limit
     * @return Payers
     */
    public function listPayers(?string $after = null, ?int $limit = null): array
    {
        return $this->http->call('GET', '/api/v1/payers', query: ['after' => $after, 'limit' => $limit]);
    }

    /**
     * Export what is stored of a payer.
     *
     * @param ExportPayerInput $body
     * @param string|null $idempotencyKey
     * @return PayerExport
     */
    public function exportPayer(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/payers/export', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Erase a payer's data.
     *
     * @param ErasePayerInput $body
     * @param string|null $idempotencyKey
     * @return PayerErasure
     */
    public function erasePayer(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/payers/erase', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Get the receipt of a paid transaction.
     *
     * @param string $id
     * @return PaymentReceipt
     */
    public function getTransactionReceipt(string $id): array
    {
        return $this->http->call('GET', '/api/v1/transactions/' . Http::segment($id) . '/receipt');
    }

    /**
     * Get the receipt of a paid transaction.
     *
     * @param string $id
     * @param 'application/pdf' $media
     * @return string the file's bytes
     */
    public function getTransactionReceiptFile(string $id, string $media): string
    {
        return $this->http->file('GET', '/api/v1/transactions/' . Http::segment($id) . '/receipt', media: $media);
    }

    /**
     * Get the receipt of a paid withdraw.
     *
     * @param string $id
     * @return WithdrawReceipt
     */
    public function getWithdrawReceipt(string $id): array
    {
        return $this->http->call('GET', '/api/v1/withdraws/' . Http::segment($id) . '/receipt');
    }

    /**
     * Get the receipt of a paid withdraw.
     *
     * @param string $id
     * @param 'application/pdf' $media
     * @return string the file's bytes
     */
    public function getWithdrawReceiptFile(string $id, string $media): string
    {
        return $this->http->file('GET', '/api/v1/withdraws/' . Http::segment($id) . '/receipt', media: $media);
    }

    /**
     * Check whether a receipt is genuine.
     *
     * @param ReceiptToVerify $body
     * @param string|null $idempotencyKey
     * @return ReceiptVerdict
     */
    public function verifyReceipt(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/receipts/verify', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer: pay a static PIX code.
     *
     * @param string $id
     * @param SandboxPayStaticCode $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function payStaticCode(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/pix/static-codes/' . Http::segment($id) . '/pay', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer: approve a subscription.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function approveSandboxSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/subscriptions/' . Http::segment($id) . '/approve', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer: refuse a subscription.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function refuseSandboxSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/subscriptions/' . Http::segment($id) . '/reject', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer: cancel a subscription in the bank's app.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return SubscriptionEnvelope
     */
    public function cancelSandboxSubscription(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/subscriptions/' . Http::segment($id) . '/payer-cancel', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer's bank: what becomes of the next attempt to debit.
     *
     * @param string $id
     * @param SandboxAttempt $body
     * @param string|null $idempotencyKey
     * @return SubscriptionChargeEnvelope
     */
    public function decideSandboxAttempt(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/attempt', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Show the company's time.
     *
     * @return CompanyClock
     */
    public function getSandboxClock(): array
    {
        return $this->http->call('GET', '/api/v1/sandbox/clock');
    }

    /**
     * Move the company's time forward, and live what becomes due.
     *
     * @param MoveClock $body
     * @param string|null $idempotencyKey
     * @return MovedClock
     */
    public function moveSandboxClock(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/clock', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer: pay a transaction.
     *
     * @param string $id
     * @param SandboxPay $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function paySandboxTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/pay', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play a payer who pays without a charge.
     *
     * @param SandboxPayment $body
     * @param string|null $idempotencyKey
     * @return SandboxPaid
     */
    public function createSandboxPayment(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/payments', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the bank: the charge fails.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function failSandboxTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/fail', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the clock: the charge expires.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function expireSandboxTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/expire', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer's bank: it disputes the payment (PIX: MED).
     *
     * @param string $id
     * @param SandboxDispute $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function disputeSandboxTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/dispute', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer's bank: it decides the dispute.
     *
     * @param string $id
     * @param SandboxResolveDispute $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function resolveSandboxDispute(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/dispute/resolve', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer's bank: it takes the payment back.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function chargeBackSandboxTransaction(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/chargeback', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the payer's bank: it gives a chargeback back.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return TransactionEnvelope
     */
    public function reverseSandboxChargeback(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/transactions/' . Http::segment($id) . '/chargeback/reverse', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the receiving bank: it has the money.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return Withdraw
     */
    public function paySandboxWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/withdraws/' . Http::segment($id) . '/pay', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the receiving bank: it refuses the money.
     *
     * @param string $id
     * @param NoFields $body
     * @param string|null $idempotencyKey
     * @return Withdraw
     */
    public function failSandboxWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/withdraws/' . Http::segment($id) . '/fail', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Play the receiving bank: it sends a withdraw back, or a part of it.
     *
     * @param string $id
     * @param SandboxReturn $body
     * @param string|null $idempotencyKey
     * @return Withdraw
     */
    public function returnSandboxWithdraw(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->http->call('POST', '/api/v1/sandbox/withdraws/' . Http::segment($id) . '/return', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Show how hostile the company's webhooks are.
     *
     * @return WebhookChaos
     */
    public function getWebhookChaos(): array
    {
        return $this->http->call('GET', '/api/v1/sandbox/webhooks/chaos');
    }

    /**
     * Have the company's webhooks delivered with hostility.
     *
     * @param WebhookChaos $body
     * @return WebhookChaos
     */
    public function setWebhookChaos(#[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PUT', '/api/v1/sandbox/webhooks/chaos', body: $body);
    }

    /**
     * Show what goes wrong at the company's bank and receiver.
     *
     * @return SandboxFaults
     */
    public function getSandboxFaults(): array
    {
        return $this->http->call('GET', '/api/v1/sandbox/faults');
    }

    /**
     * Have the company's bank or receiver fail, by its clock.
     *
     * @param SandboxFaultsInput $body
     * @return SandboxFaults
     */
    public function setSandboxFaults(#[\SensitiveParameter] array $body): array
    {
        return $this->http->call('PUT', '/api/v1/sandbox/faults', body: $body);
    }

    /**
     * Show that the service runs, and which version.
     *
     * @return Health
     */
    public function getHealth(): array
    {
        return $this->http->call('GET', '/health');
    }

    /**
     * Check that the service can work.
     *
     * @return Ready
     */
    public function checkReadiness(): array
    {
        return $this->http->call('GET', '/ready');
    }
}

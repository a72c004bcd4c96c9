<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Automatic debits that payers approve at their banks (Pix Automático). Amounts in centavos. A page's `after` asks for
 * the next one.
 *
 * @phpstan-import-type ChangeSubscriptionInput from Generated\Types
 * @phpstan-import-type CreateSubscriptionInput from Generated\Types
 * @phpstan-import-type DebitOutlook from Generated\Types
 * @phpstan-import-type OpenSubscriptionChargeInput from Generated\Types
 * @phpstan-import-type PayerBanks from Generated\Types
 * @phpstan-import-type RetrySubscriptionChargeInput from Generated\Types
 * @phpstan-import-type Subscription from Generated\Types
 * @phpstan-import-type SubscriptionCharge from Generated\Types
 * @phpstan-import-type SubscriptionCharges from Generated\Types
 * @phpstan-import-type SubscriptionRecoveryReport from Generated\Types
 * @phpstan-import-type SubscriptionRetryBacktest from Generated\Types
 * @phpstan-import-type Subscriptions as SubscriptionsPage from Generated\Types
 */
final class Subscriptions
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * @param CreateSubscriptionInput $body
     * @return Subscription
     */
    public function create(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->createSubscription($body, $idempotencyKey)['data'];
    }

    /** @return Subscription */
    public function get(string $id): array
    {
        return $this->operations->getSubscription($id)['data'];
    }

    /**
     * @param 'pending_approval'|'active'|'past_due'|'paused'|'cancelled'|'rejected'|'expired'|'completed'|null $status
     * @return SubscriptionsPage
     */
    public function list(?string $status = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listSubscriptions($status, $after, $limit);
    }

    /**
     * What the next cycles are debited, where the payer approved a minimum.
     *
     * @param ChangeSubscriptionInput $body
     * @return Subscription
     */
    public function change(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->changeSubscription($id, $body)['data'];
    }

    /** @return Subscription */
    public function cancel(string $id): array
    {
        return $this->operations->cancelSubscription($id)['data'];
    }

    /** @return Subscription */
    public function pause(string $id): array
    {
        return $this->operations->pauseSubscription($id)['data'];
    }

    /** @return Subscription */
    public function resume(string $id): array
    {
        return $this->operations->resumeSubscription($id)['data'];
    }

    /**
     * The cycles that were opened, newest first, with each attempt.
     *
     * @return SubscriptionCharges
     */
    public function charges(string $id, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listSubscriptionCharges($id, $after, $limit);
    }

    /**
     * Opens the next cycle before its time, with an amount of its own if it has one.
     *
     * @param OpenSubscriptionChargeInput $body
     * @return SubscriptionCharge
     */
    public function openCharge(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->openSubscriptionCharge($id, $body, $idempotencyKey)['data'];
    }

    /**
     * Tries a failed debit again, on a day that the rules allow.
     *
     * @param RetrySubscriptionChargeInput $body
     * @return SubscriptionCharge
     */
    public function retryCharge(
        string $id,
        string $transactionId,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->operations->repeatSubscriptionCharge($id, $transactionId, $body, $idempotencyKey)['data'];
    }

    /** @return SubscriptionCharge */
    public function cancelCharge(string $id, string $transactionId): array
    {
        return $this->operations->cancelSubscriptionCharge($id, $transactionId)['data'];
    }

    /**
     * Makes the PIX by which the payer pays one cycle himself: `byHand` of the answer.
     *
     * @return SubscriptionCharge
     */
    public function payByHand(string $id, string $transactionId, ?string $idempotencyKey = null): array
    {
        return $this->operations->paySubscriptionChargeByHand($id, $transactionId, [], $idempotencyKey)['data'];
    }

    /**
     * What failed and what of it was recovered, by month.
     *
     * @return SubscriptionRecoveryReport
     */
    public function recovery(?string $from = null, ?string $to = null): array
    {
        return $this->operations->getSubscriptionRecovery($from, $to);
    }

    /**
     * What other days of retries would have recovered, such as `1,3,5`.
     *
     * @return SubscriptionRetryBacktest
     */
    public function backtest(string $retry): array
    {
        return $this->operations->backtestSubscriptionRetries($retry);
    }

    /**
     * What will be debited, by day, from today on.
     *
     * @return DebitOutlook
     */
    public function upcoming(?int $days = null): array
    {
        return $this->operations->getDebitOutlook($days);
    }

    /**
     * What the banks of payers did with mandates and debits.
     *
     * @return PayerBanks
     */
    public function banks(?string $from = null, ?string $to = null): array
    {
        return $this->operations->getPayerBankReport($from, $to);
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Payments that no charge asked for, and all that came.
 *
 * @phpstan-import-type CreditPayment from Generated\Types
 * @phpstan-import-type ReceivedPayments from Generated\Types
 * @phpstan-import-type UnexpectedPayment from Generated\Types
 * @phpstan-import-type UnexpectedPayments from Generated\Types
 */
final class Payments
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * A page of payments without a charge: second, late, of another amount.
     *
     * @param 'kept'|'crediting'|'credited'|'returning'|'returned'|null $status
     * @param 'SECOND_PAYMENT'|'LATE'|'NO_CHARGE'|'WRONG_AMOUNT'|null $reason
     * @return UnexpectedPayments
     */
    public function unexpected(?string $status = null, ?string $reason = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listUnexpectedPayments(status: $status, reason: $reason, after: $after, limit: $limit);
    }

    /** @return UnexpectedPayment */
    public function get(string $id): array
    {
        return $this->operations->getUnexpectedPayment($id)['data'];
    }

    /**
     * Sends one back to its payer.
     *
     * @return UnexpectedPayment
     */
    public function return(string $id, ?string $idempotencyKey = null): array
    {
        return $this->operations->returnUnexpectedPayment($id, idempotencyKey: $idempotencyKey)['data'];
    }

    /**
     * Takes one into the balance.
     *
     * @param CreditPayment $body
     * @return UnexpectedPayment
     */
    public function credit(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->creditUnexpectedPayment($id, $body, idempotencyKey: $idempotencyKey)['data'];
    }

    /**
     * Whether a payment arrived: by its end-to-end id, or by amount and time.
     *
     * @return ReceivedPayments
     */
    public function received(?string $endToEndId = null, ?int $amount = null, ?string $at = null): array
    {
        return $this->operations->searchReceivedPayments(endToEndId: $endToEndId, amount: $amount, at: $at);
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Refunds that wait for somebody else.
 *
 * @phpstan-import-type RefundDecision from Generated\Types
 * @phpstan-import-type RequestedRefund from Generated\Types
 * @phpstan-import-type RequestedRefunds from Generated\Types
 */
final class Refunds
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /** @return RequestedRefunds */
    public function waiting(?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listWaitingRefunds(after: $after, limit: $limit, approval: 'pending');
    }

    /**
     * @param RefundDecision $body
     * @return RequestedRefund
     */
    public function approve(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->approveRefund($id, $body, idempotencyKey: $idempotencyKey)['data'];
    }

    /**
     * @param RefundDecision $body
     * @return RequestedRefund
     */
    public function refuse(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->refuseRefund($id, $body, idempotencyKey: $idempotencyKey)['data'];
    }
}

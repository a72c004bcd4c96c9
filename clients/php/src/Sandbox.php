<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Plays the payers of a sandbox company; a live company is refused.
 *
 * @phpstan-import-type SandboxPay from Generated\Types
 * @phpstan-import-type Transaction from Generated\Types
 */
final class Sandbox
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * Pays a charge: what it asks for, or `amount`.
     *
     * @param SandboxPay $body
     * @return Transaction
     */
    public function pay(string $id, array $body = []): array
    {
        return $this->operations->paySandboxTransaction($id, $body)['data'];
    }
}

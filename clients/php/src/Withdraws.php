<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Payouts of the company's money to a PIX key. `amount` in centavos, `value` in reais as the contract has it.
 *
 * @phpstan-import-type DecidedWithdraw from Generated\Types
 * @phpstan-import-type RequestWithdrawInput from Generated\Types
 * @phpstan-import-type SearchWithdrawsInput from Generated\Types
 * @phpstan-import-type Withdraw from Generated\Types
 * @phpstan-import-type WithdrawApprovalFacts from Generated\Types
 * @phpstan-import-type WithdrawDecision from Generated\Types
 * @phpstan-import-type WithdrawDryRun from Generated\Types
 * @phpstan-import-type WithdrawReceipt from Generated\Types
 * @phpstan-import-type WithdrawSearch from Generated\Types
 * @phpstan-import-type WithdrawTimeline from Generated\Types
 */
final class Withdraws
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * Makes every check of a withdraw, and nothing else.
     *
     * @param RequestWithdrawInput $body
     * @return WithdrawDryRun
     */
    public function dryRun(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->previewWithdraw($body);
    }

    /**
     * Requests one. `confirmedDuplicate`: the earlier withdraw that it looks like, where both are meant.
     *
     * @param RequestWithdrawInput $body
     * @return Withdraw
     */
    public function request(#[\SensitiveParameter] array $body, ?int $confirmedDuplicate = null, ?string $idempotencyKey = null): array
    {
        return $this->operations->requestWithdraw(
            $body,
            confirmDuplicate: $confirmedDuplicate === null ? null : (string) $confirmedDuplicate,
            idempotencyKey: $idempotencyKey,
        );
    }

    /** @return Withdraw */
    public function get(int $id): array
    {
        return $this->operations->getWithdraw((string) $id);
    }

    /**
     * A page of withdraws, newest first.
     *
     * @param SearchWithdrawsInput $body
     * @return WithdrawSearch
     */
    public function search(#[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->searchWithdrawsByBody($body);
    }

    /**
     * Approves one that somebody else asked for.
     *
     * @param WithdrawDecision $body
     * @return DecidedWithdraw
     */
    public function approve(int $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->approveWithdraw((string) $id, $body, $idempotencyKey);
    }

    /**
     * Refuses one that somebody else asked for: its money returns to the balance.
     *
     * @param WithdrawDecision $body
     * @return DecidedWithdraw
     */
    public function refuse(int $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->refuseWithdraw((string) $id, $body, $idempotencyKey);
    }

    /**
     * Takes back one that is `Awaiting`.
     *
     * @return Withdraw
     */
    public function cancel(int $id, ?string $idempotencyKey = null): array
    {
        return $this->operations->cancelWithdraw((string) $id, idempotencyKey: $idempotencyKey);
    }

    /**
     * The signed receipt of a paid one.
     *
     * @return WithdrawReceipt
     */
    public function receipt(int $id): array
    {
        return $this->operations->getWithdrawReceipt((string) $id);
    }

    /**
     * All withdraws of a search as CSV, or `limit` of them.
     *
     * @param SearchWithdrawsInput $body
     */
    public function searchCsv(#[\SensitiveParameter] array $body = []): string
    {
        return $this->operations->searchWithdrawsByBodyFile('text/csv', $body);
    }

    /**
     * All that happened to it, oldest first.
     *
     * @return WithdrawTimeline
     */
    public function timeline(int $id): array
    {
        return $this->operations->getWithdrawTimeline((string) $id);
    }

    /**
     * What whoever approves it has to know.
     *
     * @return WithdrawApprovalFacts
     */
    public function approval(int $id): array
    {
        return $this->operations->getWithdrawApproval((string) $id);
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * What payers' banks ask back.
 *
 * @phpstan-import-type Dispute from Generated\Types
 * @phpstan-import-type Disputes from Generated\Types as DisputesPage
 * @phpstan-import-type Dossier from Generated\Types
 * @phpstan-import-type SubmitEvidence from Generated\Types
 */
final class Disputes
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * @param 'open'|'won'|'lost'|null $status
     * @return DisputesPage
     */
    public function list(?string $status = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listDisputes($status, $after, $limit);
    }

    /** @return Dispute */
    public function get(string $id): array
    {
        return $this->operations->getDispute($id)['data'];
    }

    /**
     * @param SubmitEvidence $body
     * @return Dispute
     */
    public function submitEvidence(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->submitDisputeEvidence($id, $body, $idempotencyKey)['data'];
    }

    /**
     * Sends the dossier to the bank, where it takes dossiers by API.
     *
     * @return Dispute
     */
    public function sendResponse(string $id, ?string $idempotencyKey = null): array
    {
        return $this->operations->sendDisputeResponse($id, $idempotencyKey)['data'];
    }

    /**
     * All that is known of it, signed.
     *
     * @return Dossier
     */
    public function dossier(string $id): array
    {
        return $this->operations->getDisputeDossier($id);
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Static PIX codes, for a counter or a print.
 *
 * @phpstan-import-type CreateStaticCodeInput from Generated\Types
 * @phpstan-import-type StaticCode from Generated\Types
 * @phpstan-import-type StaticCodes from Generated\Types
 */
final class Codes
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * @param CreateStaticCodeInput $body
     * @return StaticCode
     */
    public function create(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->createStaticCode($body, $idempotencyKey)['data'];
    }

    /** @return StaticCodes */
    public function list(?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listStaticCodes($after, $limit);
    }

    /** @return StaticCode */
    public function delete(string $id): array
    {
        return $this->operations->deleteStaticCode($id)['data'];
    }

    /** @return StaticCode */
    public function get(string $id): array
    {
        return $this->operations->getStaticCode($id)['data'];
    }
}

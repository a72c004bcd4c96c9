<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * What moved the balance.
 *
 * @phpstan-import-type PendingReleases from Generated\Types
 * @phpstan-import-type StatementEntries from Generated\Types
 */
final class Statement
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * A page of entries, newest first.
     *
     * @param 'in'|'out'|'fees'|null $only
     * @return StatementEntries
     */
    public function entries(?string $month = null, ?string $from = null, ?string $to = null, ?int $hour = null, ?string $only = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->getStatementEntries(
            month: $month,
            from: $from,
            to: $to,
            hour: $hour,
            only: $only,
            after: $after,
            limit: $limit,
        );
    }

    /**
     * The entries of a time as CSV.
     *
     * @param 'in'|'out'|'fees'|null $only
     */
    public function entriesCsv(?string $month = null, ?string $from = null, ?string $to = null, ?int $hour = null, ?string $only = null): string
    {
        return $this->operations->getStatementEntriesFile(
            'text/csv',
            month: $month,
            from: $from,
            to: $to,
            hour: $hour,
            only: $only,
        );
    }

    /**
     * The money that a day releases.
     *
     * @return PendingReleases
     */
    public function releases(string $day, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listReleases(day: $day, after: $after, limit: $limit);
    }
}

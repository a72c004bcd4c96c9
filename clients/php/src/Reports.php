<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Sums of days of São Paulo, `2026-11-21`.
 *
 * @phpstan-import-type ConversionReport from Generated\Types
 * @phpstan-import-type DailyReports from Generated\Types
 * @phpstan-import-type FeeDifferences from Generated\Types
 * @phpstan-import-type FeeReport from Generated\Types
 * @phpstan-import-type Rehearsal from Generated\Types
 */
final class Reports
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * What each day took, by payment method.
     *
     * @return DailyReports
     */
    public function daily(?string $from = null, ?string $to = null): array
    {
        return $this->operations->getDailyReport($from, $to);
    }

    /**
     * How many of the charges were paid.
     *
     * @return ConversionReport
     */
    public function conversion(?string $from = null, ?string $to = null): array
    {
        return $this->operations->getConversionReport($from, $to);
    }

    /**
     * The cash of the next days: for certain, as expected, in the worst and the best case.
     *
     * @return Rehearsal
     */
    public function rehearsal(?int $days = null): array
    {
        return $this->operations->getRehearsal($days);
    }

    /**
     * The fees that banks took, beside the agreed ones.
     *
     * @return FeeReport
     */
    public function fees(?string $from = null, ?string $to = null): array
    {
        return $this->operations->getFeeReport($from, $to);
    }

    /**
     * Settlements that are not as agreed and booked. A page's `after` asks for the next one.
     *
     * @return FeeDifferences
     */
    public function feeDifferences(
        ?string $from = null,
        ?string $to = null,
        ?string $after = null,
        ?int $limit = null,
    ): array {
        return $this->operations->listFeeDifferences($from, $to, $after, $limit);
    }
}

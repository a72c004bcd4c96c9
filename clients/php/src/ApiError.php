<?php

declare(strict_types=1);

namespace Centavo;

/** The API refused a request, or failed. */
final class ApiError extends CentavoError
{
    private const RETRYABLE_CODES = ['IDEMPOTENCY_IN_PROGRESS'];
    private const RETRYABLE_REASONS = ['clock_runs'];
    private const RETRYABLE_STATUSES = [408, 429, 500, 502, 503, 504];

    /** Stable, to branch on; null where the answer is no problem of the API. */
    public readonly ?string $problemCode;

    /**
     * @param array<string, mixed> $problem The whole problem: the fields' messages in `errors`, limits, `traceId`.
     * @param float|null $retryAfter What the service asks to wait, in seconds; null where it says nothing.
     * @param string|null $idempotencyKey The key of the call: a later call with it does nothing twice.
     */
    public function __construct(
        public readonly int $status,
        public readonly array $problem,
        public readonly ?float $retryAfter,
        public readonly ?string $idempotencyKey,
    ) {
        $this->problemCode = $problem['code'] ?? null;
        $isRetryable = in_array($status, self::RETRYABLE_STATUSES, true)
            || in_array($this->problemCode, self::RETRYABLE_CODES, true)
            || in_array($problem['reason'] ?? null, self::RETRYABLE_REASONS, true);
        parent::__construct(self::textOf($problem, $status), $isRetryable);
    }

    /** @param array<string, mixed> $problem */
    private static function textOf(array $problem, int $status): string
    {
        $said = $problem['detail'] ?? $problem['title'] ?? "The API answered $status.";
        $words = [isset($problem['code']) ? "{$problem['code']}: $said" : $said];
        foreach ($problem['errors'] ?? [] as $field => $messages) {
            $words[] = "$field " . implode(', ', $messages);
        }
        return implode(' ', $words);
    }
}

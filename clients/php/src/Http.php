<?php

declare(strict_types=1);

namespace Centavo;

/** Sends requests with credentials, keys, deadlines and retries. */
final class Http
{
    private const FIRST_WAIT_SECONDS = 0.5;
    /** It waits no longer for a retry: whoever called gets the error and its `retryAfter`. */
    private const LONGEST_WAIT_SECONDS = 60.0;

    private readonly string $baseUrl;
    private readonly bool $throwOnIgnored;

    public function __construct(
        string $baseUrl,
        private readonly string $clientId,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $timeout,
        private readonly int $retries,
        ?bool $throwOnIgnored,
        private readonly Transport $transport,
    ) {
        foreach (['clientId' => $clientId, 'apiKey' => $apiKey] as $name => $value) {
            if (preg_match('/^[\x21-\x7E]+$/D', $value) !== 1) {
                throw new CentavoError("The $name is missing, or has characters that no header takes.");
            }
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->throwOnIgnored = $throwOnIgnored ?? str_starts_with($apiKey, 'sk_test_');
    }

    /**
     * Calls an operation for JSON.
     *
     * @param array<string, mixed>|null $body
     *
     * @throws ApiError where it is refused
     * @throws ConnectionError where no answer came
     */
    public function call(string $method, string $path, #[\SensitiveParameter] ?array $body = null, mixed ...$request): mixed
    {
        [$response, $key] = $this->send($method, $path, 'application/json', ...$request, body: $body);
        try {
            $answer = json_decode($response->body, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException $error) {
            // Of something between: whether it was done is not known.
            throw new ConnectionError('The answer is no JSON.', $key, $error);
        }
        $ignored = $response->headers['centavo-ignored'] ?? null;
        if ($this->throwOnIgnored && $ignored !== null) {
            throw new IgnoredFieldsError(explode(', ', $ignored), $answer);
        }
        return $answer;
    }

    /**
     * Calls an operation for a file of this media type.
     *
     * @param array<string, mixed>|null $body
     */
    public function file(string $method, string $path, string $media, #[\SensitiveParameter] ?array $body = null, mixed ...$request): string
    {
        return $this->send($method, $path, $media, ...$request, body: $body)[0]->body;
    }

    /** A parameter as it stands in a path. Nothing, or dots, would lead to another operation. */
    public static function segment(string $value): string
    {
        return in_array($value, ['', '.', '..'], true) ? throw new CentavoError("\"$value\" is no id.") : rawurlencode($value);
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, string|null> $headers
     * @param array<string, mixed>|null $body
     * @return array{Response, string|null} with the key of the call
     */
    private function send(
        string $method,
        string $path,
        string $media,
        array $query = [],
        array $headers = [],
        #[\SensitiveParameter] ?array $body = null,
        #[\SensitiveParameter] ?string $content = null,
        ?string $contentType = null,
        ?string $idempotencyKey = null,
    ): array {
        // Without one a repeated attempt could do it twice.
        $key = $method === 'POST' ? ($idempotencyKey ?? 'php_' . bin2hex(random_bytes(16))) : null;
        if ($body !== null) {
            $contentType = 'application/json';
            // PHP's empty list is JSON's empty object here; 49.0 are reais by mistake, which the API refuses, and not 49 centavos.
            $content = json_encode($body === [] ? new \stdClass() : $body, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        }
        $sent = array_filter([
            'Accept' => "$media, application/problem+json",
            'X-Client-Id' => $this->clientId,
            'X-API-Key' => $this->apiKey,
            'Idempotency-Key' => $key,
            'Content-Type' => $contentType,
            ...$headers,
        ], static fn (?string $value): bool => $value !== null);
        if (preg_match('/[\r\n\0]/', implode($sent)) === 1) {
            throw new \InvalidArgumentException('A header cannot have a line break.');
        }
        $asked = array_map(
            static fn (mixed $value): mixed => is_bool($value) ? ($value ? 'true' : 'false') : $value,
            $query,
        );
        $url = $this->baseUrl . $path . rtrim('?' . http_build_query($asked, '', '&', PHP_QUERY_RFC3986), '?');
        for ($attempt = 0; ; $attempt++) {
            try {
                return [$this->attempt($method, $url, $sent, $content, $key), $key];
            } catch (ApiError | ConnectionError $error) {
                $seconds = self::waitBefore($attempt, $error);
                if ($attempt >= $this->retries || $seconds === null) {
                    throw $error;
                }
                usleep((int) round($seconds * 1_000_000));
            }
        }
    }

    /** @param array<string, string> $headers */
    private function attempt(string $method, string $url, #[\SensitiveParameter] array $headers, #[\SensitiveParameter] ?string $content, ?string $key): Response
    {
        try {
            $response = $this->transport->send($method, $url, $headers, $content, $this->timeout);
        } catch (ConnectionError $error) {
            throw $error->ofCall($key);
        }
        if ($response->status >= 200 && $response->status < 300) {
            return $response;
        }
        $retryAfter = self::secondsOf($response->headers['retry-after'] ?? null);
        throw new ApiError($response->status, self::problemOf($response->body), $retryAfter, $key);
    }

    /** How long to wait after a failed attempt, in seconds; null where another one is no use. */
    private static function waitBefore(int $attempt, CentavoError $error): ?float
    {
        if (!$error->retryable) {
            return null;
        }
        $backoff = self::FIRST_WAIT_SECONDS * 2 ** $attempt * (0.5 + mt_rand() / mt_getrandmax());
        $asked = $error instanceof ApiError ? ($error->retryAfter ?? 0.0) : 0.0;
        $seconds = max($backoff, $asked);
        return $seconds > self::LONGEST_WAIT_SECONDS ? null : $seconds;
    }

    /**
     * The problem in an answer; empty for what is none, as of a proxy.
     *
     * @return array<string, mixed>
     */
    private static function problemOf(string $body): array
    {
        $said = json_decode($body, true);
        if (!is_array($said)) {
            return [];
        }
        // The contract's answer to a withdraw without any key has only a message.
        return isset($said['message']) ? ['detail' => (string) $said['message']] : $said;
    }

    /** `Retry-After`: seconds, or a date (RFC 9110). */
    private static function secondsOf(?string $text): ?float
    {
        if ($text === null || ctype_digit($text)) {
            return $text === null ? null : (float) $text;
        }
        $time = strtotime($text);
        return $time === false ? null : (float) max(0, $time - time());
    }
}

<?php

declare(strict_types=1);

use Centavo\Centavo;
use Centavo\Response;
use Centavo\Transport;

/** Gives these answers, one after the other, and keeps what was asked. */
final class FakeTransport implements Transport
{
    /** @var list<array{method: string, url: string, headers: array<string, string>, body: string|null}> */
    public array $asked = [];

    /** @param list<Response|Throwable> $answers */
    public function __construct(private array $answers)
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response
    {
        $this->asked[] = ['method' => $method, 'url' => $url, 'headers' => $headers, 'body' => $body];
        $answer = array_shift($this->answers) ?? throw new LogicException('no answer was given for this request');
        return $answer instanceof Throwable ? throw $answer : $answer;
    }

    public function client(mixed ...$options): Centavo
    {
        $given = ['clientId' => 'app_loja', 'apiKey' => 'sk_live_loja', ...$options];
        return new Centavo('https://pay.example.com/', ...$given, transport: $this);
    }

    /** @return list<string|null> */
    public function keys(): array
    {
        return array_map(static fn (array $asked): ?string => $asked['headers']['Idempotency-Key'] ?? null, $this->asked);
    }
}

/** @param array<string, string> $headers */
function answer(mixed $body, int $status = 200, array $headers = []): Response
{
    return new Response($status, $headers, is_string($body) ? $body : json_encode($body));
}

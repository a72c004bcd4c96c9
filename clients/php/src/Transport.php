<?php

declare(strict_types=1);

namespace Centavo;

/** Sends one request. It follows no redirect: the credentials go to no other address. */
interface Transport
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds that it may take
     *
     * @throws ConnectionError where no answer came
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response;
}

<?php

declare(strict_types=1);

namespace Centavo;

/** Sends requests by ext-curl, over one connection while it lasts. */
final class CurlTransport implements Transport
{
    private readonly \CurlHandle $curl;

    public function __construct()
    {
        $this->curl = curl_init();
    }

    public function send(string $method, string $url, #[\SensitiveParameter] array $headers, #[\SensitiveParameter] ?string $body, float $timeout): Response
    {
        $received = [];
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(
                static fn (string $name, string $value): string => "$name: $value",
                array_keys($headers),
                $headers,
            ),
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $body);
        }
        $answer = curl_exec($this->curl);
        if (is_string($answer)) {
            return new Response(curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), $received, $answer);
        }
        if (curl_errno($this->curl) === CURLE_OPERATION_TIMEDOUT) {
            throw new TimeoutError("No answer in $timeout s.");
        }
        throw new ConnectionError('No answer: ' . curl_error($this->curl) . '.');
    }
}

<?php

declare(strict_types=1);

use Centavo\WebhookError;
use Centavo\Webhooks;

use function Centavo\brl;

['webhooks' => $webhooks, 'brl' => $brl] = json_decode(file_get_contents(__DIR__ . '/../../vectors/clients.json'), true);
$verify = static fn (array $case): array => Webhooks::verify(
    $case['body'] ?? $webhooks['body'],
    $case['headers'],
    $case['secret'] ?? $webhooks['secret'],
    $webhooks['now'],
);

$tests = [];
foreach ($webhooks['accepted'] as $case) {
    $tests["a webhook {$case['name']} is its event"] = fn () => same(json_decode($case['body'] ?? $webhooks['body'], true), $verify($case));
}
foreach ($webhooks['refused'] as $case) {
    $tests["a webhook {$case['name']} is refused"] = fn () => thrown(WebhookError::class, fn () => $verify($case));
}
$tests['headers may be those of PSR-7'] = function () use ($webhooks, $verify): void {
    $headers = array_map(static fn (string $value): array => [$value], $webhooks['accepted'][0]['headers']);
    same(json_decode($webhooks['body'], true), $verify(['headers' => $headers]));
};
$tests['an error of a webhook does not carry the secret'] = function () use ($webhooks, $verify): void {
    $error = thrown(WebhookError::class, fn () => $verify($webhooks['refused'][0]));
    same(false, str_contains(told($error), $webhooks['secret']));
};
$tests['by the clock an old one is refused'] = function () use ($webhooks): void {
    $call = fn () => Webhooks::verify($webhooks['body'], $webhooks['accepted'][0]['headers'], $webhooks['secret']);
    same(1, preg_match('/clock/', thrown(WebhookError::class, $call)->getMessage()));
};
foreach ($brl['read'] as ['text' => $text, 'cents' => $cents]) {
    $tests["brl reads $text"] = fn () => same($cents, brl($text));
}
foreach ($brl['refused'] as $text) {
    $tests["brl refuses $text"] = fn () => thrown(InvalidArgumentException::class, fn () => brl($text));
}
return $tests;

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Verifies webhooks, and tells the gateway where to send them.
 *
 * @phpstan-import-type Deliveries from Generated\Types
 * @phpstan-import-type Delivery from Generated\Types
 * @phpstan-import-type EventDetail from Generated\Types
 * @phpstan-import-type ReceivedWebhook from Generated\Types
 * @phpstan-import-type ResendWebhooksInput from Generated\Types
 * @phpstan-import-type TestWebhookInput from Generated\Types
 * @phpstan-import-type Webhook from Generated\Types
 * @phpstan-import-type WebhookDiagnosis from Generated\Types
 */
final class Webhooks
{
    private const SECRET_PREFIX = 'whsec_';
    /** How far a webhook's timestamp may be from the clock (Standard Webhooks). */
    private const TOLERANCE_SECONDS = 300;

    public readonly Endpoints $endpoints;

    public function __construct(private readonly Operations $operations)
    {
        $this->endpoints = new Endpoints($operations);
    }

    /**
     * A webhook's event, once its signature holds (Standard Webhooks 1.0, HMAC-SHA256): `type` tells the shape of `data`.
     *
     * @param string $body the raw body as it came, before any parser
     * @param array<string, string|list<string>> $headers such as of `getallheaders()` or of PSR-7
     * @param string $secret the endpoint's (`whsec_...`)
     * @param int|null $now the time in seconds, by default the clock's
     * @return Webhook
     *
     * @throws WebhookError for anything else
     */
    public static function verify(string $body, array $headers, #[\SensitiveParameter] string $secret, ?int $now = null): array
    {
        $named = array_change_key_case($headers);
        $id = self::header($named, 'webhook-id');
        $timestamp = self::header($named, 'webhook-timestamp');
        $signatures = self::header($named, 'webhook-signature');
        $age = ($now ?? time()) - (int) $timestamp;
        if (preg_match('/^[0-9]{1,15}$/D', $timestamp) !== 1 || abs($age) > self::TOLERANCE_SECONDS) {
            throw new WebhookError("The webhook's timestamp is too far from this clock.");
        }
        if (!str_starts_with($secret, self::SECRET_PREFIX)) {
            throw new WebhookError('The secret does not begin with ' . self::SECRET_PREFIX . '.');
        }
        $key = base64_decode(substr($secret, strlen(self::SECRET_PREFIX)), true);
        // By an empty key anybody signs.
        if ($key === false || $key === '') {
            throw new WebhookError('The secret is empty, or not base64.');
        }
        $expected = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        foreach (explode(' ', $signatures) as $signature) {
            if (str_starts_with($signature, 'v1,') && hash_equals($expected, (string) base64_decode(substr($signature, 3), true))) {
                return self::event($body);
            }
        }
        throw new WebhookError('No signature of the webhook is of this secret and this raw body.');
    }

    /**
     * Sends a test event to the company's addresses and says what they answered.
     *
     * @param TestWebhookInput $body
     * @return EventDetail
     */
    public function test(#[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->testWebhook($body);
    }

    /**
     * Why a webhook that a handler got does not verify.
     *
     * @param ReceivedWebhook $body
     * @return WebhookDiagnosis
     */
    public function diagnose(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->verifyWebhook($body);
    }

    /**
     * A page of what was sent, newest first.
     *
     * @param 'pending'|'delivered'|'superseded'|'stopped'|'exhausted'|null $status
     * @return Deliveries
     */
    public function deliveries(?string $status = null, ?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listWebhookDeliveries(status: $status, after: $after, limit: $limit);
    }

    /**
     * Sends one delivery again.
     *
     * @return Delivery
     */
    public function resend(string $id): array
    {
        return $this->operations->resendWebhook($id);
    }

    /**
     * Sends again what went wrong in a time.
     *
     * @param ResendWebhooksInput $body
     * @return Deliveries
     */
    public function resendAll(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->resendWebhooks($body);
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        $value = (array) ($headers[$name] ?? []);
        return $value[0] ?? throw new WebhookError("The webhook has no header $name.");
    }

    /** @return Webhook */
    private static function event(string $body): array
    {
        try {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException $error) {
            throw new WebhookError("The webhook's body is no JSON.", previous: $error);
        }
    }
}

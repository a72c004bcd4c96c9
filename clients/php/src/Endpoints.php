<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * The addresses that get the company's events, each with its types and its secret.
 *
 * @phpstan-import-type ChangeWebhookEndpointInput from Generated\Types
 * @phpstan-import-type CreateWebhookEndpointInput from Generated\Types
 * @phpstan-import-type MadeWebhookEndpoint from Generated\Types
 * @phpstan-import-type RotateWebhookSecretInput from Generated\Types
 * @phpstan-import-type RotatedWebhookEndpoint from Generated\Types
 * @phpstan-import-type WebhookEndpointItem from Generated\Types
 * @phpstan-import-type WebhookEndpoints from Generated\Types
 */
final class Endpoints
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * The answer shows the `secret`, which `verify` takes: no later one does.
     *
     * @param CreateWebhookEndpointInput $body
     * @return MadeWebhookEndpoint
     */
    public function create(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->createWebhookEndpoint($body, $idempotencyKey)['data'];
    }

    /** @return WebhookEndpoints */
    public function list(?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listWebhookEndpoints($after, $limit);
    }

    /**
     * @param ChangeWebhookEndpointInput $body
     * @return WebhookEndpointItem
     */
    public function change(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->changeWebhookEndpoint($id, $body)['data'];
    }

    /** @return WebhookEndpointItem */
    public function delete(string $id): array
    {
        return $this->operations->deleteWebhookEndpoint($id)['data'];
    }

    /**
     * A new secret, shown once; the old one signs too for `overlapHours`.
     *
     * @param RotateWebhookSecretInput $body
     * @return RotatedWebhookEndpoint
     */
    public function rotateSecret(string $id, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->operations->rotateWebhookEndpointSecret($id, $body, $idempotencyKey)['data'];
    }
}

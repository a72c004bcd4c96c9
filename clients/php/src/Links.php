<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Pages on which anybody pays. A page's `after` asks for the next one.
 *
 * @phpstan-import-type CreatePaymentLinkInput from Generated\Types
 * @phpstan-import-type PaymentLink from Generated\Types
 * @phpstan-import-type PaymentLinks from Generated\Types
 * @phpstan-import-type UpdatePaymentLinkInput from Generated\Types
 */
final class Links
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * @param CreatePaymentLinkInput $body
     * @return PaymentLink
     */
    public function create(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->operations->createPaymentLink($body, $idempotencyKey)['data'];
    }

    /** @return PaymentLink */
    public function get(string $id): array
    {
        return $this->operations->getPaymentLink($id)['data'];
    }

    /** @return PaymentLinks */
    public function list(?string $after = null, ?int $limit = null): array
    {
        return $this->operations->listPaymentLinks($after, $limit);
    }

    /**
     * @param UpdatePaymentLinkInput $body
     * @return PaymentLink
     */
    public function change(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->changePaymentLink($id, $body)['data'];
    }

    /** The QR code of its address as SVG. */
    public function qr(string $id): string
    {
        return $this->operations->getPaymentLinkQr($id, 'image/svg+xml');
    }
}

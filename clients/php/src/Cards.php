<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Cards by token: a shop's server never sees a number.
 *
 * @phpstan-import-type CardToken from Generated\Types
 * @phpstan-import-type CardTokenRequest from Generated\Types
 */
final class Cards
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * A token for a card's fields, for good; only a sandbox company's server has a card to tokenize.
     *
     * @param CardTokenRequest $body
     * @return CardToken
     */
    public function tokenize(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->createCardToken($body);
    }
}

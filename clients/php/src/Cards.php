<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Cards by token: a shop's server never sees a number.
 *
 * @phpstan-import-type CardToken from Generated\Types
 * @phpstan-import-type CardTokenRequest from Generated\Types
 * @phpstan-import-type SavedCard from Generated\Types
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

    /**
     * The cards that a payer (`customer`: CPF or CNPJ) let the company keep.
     *
     * @return list<SavedCard>
     */
    public function saved(string $customer): array
    {
        return $this->operations->listSavedCards($customer)['data'];
    }

    /**
     * Deletes a saved card, which can be charged no more.
     *
     * @return SavedCard
     */
    public function delete(string $id): array
    {
        return $this->operations->deleteSavedCard($id)['data'];
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

/** No answer came: the request may have been done. Call again with `idempotencyKey` to learn what became of it. */
class ConnectionError extends CentavoError
{
    final public function __construct(string $message, public readonly ?string $idempotencyKey = null, ?\Throwable $previous = null)
    {
        parent::__construct($message, true, $previous);
    }

    /** The same, of a call with this key. */
    public function ofCall(?string $idempotencyKey): static
    {
        return new static($this->getMessage(), $idempotencyKey, $this);
    }
}

<?php

declare(strict_types=1);

namespace Centavo;

/** Any failure of the client. `retryable`: the same call may succeed later. */
class CentavoError extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $retryable = false, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}

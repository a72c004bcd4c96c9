<?php

declare(strict_types=1);

namespace Centavo;

/** The API did what was asked, but did not know these fields. Thrown with keys of a test environment only. */
final class IgnoredFieldsError extends CentavoError
{
    /**
     * @param list<string> $fields
     * @param mixed $answer What the API answered: it was done.
     */
    public function __construct(public readonly array $fields, public readonly mixed $answer)
    {
        parent::__construct('The API does not know ' . implode(', ', $fields) . ': it was done without.');
    }
}

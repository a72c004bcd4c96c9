<?php

declare(strict_types=1);

namespace Centavo;

/**
 * Reais as a Brazilian writes them, in the centavos that the API takes: `brl('25,00')` is 2500.
 *
 * @throws \InvalidArgumentException for any other text, such as `25.00`
 */
function brl(string $text): int
{
    // `1.234,56`, `25,00` or `25`: groups of three by points, two digits of centavos after a comma.
    $reais = '/^(?:R\$\s*)?([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,([0-9]{2}))?$/D';
    $isReais = preg_match($reais, trim($text), $parts) === 1;
    $digits = $isReais ? ltrim(str_replace('.', '', $parts[1]) . ($parts[2] ?? '00'), '0') : '';
    // The API's integers are exact up to 2^53 - 1, which has sixteen digits.
    if (!$isReais || strlen($digits) > 16 || (int) $digits > 2 ** 53 - 1) {
        throw new \InvalidArgumentException("\"$text\" is no amount such as \"25,00\".");
    }
    return (int) $digits;
}

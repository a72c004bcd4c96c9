"""Reais and centavos."""

import re

# `1.234,56`, `25,00` or `25`: groups of three by points, two digits of centavos after a comma.
REAIS = re.compile(r"(?:R\$\s*)?([0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+)(?:,([0-9]{2}))?")
#: The API's integers are exact up to here.
MAX_CENTS = 2**53 - 1


def brl(text: str) -> int:
    """Reais as a Brazilian writes them, in the centavos that the API takes: `brl("25,00")` is 2500.

    Raises a `ValueError` for any other text, such as `25.00`.
    """
    read = REAIS.fullmatch(text.strip())
    cents = int(read[1].replace(".", "") + (read[2] or "00")) if read else MAX_CENTS + 1
    if cents > MAX_CENTS:
        raise ValueError(f'"{text}" is no amount such as "25,00".')
    return cents

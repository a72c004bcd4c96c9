"""The client of a Centavo service, for servers: the key is a secret. Amounts are centavos."""

from . import webhooks
from .client import Centavo
from .errors import (
    ApiError,
    CentavoError,
    ConnectionError,
    IgnoredFieldsError,
    MissingEventError,
    TimeoutError,
    WebhookError,
)
from .money import brl

__all__ = [
    "ApiError",
    "Centavo",
    "CentavoError",
    "ConnectionError",
    "IgnoredFieldsError",
    "MissingEventError",
    "TimeoutError",
    "WebhookError",
    "brl",
    "webhooks",
]

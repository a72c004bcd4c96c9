"""A company's side of a Centavo service."""

from __future__ import annotations

from typing import Optional

from . import types as t
from .company import Cards, Payments, Refunds, Settings, Statement
from .events import Events
from .http import Http, Opener
from .operations import Operations
from .resources import Codes, Disputes, Links, Reports, Transactions, Withdraws
from .sandbox import Sandbox
from .subscriptions import Subscriptions
from .webhook_endpoints import Webhooks


class Centavo:
    """A company's side of a Centavo service, for servers: the key is a secret.

    Every call that makes or moves something has an idempotency key, is repeated with it while the
    service does not answer, and raises a `CentavoError` in the end. `timeout` is in seconds, of each
    wait for the network; `retries` are the attempts after the first one; fields that the API ignored
    raise with a key of a test environment (`sk_test_`), or as `raise_on_ignored` says; `opener`
    sends the requests in the place of urllib's own, such as one with a proxy or certificates.
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int = 3,
        raise_on_ignored: Optional[bool] = None,
        opener: Optional[Opener] = None,
    ) -> None:
        http = Http(base_url, client_id, api_key, timeout, retries, raise_on_ignored, opener)
        #: Every operation of the API, by the name that its document gives it.
        self.operations = Operations(http)
        self.transactions = Transactions(self.operations)
        self.withdraws = Withdraws(self.operations)
        self.events = Events(self.operations)
        self.reports = Reports(self.operations)
        self.links = Links(self.operations)
        self.subscriptions = Subscriptions(self.operations)
        self.codes = Codes(self.operations)
        self.disputes = Disputes(self.operations)
        self.cards = Cards(self.operations)
        self.payments = Payments(self.operations)
        self.refunds = Refunds(self.operations)
        self.statement = Statement(self.operations)
        self.settings = Settings(self.operations)
        self.webhooks = Webhooks(self.operations)
        self.sandbox = Sandbox(self.operations)

    def balance(self) -> t.OwnBalanceData:
        """The balance in centavos."""
        return self.operations.get_own_balance(currency="BRL")["data"]

    def me(self) -> t.MeData:
        """Whose credentials these are."""
        return self.operations.get_me()["data"]

    def reconcile(self, body: t.ReconcileLines) -> t.ReconcileResult:
        """Compares a list of your own with the company's transactions."""
        return self.operations.reconcile_transactions(body)

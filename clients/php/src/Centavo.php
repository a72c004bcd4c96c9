<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * A company's side of a Centavo service, for servers: the key is a secret. Every call that makes or moves something has
 * an idempotency key, is repeated with it while the service does not answer, and throws a `CentavoError` in the end.
 *
 * @phpstan-import-type OwnBalanceData from Generated\Types
 * @phpstan-import-type MeData from Generated\Types
 * @phpstan-import-type ReconcileLines from Generated\Types
 * @phpstan-import-type ReconcileResult from Generated\Types
 */
final class Centavo
{
    /** Every operation of the API, by the name that its document gives it. */
    public readonly Operations $operations;
    public readonly Transactions $transactions;
    public readonly Withdraws $withdraws;
    public readonly Events $events;
    public readonly Reports $reports;
    public readonly Links $links;
    public readonly Subscriptions $subscriptions;
    public readonly Codes $codes;
    public readonly Disputes $disputes;
    public readonly Cards $cards;
    public readonly Payments $payments;
    public readonly Refunds $refunds;
    public readonly Statement $statement;
    public readonly Settings $settings;
    public readonly Webhooks $webhooks;
    public readonly Sandbox $sandbox;

    /**
     * @param string $baseUrl the address of the service, such as `https://pay.example.com`
     * @param float $timeout seconds that one attempt may take
     * @param int $retries attempts after the first one
     * @param bool|null $throwOnIgnored whether fields that the API ignored throw; by default with a key of a test environment
     * @param Transport|null $transport in the place of ext-curl
     */
    public function __construct(
        string $baseUrl,
        string $clientId,
        #[\SensitiveParameter] string $apiKey,
        float $timeout = 30.0,
        int $retries = 3,
        ?bool $throwOnIgnored = null,
        ?Transport $transport = null,
    ) {
        $transport ??= new CurlTransport();
        $http = new Http($baseUrl, $clientId, $apiKey, $timeout, $retries, $throwOnIgnored, $transport);
        $this->operations = new Operations($http);
        $this->transactions = new Transactions($this->operations);
        $this->withdraws = new Withdraws($this->operations);
        $this->events = new Events($this->operations);
        $this->reports = new Reports($this->operations);
        $this->links = new Links($this->operations);
        $this->subscriptions = new Subscriptions($this->operations);
        $this->codes = new Codes($this->operations);
        $this->disputes = new Disputes($this->operations);
        $this->cards = new Cards($this->operations);
        $this->payments = new Payments($this->operations);
        $this->refunds = new Refunds($this->operations);
        $this->statement = new Statement($this->operations);
        $this->settings = new Settings($this->operations);
        $this->webhooks = new Webhooks($this->operations);
        $this->sandbox = new Sandbox($this->operations);
    }

    /**
     * The balance in centavos.
     *
     * @return OwnBalanceData
     */
    public function balance(): array
    {
        return $this->operations->getOwnBalance('BRL')['data'];
    }

    /**
     * Whose credentials these are.
     *
     * @return MeData
     */
    public function me(): array
    {
        return $this->operations->getMe()['data'];
    }

    /**
     * Compares a list of your own with the company's transactions.
     *
     * @param ReconcileLines $body
     * @return ReconcileResult
     */
    public function reconcile(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->reconcileTransactions($body);
    }
}

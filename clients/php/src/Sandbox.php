<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * Plays the payers and banks of a sandbox company; a live company is refused. Amounts in centavos.
 *
 * @phpstan-import-type ChangeCompanyTermsInput from Generated\Types
 * @phpstan-import-type CompanyClockData from Generated\Types
 * @phpstan-import-type CompanyTerms from Generated\Types
 * @phpstan-import-type MoveClock from Generated\Types
 * @phpstan-import-type MovedClockData from Generated\Types
 * @phpstan-import-type SandboxDispute from Generated\Types
 * @phpstan-import-type SandboxFaultsData from Generated\Types
 * @phpstan-import-type SandboxFaultsInput from Generated\Types
 * @phpstan-import-type SandboxPaid from Generated\Types
 * @phpstan-import-type SandboxPay from Generated\Types
 * @phpstan-import-type SandboxPayStaticCode from Generated\Types
 * @phpstan-import-type SandboxPayment from Generated\Types
 * @phpstan-import-type SandboxResolveDispute from Generated\Types
 * @phpstan-import-type SandboxReturn from Generated\Types
 * @phpstan-import-type SandboxAttempt from Generated\Types
 * @phpstan-import-type Subscription from Generated\Types
 * @phpstan-import-type SubscriptionCharge from Generated\Types
 * @phpstan-import-type Transaction from Generated\Types
 * @phpstan-import-type WebhookChaos from Generated\Types
 * @phpstan-import-type Withdraw from Generated\Types
 */
final class Sandbox
{
    /** Calls that one move of the clock makes at most. */
    private const CLOCK_CALLS_MAX = 100;

    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * Pays a charge: what it asks for, or `amount`.
     *
     * @param SandboxPay $body
     * @return Transaction
     */
    public function pay(string $id, #[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->paySandboxTransaction($id, $body)['data'];
    }

    /**
     * The payer approves a subscription.
     *
     * @return Subscription
     */
    public function approveSubscription(string $id): array
    {
        return $this->operations->approveSandboxSubscription($id)['data'];
    }

    /**
     * The payer refuses a subscription.
     *
     * @return Subscription
     */
    public function rejectSubscription(string $id): array
    {
        return $this->operations->refuseSandboxSubscription($id)['data'];
    }

    /**
     * The payer cancels a subscription in the bank's app.
     *
     * @return Subscription
     */
    public function payerCancelSubscription(string $id): array
    {
        return $this->operations->cancelSandboxSubscription($id)['data'];
    }

    /**
     * What becomes of the next attempt to debit a charge.
     *
     * @param SandboxAttempt $body
     * @return SubscriptionCharge
     */
    public function decideAttempt(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->decideSandboxAttempt($id, $body)['data'];
    }

    /** @return Transaction */
    public function fail(string $id): array
    {
        return $this->operations->failSandboxTransaction($id)['data'];
    }

    /** @return Transaction */
    public function expire(string $id): array
    {
        return $this->operations->expireSandboxTransaction($id)['data'];
    }

    /**
     * The payer's bank disputes a PIX.
     *
     * @param SandboxDispute $body
     * @return Transaction
     */
    public function dispute(string $id, #[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->disputeSandboxTransaction($id, $body)['data'];
    }

    /**
     * @param SandboxResolveDispute $body
     * @return Transaction
     */
    public function resolveDispute(string $id, #[\SensitiveParameter] array $body): array
    {
        return $this->operations->resolveSandboxDispute($id, $body)['data'];
    }

    /**
     * The card's bank takes a payment back.
     *
     * @return Transaction
     */
    public function chargeBack(string $id): array
    {
        return $this->operations->chargeBackSandboxTransaction($id)['data'];
    }

    /** @return Transaction */
    public function reverseChargeback(string $id): array
    {
        return $this->operations->reverseSandboxChargeback($id)['data'];
    }

    /**
     * Pays a static code.
     *
     * @param SandboxPayStaticCode $body
     * @return Transaction
     */
    public function payCode(string $id, #[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->payStaticCode($id, $body)['data'];
    }

    /**
     * A PIX that no charge asked for.
     *
     * @param SandboxPayment $body
     * @return SandboxPaid
     */
    public function payWithoutCharge(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->createSandboxPayment($body);
    }

    /** @return Withdraw */
    public function payWithdraw(int $id): array
    {
        return $this->operations->paySandboxWithdraw((string) $id);
    }

    /** @return Withdraw */
    public function failWithdraw(int $id): array
    {
        return $this->operations->failSandboxWithdraw((string) $id);
    }

    /**
     * The receiving bank sends a withdraw back: all of it, or `amount`.
     *
     * @param SandboxReturn $body
     * @return Withdraw
     */
    public function returnWithdraw(int $id, #[\SensitiveParameter] array $body = []): array
    {
        return $this->operations->returnSandboxWithdraw((string) $id, $body);
    }

    /** @return CompanyTerms */
    public function terms(): array
    {
        return $this->operations->getSandboxTerms();
    }

    /**
     * Changes what an operator sets for a live company: fees, delays, `frozen`.
     *
     * @param ChangeCompanyTermsInput $body
     * @return CompanyTerms
     */
    public function changeTerms(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->changeSandboxTerms($body);
    }

    /**
     * What goes wrong with webhooks on purpose.
     *
     * @return WebhookChaos
     */
    public function webhookChaos(): array
    {
        return $this->operations->getWebhookChaos();
    }

    /**
     * @param WebhookChaos $body
     * @return WebhookChaos
     */
    public function setWebhookChaos(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->setWebhookChaos($body);
    }

    /**
     * What goes wrong at the company's bank and receiver, by its clock.
     *
     * @return SandboxFaultsData
     */
    public function faults(): array
    {
        return $this->operations->getSandboxFaults()['data'];
    }

    /**
     * Has these faults happen and no others; none ends all.
     *
     * @param SandboxFaultsInput $body
     * @return SandboxFaultsData
     */
    public function setFaults(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->setSandboxFaults($body)['data'];
    }

    /**
     * The company's time, and whether it was moved.
     *
     * @return CompanyClockData
     */
    public function clock(): array
    {
        return $this->operations->getSandboxClock()['data'];
    }

    /**
     * Moves the company's time forward by an ISO 8601 duration such as `P3D`, and returns all that became due, in order.
     * Goes on for 100 calls; `hasMore` says whether that was not enough: set the time `now` again.
     *
     * @return MovedClockData
     */
    public function advance(string $duration): array
    {
        // Counted from a time, so that a repeated attempt moves nothing twice.
        return $this->moveClock(['advance' => $duration, 'from' => $this->clock()['now']]);
    }

    /**
     * As `advance`, to a time.
     *
     * @return MovedClockData
     */
    public function setClock(string $time): array
    {
        return $this->moveClock(['set' => $time]);
    }

    /**
     * @param MoveClock $body
     * @return MovedClockData
     */
    private function moveClock(array $body): array
    {
        $ran = [];
        for ($calls = 1; ; $calls++) {
            $moved = $this->operations->moveSandboxClock($body)['data'];
            array_push($ran, ...$moved['ran']);
            if (!$moved['hasMore'] || $calls === self::CLOCK_CALLS_MAX) {
                return ['ran' => $ran] + $moved;
            }
            $body = ['set' => $moved['now']];
        }
    }
}

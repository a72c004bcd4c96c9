<?php

declare(strict_types=1);

// Each part of the client against a service; prints as JSON what came, which test/languages/checks.ts compares.

use Centavo\ApiError;
use Centavo\Centavo;
use Centavo\IgnoredFieldsError;

use function Centavo\brl;

require __DIR__ . '/../../../clients/php/autoload.php';

$url = getenv('CENTAVO_URL');
$client = new Centavo($url, 'app_local_outra', 'sk_test_local_outra');

function failure(callable $call): ApiError|IgnoredFieldsError
{
    try {
        $call();
    } catch (ApiError | IgnoredFieldsError $error) {
        return $error;
    }
    throw new RuntimeException('the call did not fail');
}

$charge = ['amount' => brl('100,00'), 'paymentMethod' => 'PIX', 'externalRef' => 'php-1'];
['id' => $id] = $client->transactions->create($charge);
$unpaid = $client->transactions->create(['amount' => 500, 'paymentMethod' => 'PIX']);
$png = $client->transactions->qrPng($id);
$client->sandbox->pay($id);
$refunded = $client->transactions->refund($id, ['amount' => brl('20,00')]);
$refusal = failure(fn () => $client->transactions->refund($id, ['amount' => brl('90,00')]));
$uncaptured = failure(fn () => $client->transactions->capture($id));
$unknown = failure(fn () => $client->transactions->create(['amount' => 700, 'paymentMethod' => 'PIX', 'zigzag' => 1]));
$asked = ['amount' => brl('12,00'), 'pixKey' => 'php@example.com'];
$withdraw = $client->withdraws->request($asked);
$endpoint = $client->webhooks->endpoints->create(['url' => "$url/health", 'events' => ['*']]);
$client->webhooks->endpoints->delete($endpoint['id']);
$code = $client->codes->create(['amount' => brl('10,00')]);
$link = $client->links->create(['name' => 'Curso', 'amount' => brl('500,00')]);
$sequences = [];
foreach ($client->events->iterate(follow: true, pollSeconds: 0.1) as $event) {
    $sequences[] = $event['companySequence'];
    if ($event['type'] === 'transaction.partially_refunded' && $event['data']['id'] === $id) {
        break;
    }
}

echo json_encode([
    'company' => $client->me()['company']['name'],
    'png' => substr($png, 1, 3),
    'cancelled' => $client->transactions->cancel($unpaid['id'])['status'],
    'refundedAmount' => $refunded['refundedAmount'],
    'refusal' => $refusal->problem['refundableCents'],
    'uncaptured' => $uncaptured->problemCode,
    'ignored' => $unknown->fields,
    'paid' => $client->transactions->get($id)['paidAmount'],
    'found' => count($client->transactions->search(['externalRef' => 'php-1'])['items']),
    'timeline' => count($client->transactions->timeline($id)['items']) > 2,
    'receipt' => isset($client->transactions->receipt($id)['signature']),
    'pdf' => substr($client->transactions->receiptPdf($id), 0, 5),
    'accepted' => $client->withdraws->dryRun(['amount' => 1100] + $asked)['accepted'],
    'cancelledWithdraw' => $client->withdraws->cancel($withdraw['id'])['enTransaction'],
    'available' => is_int($client->balance()['availableCents']),
    'day' => array_map(static fn (array $each): bool => $each['gross'] > 0, $client->reports->daily()['items']),
    'csv' => substr_count($client->transactions->searchCsv(['externalRef' => 'php-1']), 'php-1'),
    'endpoint' => substr($endpoint['secret'], 0, 6),
    'code' => $client->codes->delete($code['id'])['amount'],
    'link' => $client->links->change($link['id'], ['active' => false])['status'],
    'disputes' => $client->disputes->list()['items'],
    'inOrder' => $sequences === range(1, count($sequences)),
]);

<?php

// A shop's day in nine steps, on the package `centavo`. Amounts are centavos.

// docs:begin connect
use Centavo\{Centavo, ConnectionError, CurlTransport, Response, Transport};
use function Centavo\brl;

require __DIR__ . '/../../clients/php/autoload.php'; // With Composer: vendor/autoload.php.

$baseUrl = getenv('CENTAVO_URL') ?: 'http://localhost:8787';
$clientId = getenv('CENTAVO_CLIENT_ID') ?: 'app_local_loja';
$apiKey = getenv('CENTAVO_API_KEY') ?: 'sk_test_local_loja';
$centavo = new Centavo($baseUrl, $clientId, $apiKey);
// The number of an order, new in each run.
$order = 'pedido-php-' . hrtime(true);
// docs:end connect

// 1. A PIX charge and its QR code.
// docs:begin create-charge
$customer = ['name' => 'Maria da Silva', 'document' => ['type' => 'CPF', 'number' => '12345678909']];
$charge = $centavo->transactions->create([
    'amount' => brl('1.000,00'), 'paymentMethod' => 'PIX',
    'externalRef' => $order, 'customer' => $customer,
]);
echo "pix        {$charge['amountText']} {$charge['status']}\n";
echo $charge['pix']['qrcode'], "\n";
// docs:end create-charge

// docs:begin qr
file_put_contents('qr.svg', $centavo->transactions->qr($charge['id']));
echo "qr         qr.svg\n";
// docs:end qr

// 2. A boleto.
// docs:begin boleto
$boleto = $centavo->transactions->create([
    'amount' => brl('89,90'), 'paymentMethod' => 'BOLETO',
    'customer' => $customer, 'boleto' => ['expiresInDays' => 3],
]);
echo "boleto     {$boleto['boleto']['digitableLine']}\n";
// docs:end boleto

// 3. A card by its token: in a live shop the payer's page makes the token, so no server sees the number.
// docs:begin card
['token' => $token] = $centavo->cards->tokenize([
    'number' => '4242424242424242', 'holderName' => 'MARIA DA SILVA', 'cvv' => '123',
    'expirationMonth' => 12, 'expirationYear' => 2035,
]);
$sale = $centavo->transactions->create([
    'amount' => brl('149,00'), 'paymentMethod' => 'CREDIT_CARD', 'installments' => 3,
    'customer' => $customer, 'card' => ['token' => $token],
]);
echo "card       {$sale['status']}\n";
// docs:end card

// 4. The payer pays, and the gateway tells the shop by a webhook: webhook.php verifies it.
$orders = tempnam(sys_get_temp_dir(), 'orders');
$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
// docs:begin endpoint
// webhook.php listens there.
$endpoint = $centavo->webhooks->endpoints->create(['url' => "http://$address/hook", 'events' => ['transaction.paid']]);
$environment = ['CENTAVO_WEBHOOK_SECRET' => $endpoint['secret'], 'PAID_ORDERS' => $orders];
// docs:end endpoint
$quiet = [['null'], ['null'], ['null']];
$shop = proc_open([PHP_BINARY, '-S', $address, __DIR__ . '/webhook.php'], $quiet, $pipes, null, $environment + getenv());
do {
    usleep(20_000);
} while (!@stream_socket_client("tcp://$address"));
// docs:begin pay
$centavo->sandbox->pay($charge['id']);
// docs:end pay
for ($deadline = time() + 30; filesize($orders) === 0 && time() < $deadline; clearstatcache()) {
    usleep(20_000);
}
echo 'webhook    ', trim(file_get_contents($orders)) === $order ? 'verified' : 'of another order', "\n";
$centavo->webhooks->endpoints->delete($endpoint['id']);
proc_terminate($shop);
unlink($orders);

// 5. A call without an answer: this client loses it on purpose.
$losesAnswer = new class () implements Transport {
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response
    {
        (new CurlTransport())->send($method, $url, $headers, $body, $timeout);
        throw new ConnectionError('the line is dead');
    }
};
$lossy = new Centavo($baseUrl, $clientId, $apiKey, retries: 0, transport: $losesAnswer);
// docs:begin retry
$second = ['amount' => brl('10,00'), 'paymentMethod' => 'PIX', 'externalRef' => "$order-b"];
try {
    $lossy->transactions->create($second);
} catch (ConnectionError $error) {
    // The charge may exist: the same key answers with it, and makes no second one.
    $centavo->transactions->create($second, $error->idempotencyKey);
}
// docs:end retry
$found = $centavo->transactions->search(['externalRef' => $second['externalRef']])['items'];
echo 'retry      ', count($found), " charge\n";

// 6. A part goes back to the payer.
// docs:begin refund
$refunded = $centavo->transactions->refund($charge['id'], ['amount' => brl('100,00')]);
echo "refund     {$refunded['refundedAmount']} centavos, {$refunded['status']}\n";
// docs:end refund

// 7. Does the shop's own list agree with the gateway?
// docs:begin reconcile
$compared = $centavo->reconcile(['items' => [
    ['externalRef' => $order, 'amount' => brl('1.000,00')],
    ['externalRef' => 'pedido-0', 'amount' => brl('5,00')],
]]);
echo 'reconcile  ', implode(', ', array_column($compared['items'], 'result')), "\n";
// docs:end reconcile

// 8. Money to a bank account. Above R$ 500,00 a day another application has to approve it.
$centavo->settings->change(['withdrawApprovalAbove' => brl('500,00')]);
// docs:begin withdraw
$approverId = getenv('APPROVER_CLIENT_ID') ?: 'app_local_aprovador';
$approver = new Centavo($baseUrl, $approverId, getenv('APPROVER_API_KEY') ?: 'sk_test_local_aprovador');
$wish = ['amount' => brl('600,00'), 'pixKey' => "$order@example.com"];
$checked = $centavo->withdraws->dryRun($wish);
if (!$checked['accepted']) exit(json_encode($checked['checks']));
$withdraw = $centavo->withdraws->request($wish);
if ($withdraw['approval'] === 'pending') $approver->withdraws->approve($withdraw['id']);
echo "withdraw   {$centavo->withdraws->get($withdraw['id'])['approval']}\n";
// docs:end withdraw

// 9. A page where anybody pays.
// docs:begin link
$link = $centavo->links->create(['name' => 'Curso de bordado', 'amount' => brl('250,00')]);
echo "link       {$link['url']}\n";
// docs:end link

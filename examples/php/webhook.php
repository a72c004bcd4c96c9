<?php // Where the gateway's webhooks arrive.

use Centavo\{WebhookError, Webhooks};

require __DIR__ . '/../../clients/php/autoload.php';

// docs:begin verify-webhook
// The raw body, as it came: a parsed one does not verify.
$body = file_get_contents('php://input');
try {
    $event = Webhooks::verify($body, getallheaders(), getenv('CENTAVO_WEBHOOK_SECRET'));
} catch (WebhookError) {
    http_response_code(400);
    exit;
}
if ($event['type'] === 'transaction.paid') {
    $written = file_put_contents(getenv('PAID_ORDERS'), $event['data']['externalRef'] . "\n", FILE_APPEND | LOCK_EX);
    if ($written === false) {
        http_response_code(500);
        exit;
    }
}
// Only now: whatever is not answered 2xx comes again.
http_response_code(204);
// docs:end verify-webhook

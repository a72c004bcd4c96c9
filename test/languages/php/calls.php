<?php

declare(strict_types=1);

use Centavo\ApiError;
use Centavo\Centavo;
use Centavo\CentavoError;
use Centavo\Clock;
use Centavo\ConnectionError;
use Centavo\IgnoredFieldsError;
use Centavo\TimeoutError;

const CHARGE = ['amount' => 2500, 'paymentMethod' => 'PIX'];
const MADE = ['data' => ['id' => '1', 'status' => 'WAITING_PAYMENT'], 'status' => 200, 'message' => ''];
const BALANCE = ['data' => ['availableCents' => 15025]];

$ignoring = static fn () => answer(MADE, 200, ['centavo-ignored' => 'orderCode, customer.nick']);

/** A server on loopback that takes a connection and gives this answer, or nothing for null. */
$server = static function (?string $answer): array {
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $script = <<<'PHP'
        $connection = stream_socket_accept(fopen('php://fd/3', 'r+'));
        if ($argv[1] === '') { sleep(10); }
        fread($connection, 65536);
        fwrite($connection, $argv[1]);
        PHP;
    $process = proc_open([PHP_BINARY, '-r', $script, '--', $answer ?? ''], [3 => $socket], $pipes);
    return ['http://' . stream_socket_get_name($socket, false), $process];
};

return [
    'a call sends the credentials, its body and a key' => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        same(MADE['data'], $fake->client()->transactions->create(CHARGE));
        ['method' => $method, 'url' => $url, 'headers' => $headers, 'body' => $body] = $fake->asked[0];
        same(['POST', 'https://pay.example.com/api/v1/transactions/create'], [$method, $url]);
        same(['app_loja', 'sk_live_loja'], [$headers['X-Client-Id'], $headers['X-API-Key']]);
        same(1, preg_match('/^php_[0-9a-f]{32}$/', $headers['Idempotency-Key']));
        same('application/json', $headers['Content-Type']);
        same(CHARGE, json_decode($body, true));
    },
    'an API key that no header takes is refused at once, and not shown' => static function (): void {
        foreach (['', "sk_live_a\nb", "sk_live_a\u{2026}"] as $apiKey) {
            $error = thrown(CentavoError::class, fn () => new Centavo('https://pay.example.com', 'app_loja', $apiKey));
            same(false, str_contains(told($error), 'sk_live'));
        }
    },
    'an error carries neither the credentials nor a card' => static function (): void {
        $centavo = (new FakeTransport([answer(['code' => 'FORBIDDEN'], 403)]))->client();
        $error = thrown(ApiError::class, fn () => $centavo->cards->tokenize(['number' => '4242424242424242']));
        same([false, false], [str_contains(told($error), '424242'), str_contains(told($error), 'sk_live_loja')]);
    },
    'an id stands in the address as a text, whatever it has in it' => static function (): void {
        $fake = new FakeTransport([answer(['data' => []])]);
        $fake->client()->disputes->get('E1/2:D 1');
        same('https://pay.example.com/api/v1/disputes/E1%2F2%3AD%201', $fake->asked[0]['url']);
    },
    'no text but dots is an id, and leads to another operation' => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        foreach (['', '.', '..'] as $id) {
            thrown(CentavoError::class, fn () => $fake->client()->transactions->cancel($id));
        }
        same([], $fake->asked);
    },
    'a query has only what was given' => static function (): void {
        $fake = new FakeTransport([answer(['items' => []])]);
        $fake->client()->reports->daily(from: '2026-11-21');
        same('https://pay.example.com/api/v1/reports/daily?from=2026-11-21', $fake->asked[0]['url']);
    },
    'an empty body is an object, not a list' => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        $fake->client()->transactions->refund('1');
        same('{}', $fake->asked[0]['body']);
    },
    'an amount in reais stays one, and is not taken for centavos' => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        $fake->client()->transactions->create(['amount' => 49.0] + CHARGE);
        same('{"amount":49.0,"paymentMethod":"PIX"}', $fake->asked[0]['body']);
    },
    'a call is repeated with the same key until the service answers, another call has its own' => static function (): void {
        $fake = new FakeTransport([
            new ConnectionError('lost'),
            answer(['code' => 'STORAGE_UNAVAILABLE'], 503),
            answer(['code' => 'IDEMPOTENCY_IN_PROGRESS'], 409),
            answer(MADE),
            answer(MADE),
        ]);
        $centavo = $fake->client();
        $centavo->transactions->refund('1', ['amount' => 500]);
        $centavo->transactions->refund('1', ['amount' => 500]);
        $keys = $fake->keys();
        same(1, count(array_unique(array_slice($keys, 0, 4))));
        same(false, $keys[4] === $keys[0]);
    },
    'a move of the clock counts from its time, and goes on while there is more' => static function (): void {
        $now = '2026-11-24T12:00:00.000Z';
        $moved = static fn (int $number, bool $hasMore) => answer(['data' => [
            'now' => $now, 'moved' => true, 'until' => null, 'ran' => [['at' => $now, 'kind' => 'release', 'id' => "$number"]], 'hasMore' => $hasMore,
        ]]);
        $fake = new FakeTransport([answer(['data' => ['now' => '2026-11-21T12:00:00.000Z', 'moved' => false, 'until' => null]]), $moved(1, true), answer(['code' => 'INVALID_STATE', 'reason' => 'clock_runs'], 409), $moved(2, false)]);
        $all = $fake->client()->sandbox->advance('P3D');
        same([['1', '2'], false], [array_column($all['ran'], 'id'), $all['hasMore']]);
        same(
            [['advance' => 'P3D', 'from' => '2026-11-21T12:00:00.000Z'], ['set' => $now], ['set' => $now]],
            array_map(static fn (array $asked) => json_decode($asked['body'], true), array_slice($fake->asked, 1)),
        );
        $endless = new FakeTransport(array_fill(0, 100, $moved(1, true)));
        same([true, 100], [$endless->client()->sandbox->setClock($now)['hasMore'], count($endless->asked)]);
    },
    "the caller's own key is the one that is sent" => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        $fake->client()->transactions->create(CHARGE, 'pedido-1001');
        same(['pedido-1001'], $fake->keys());
    },
    'a read has no key' => static function (): void {
        $fake = new FakeTransport([answer(BALANCE)]);
        same(BALANCE['data'], $fake->client()->balance());
        same([null], $fake->keys());
        same('https://pay.example.com/api/v1/balance?currency=BRL', $fake->asked[0]['url']);
    },
    'Retry-After is waited for' => static function (): void {
        $fake = new FakeTransport([answer(['code' => 'TOO_MANY_REQUESTS'], 429, ['retry-after' => '7']), answer(BALANCE)]);
        same(BALANCE['data'], $fake->client()->balance());
        same([7.0], Clock::$waits);
    },
    "a wait of hours is the caller's: the error says how long" => static function (): void {
        $fake = new FakeTransport([answer(['code' => 'TOO_MANY_REQUESTS'], 429, ['retry-after' => '7200'])]);
        $error = thrown(ApiError::class, $fake->client()->balance(...));
        same([true, 7200.0, []], [$error->retryable, $error->retryAfter, Clock::$waits]);
    },
    'a refusal is not repeated, and says its code, fields and sentence' => static function (): void {
        $problem = ['code' => 'VALIDATION_FAILED', 'detail' => 'Invalid fields: amount.', 'errors' => ['amount' => ['must be an integer']]];
        $fake = new FakeTransport([answer($problem, 400)]);
        $error = thrown(ApiError::class, fn () => $fake->client()->transactions->create(CHARGE));
        same([400, 'VALIDATION_FAILED', false, $problem], [$error->status, $error->problemCode, $error->retryable, $error->problem]);
        same('VALIDATION_FAILED: Invalid fields: amount. amount must be an integer', $error->getMessage());
    },
    'an answer that is no problem, as of a proxy, is an error without a code' => static function (): void {
        $bad = answer('<h1>Bad gateway</h1>', 502);
        $error = thrown(ApiError::class, (new FakeTransport([$bad, $bad]))->client(retries: 1)->balance(...));
        same([502, null], [$error->status, $error->problemCode]);
    },
    'an answer that is no JSON has the key to ask again with' => static function (): void {
        $fake = new FakeTransport([answer('<h1>Welcome</h1>')]);
        $error = thrown(ConnectionError::class, fn () => $fake->client()->transactions->create(CHARGE));
        same($fake->keys(), [$error->idempotencyKey]);
    },
    'a key with a line break is no further header' => static function (): void {
        $fake = new FakeTransport([answer(MADE)]);
        $key = "pedido\r\nX-Client-Id: app_outra";
        thrown(InvalidArgumentException::class, fn () => $fake->client()->transactions->create(CHARGE, $key));
        same([], $fake->asked);
    },
    'a withdraw without any PIX key says so' => static function (): void {
        $fake = new FakeTransport([answer(['message' => 'No PIX key.'], 400)]);
        $error = thrown(ApiError::class, fn () => $fake->client()->withdraws->request(['amount' => 1000]));
        same('No PIX key.', $error->getMessage());
    },
    'without any answer the error has the key to ask again with' => static function (): void {
        $fake = new FakeTransport([new ConnectionError('lost'), new TimeoutError('late')]);
        $error = thrown(TimeoutError::class, fn () => $fake->client(retries: 1)->transactions->create(CHARGE));
        same([true, [$error->idempotencyKey, $error->idempotencyKey]], [$error->retryable, $fake->keys()]);
    },
    'with a key of a test environment an ignored field throws, and tells what was done' => static function () use ($ignoring): void {
        $fake = new FakeTransport([$ignoring()]);
        $error = thrown(IgnoredFieldsError::class, fn () => $fake->client(apiKey: 'sk_test_loja')->transactions->create(CHARGE));
        same([['orderCode', 'customer.nick'], MADE], [$error->fields, $error->answer]);
    },
    'with a real key it does not, unless asked for' => static function () use ($ignoring): void {
        $fake = new FakeTransport([$ignoring(), $ignoring()]);
        same(MADE['data'], $fake->client()->transactions->create(CHARGE));
        thrown(IgnoredFieldsError::class, fn () => $fake->client(throwOnIgnored: true)->transactions->create(CHARGE));
    },
    'a dry run has its own address, a confirmed duplicate names the earlier withdraw' => static function (): void {
        $fake = new FakeTransport([answer(['accepted' => true]), answer(['id' => 42], 201)]);
        $asked = ['amount' => 1000, 'pixKey' => 'maria@example.com'];
        same(['accepted' => true], $fake->client()->withdraws->dryRun($asked));
        same(['id' => 42], $fake->client()->withdraws->request($asked, 41));
        same(
            ['/api/v1/withdraws/preview', '/api/Withdraw/request'],
            array_map(static fn (array $each): string => parse_url($each['url'], PHP_URL_PATH), $fake->asked),
        );
        same([null, '41'], array_map(static fn (array $each): ?string => $each['headers']['X-Confirm-Duplicate'] ?? null, $fake->asked));
    },
    'ext-curl gives the status, headers and body, and follows no redirect' => static function () use ($server): void {
        [$url, $process] = $server("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        $error = thrown(ApiError::class, (new Centavo($url, 'app_loja', 'sk_live_loja'))->balance(...));
        same(302, $error->status);
        proc_close($process);
    },
    'an attempt that takes too long is given up' => static function () use ($server): void {
        [$url, $process] = $server(null);
        $centavo = new Centavo($url, 'app_loja', 'sk_live_loja', timeout: 0.05, retries: 0);
        thrown(TimeoutError::class, $centavo->balance(...));
        proc_terminate($process);
    },
    'a service that is not there is no answer' => static function (): void {
        $centavo = new Centavo('http://127.0.0.1:1', 'app_loja', 'sk_live_loja', retries: 0);
        same(ConnectionError::class, thrown(ConnectionError::class, $centavo->balance(...))::class);
    },
];

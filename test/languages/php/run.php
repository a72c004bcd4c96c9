<?php

declare(strict_types=1);

// Runs the tests of the PHP client: each file returns its tests by their names. Exits with 1 where one fails.

require __DIR__ . '/../../../clients/php/autoload.php';
require __DIR__ . '/clock.php';
require __DIR__ . '/FakeTransport.php';

set_error_handler(static fn (int $level, string $text) => throw new ErrorException($text, 0, $level));

/** Throws where they are not the same. */
function same(mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new RuntimeException('expected ' . var_export($expected, true) . ', found ' . var_export($found, true));
    }
}

/**
 * What a call throws, which must be of this class.
 *
 * @template T of Throwable
 * @param class-string<T> $class
 * @return T
 */
function thrown(string $class, callable $call): Throwable
{
    try {
        $call();
    } catch (Throwable $error) {
        return $error instanceof $class ? $error : throw $error;
    }
    throw new RuntimeException("$class was not thrown");
}

$passed = 0;
$failed = 0;
foreach (['calls', 'every-call', 'events', 'vectors'] as $file) {
    foreach (require __DIR__ . "/$file.php" as $name => $test) {
        Centavo\Clock::$waits = [];
        try {
            $test();
            $passed++;
        } catch (Throwable $error) {
            $failed++;
            echo "FAILED: $name\n$error\n";
        }
    }
}
echo "$passed passed, $failed failed\n";
exit($failed === 0 && $passed > 0 ? 0 : 1);

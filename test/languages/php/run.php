<?php

declare(strict_types=1);

// Runs the tests of the PHP client: each file returns its tests by their names. Exits with 1 where one fails.

require __DIR__ . '/../../../clients/php/autoload.php';
require __DIR__ . '/clock.php';
require __DIR__ . '/FakeTransport.php';

// As where PHP is not set up for production: errors carry the arguments of their calls.
ini_set('zend.exception_ignore_args', '0');
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

/** What the client's calls were given, as a report of an error shows it. */
function told(Throwable $error): string
{
    $ours = array_filter($error->getTrace(), static fn (array $call): bool => str_starts_with($call['class'] ?? '', 'Centavo\\'));
    return $error->getMessage() . print_r(array_column($ours, 'args'), true);
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

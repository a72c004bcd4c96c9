<?php

declare(strict_types=1);

use Centavo\Clock;
use Centavo\MissingEventError;

/** A page of the events with these numbers. */
$page = static fn (array $numbers, bool $hasMore = false) => answer([
    'items' => array_map(static fn (int $number): array => ['companySequence' => $number], $numbers),
    'after' => '0',
    'hasMore' => $hasMore,
]);

/** The numbers that an iteration yields, and after which ones it asked. */
$numbersOf = static function (array $pages, int $most = PHP_INT_MAX, mixed ...$options): array {
    $fake = new FakeTransport($pages);
    $numbers = [];
    foreach ($fake->client()->events->iterate(...$options) as $event) {
        $numbers[] = $event['companySequence'];
        if (count($numbers) === $most) {
            break;
        }
    }
    $asked = array_map(static function (array $each): string {
        parse_str(parse_url($each['url'], PHP_URL_QUERY), $query);
        return $query['after'];
    }, $fake->asked);
    return [$numbers, $asked];
};

return [
    'events come page by page, each once, to the newest one' => static function () use ($page, $numbersOf): void {
        same([[1, 2, 3], ['0', '2']], $numbersOf([$page([1, 2], true), $page([3])]));
    },
    'they go on after the last one that was handled' => static function () use ($page, $numbersOf): void {
        same([[8, 9], ['7']], $numbersOf([$page([8, 9])], after: 7));
    },
    'a number that is missing is waited for' => static function () use ($page, $numbersOf): void {
        same([[1, 2, 3], ['0', '1', '1']], $numbersOf([$page([1, 3]), $page([3]), $page([2, 3])]));
    },
    'a number that never comes is an error, not a silence' => static function () use ($page, $numbersOf): void {
        thrown(MissingEventError::class, fn () => $numbersOf(array_fill(0, 40, $page([2]))));
    },
    'each gap has its own time' => static function () use ($page, $numbersOf): void {
        $pages = [...array_fill(0, 20, $page([2])), $page([1, 2, 4]), ...array_fill(0, 20, $page([4])), $page([3, 4])];
        same([1, 2, 3, 4], $numbersOf($pages)[0]);
    },
    'to follow them waits for new ones, over failures of the service' => static function () use ($page, $numbersOf): void {
        $failed = answer(['code' => 'STORAGE_UNAVAILABLE'], 503);
        [$numbers, $asked] = $numbersOf([$page([1]), $page([]), $failed, $page([2])], 2, follow: true);
        same([[1, 2], 4], [$numbers, count($asked)]);
    },
    'an empty page is not asked for again at once' => static function () use ($page, $numbersOf): void {
        same([1], $numbersOf([$page([], true), $page([1])], pollSeconds: 5)[0]);
        same([5.0], Clock::$waits);
    },
];

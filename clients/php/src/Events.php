<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * The company's events, in order and without gaps.
 *
 * @phpstan-import-type Event from Generated\Types
 * @phpstan-import-type EventDetail from Generated\Types
 * @phpstan-import-type Events from Generated\Types as EventsPage
 */
final class Events
{
    private const PAGE = 100;
    /** An event is in the list seconds after it happened; a number that is missing for longer is a fault. */
    private const GAP_SECONDS = 120;

    public function __construct(private readonly Operations $operations)
    {
    }

    /**
     * An event with its deliveries and each attempt.
     *
     * @return EventDetail
     */
    public function get(string $id): array
    {
        return $this->operations->getEvent($id);
    }

    /**
     * A page of events, oldest first where `order` does not say otherwise.
     *
     * @param 'oldest'|'newest'|null $order
     * @return EventsPage
     */
    public function list(?string $after = null, ?int $limit = null, ?string $order = null): array
    {
        return $this->operations->listEvents(after: $after, limit: $limit, order: $order);
    }

    /**
     * Each event after one, once, in order: keep the `companySequence` of what you handled, and begin there after a crash.
     * `follow` waits for new events, without end; else it ends at the newest one. A number that is missing is an event
     * that is being written: it is waited for, and throws `MissingEventError` after two minutes.
     *
     * @return \Generator<int, Event>
     */
    public function iterate(int $after = 0, bool $follow = false, float $pollSeconds = 5.0): \Generator
    {
        $last = $after;
        $gapSince = null;
        while (true) {
            $before = $last;
            ['items' => $items, 'hasMore' => $hasMore] = $this->operations->listEvents((string) $last, self::PAGE);
            foreach ($items as $event) {
                if ($event['companySequence'] !== $last + 1) {
                    break;
                }
                yield $event;
                $last = $event['companySequence'];
            }
            $newest = $items === [] ? $last : end($items)['companySequence'];
            $hasMoved = $last !== $before;
            if ($newest === $last) {
                $gapSince = null;
            } elseif ($hasMoved || $gapSince === null) {
                $gapSince = hrtime(true);
            }
            if ($gapSince !== null && hrtime(true) - $gapSince > self::GAP_SECONDS * 1_000_000_000) {
                throw new MissingEventError('Event ' . ($last + 1) . ' is missing.', true);
            }
            $isNewest = $gapSince === null && !$hasMore;
            if ($isNewest && !$follow) {
                return;
            }
            if ($isNewest || $gapSince !== null || !$hasMoved) {
                usleep((int) round($pollSeconds * 1_000_000));
            }
        }
    }
}

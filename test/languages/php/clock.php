<?php

declare(strict_types=1);

// The client's waits take no time: functions of its namespace come before PHP's own.

namespace Centavo;

final class Clock
{
    /** @var list<float> what was waited, in seconds */
    public static array $waits = [];
}

function usleep(int $microseconds): void
{
    Clock::$waits[] = $microseconds / 1e6;
}

function hrtime(bool $asNumber): int
{
    return (int) (array_sum(Clock::$waits) * 1_000_000_000);
}

<?php

declare(strict_types=1);

namespace Centavo;

/** No answer came in time. */
final class TimeoutError extends ConnectionError
{
}

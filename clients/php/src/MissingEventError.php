<?php

declare(strict_types=1);

namespace Centavo;

/** An event is missing in the list for longer than it takes to be written. */
final class MissingEventError extends CentavoError
{
}

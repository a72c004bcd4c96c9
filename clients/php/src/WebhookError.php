<?php

declare(strict_types=1);

namespace Centavo;

/** A webhook that is not the gateway's, or not as it was sent. */
final class WebhookError extends CentavoError
{
}

<?php

declare(strict_types=1);

namespace Centavo;

use Centavo\Generated\Operations;

/**
 * The company's own limits and rules.
 *
 * @phpstan-import-type ChangeCompanySettingsInput from Generated\Types
 * @phpstan-import-type CompanySettings from Generated\Types
 */
final class Settings
{
    public function __construct(private readonly Operations $operations)
    {
    }

    /** @return CompanySettings */
    public function get(): array
    {
        return $this->operations->getCompanySettings();
    }

    /**
     * What is stricter holds at once, what is looser later: it stands in `pending`.
     *
     * @param ChangeCompanySettingsInput $body
     * @return CompanySettings
     */
    public function change(#[\SensitiveParameter] array $body): array
    {
        return $this->operations->changeCompanySettings($body);
    }
}

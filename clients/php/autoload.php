<?php

declare(strict_types=1);

// For a project without Composer: loads the classes of this package where they are named.

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Centavo\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 8)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
require __DIR__ . '/src/brl.php';

<?php

declare(strict_types=1);

// Each method of each part of the client sends one request, with what it was given.

use Centavo\Centavo;

/** A value for a parameter, to be found again in the request. */
$valueOf = static fn (ReflectionParameter $parameter): mixed => match ((string) $parameter->getType()) {
    'array' => ['given' => $parameter->getName()],
    'string', '?string' => "a-{$parameter->getName()}",
    'int', '?int' => 7041,
};

/** Methods that send no request, or several. */
$others = ['verify', 'iterate', 'advance', 'setClock'];

$tests = [];
$parts = new ReflectionClass(Centavo::class);
foreach ($parts->getProperties(ReflectionProperty::IS_PUBLIC) as $property) {
    $part = new ReflectionClass($property->getType()->getName());
    foreach ($part->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
        $name = $method->getName();
        if ($method->isConstructor() || in_array($name, $others, true)) {
            continue;
        }
        $tests["{$property->getName()}->$name sends what it was given"] = static function () use ($property, $method, $valueOf): void {
            $fake = new FakeTransport([answer(['data' => ['given' => 'back']])]);
            $given = array_map($valueOf, $method->getParameters());
            $method->invokeArgs($property->getValue($fake->client()), $given);
            same(1, count($fake->asked));
            ['url' => $url, 'headers' => $headers, 'body' => $body] = $fake->asked[0];
            $sent = implode(' ', [urldecode($url), ...$headers, $body]);
            foreach ($given as $value) {
                same(true, str_contains($sent, is_array($value) ? json_encode($value) : (string) $value));
            }
        };
    }
}
return $tests;

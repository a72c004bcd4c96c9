#!/usr/bin/env python3
"""Tests `verify_ledger.py` with the golden vectors: `python3 tools/ops/test_verify_ledger.py`."""

import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import verify_ledger  # noqa: E402

ROOT = os.path.join(HERE, "..", "..")
with open(os.path.join(ROOT, "test", "vectors", "ledger.json"), encoding="utf-8") as vectors:
    VECTORS = json.load(vectors)


def verdict_of(statement):
    try:
        verify_ledger.verify(
            (verify_ledger.csv_line(line) for line in statement["lines"]),
            statement["balance"],
            statement["anchors"],
            statement["publicKey"],
        )
    except verify_ledger.Broken as error:
        return str(error)
    return "OK"


def hash_of(vector):
    lines = [[line[part] for part in ("account", "amount", "balance")] for line in vector["movement"]["lines"]]
    return verify_ledger.movement_hash(vector["previous"], {**vector["movement"], "lines": lines})


class GoldenVectors(unittest.TestCase):
    def test_movements_have_their_hashes(self):
        for vector in VECTORS["movements"]:
            self.assertEqual(hash_of(vector), vector["hash"])
            if vector["details"] is not None:
                details = verify_ledger.sha256(vector["details"])
                self.assertEqual(details, vector["movement"]["detailsHash"])

    def test_statements_have_their_verdicts(self):
        for statement in VECTORS["statements"]:
            with self.subTest(statement["name"]):
                self.assertEqual(verdict_of(statement), statement["verdict"])

    def test_exit_codes_follow_the_verdicts(self):
        header = ",".join(verify_ledger.COLUMNS)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "statement.csv")
            for statement in VECTORS["statements"]:
                if statement["balance"] or statement["anchors"] or statement["publicKey"]:
                    continue
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write("\r\n".join([header, *statement["lines"], ""]))
                code = verify_ledger.main([path])
                # Nothing is pinned.
                self.assertEqual(code, 3 if statement["verdict"] == "OK" else 1, statement["name"])

    def test_other_files_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "statement.csv")
            for text in ("", "a,b,c\n1,2,3\n"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertEqual(verify_ledger.main([path]), 1)


if __name__ == "__main__":
    unittest.main(buffer=True)

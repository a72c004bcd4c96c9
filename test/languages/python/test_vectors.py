import json
import unittest
from pathlib import Path

import centavo

VECTORS = json.loads((Path(__file__).parents[2] / "vectors/clients.json").read_text("utf-8"))


class Webhooks(unittest.TestCase):
    given = VECTORS["webhooks"]

    def verify(self, case, as_type=str.encode):
        body = as_type(case.get("body", self.given["body"]))
        secret = case.get("secret", self.given["secret"])
        return centavo.webhooks.verify(body, case["headers"], secret, now=self.given["now"])

    def test_a_webhook_is_its_event(self):
        for case in self.given["accepted"]:
            for as_type in (str, str.encode):
                with self.subTest(case["name"], as_type=as_type):
                    event = self.verify(case, as_type)
                    self.assertEqual(event, json.loads(case.get("body", self.given["body"])))

    def test_any_other_is_refused(self):
        for case in self.given["refused"]:
            with self.subTest(case["name"]), self.assertRaises(centavo.WebhookError):
                self.verify(case)

    def test_a_body_that_was_parsed_is_refused_in_words(self):
        with self.assertRaisesRegex(centavo.WebhookError, "raw"):
            self.verify(self.given["accepted"][0], json.loads)

    def test_headers_that_are_no_texts_are_refused(self):
        for value in (None, ["v1,AAAA"], b"v1,AAAA"):
            headers = {**self.given["accepted"][0]["headers"], "webhook-signature": value}
            with self.subTest(value), self.assertRaises(centavo.WebhookError):
                self.verify({"headers": headers})

    def test_by_the_clock_an_old_one_is_refused(self):
        case = self.given["accepted"][0]
        with self.assertRaisesRegex(centavo.WebhookError, "clock"):
            centavo.webhooks.verify(self.given["body"], case["headers"], self.given["secret"])


class Brl(unittest.TestCase):
    def test_reads_what_a_brazilian_writes(self):
        for case in VECTORS["brl"]["read"]:
            self.assertEqual(centavo.brl(case["text"]), case["cents"])

    def test_refuses_any_other_text(self):
        for text in VECTORS["brl"]["refused"]:
            with self.subTest(text), self.assertRaises(ValueError):
                centavo.brl(text)

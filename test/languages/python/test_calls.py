import json
import unittest
from unittest import mock

import centavo
from fake_service import LOST, SILENCE, FakeService, answer

CHARGE = {"amount": 2500, "paymentMethod": "PIX"}
MADE = {"data": {"id": "1", "status": "WAITING_PAYMENT"}, "status": 200, "message": ""}
BALANCE = {"data": {"availableCents": 15025}}


def problem(status, **members):
    return answer({"status": status, **members}, status)


class Calls(unittest.TestCase):
    def setUp(self):
        waits = mock.patch("centavo.http.time.sleep")
        self.sleep = waits.start()
        self.addCleanup(waits.stop)

    def service(self, *answers, **options):
        return self.enter(FakeService(answers, **options))

    def enter(self, service):
        self.addCleanup(service.__exit__)
        return service

    def test_a_call_sends_the_credentials_its_body_and_a_key(self):
        service = self.service(answer(MADE))
        self.assertEqual(service.centavo.transactions.create(CHARGE), MADE["data"])
        [(method, path, headers, body)] = service.asked
        self.assertEqual((method, path), ("POST", "/api/v1/transactions/create"))
        self.assertEqual(headers["X-Client-Id"], "app_loja")
        self.assertEqual(headers["X-API-Key"], "sk_live_loja")
        self.assertRegex(headers["Idempotency-Key"], "^py_[0-9a-f-]{36}$")
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(json.loads(body), CHARGE)

    def test_an_api_key_that_no_header_takes_is_refused_at_once_and_not_shown(self):
        for api_key in ("", "sk_live_a\nb", "sk_live_a\u2026"):
            with self.subTest(api_key):
                with self.assertRaises(centavo.CentavoError) as raised:
                    centavo.Centavo("https://pay.example.com", "app_loja", api_key)
                self.assertNotIn("sk_live", str(raised.exception))

    def test_an_id_stands_in_the_address_as_a_text_whatever_it_has_in_it(self):
        service = self.service(answer({"data": {}}))
        service.centavo.disputes.get("E1/2:D 1")
        self.assertEqual(service.asked[0][1], "/api/v1/disputes/E1%2F2%3AD%201")

    def test_no_text_but_dots_is_an_id_and_leads_to_another_operation(self):
        service = self.service(answer(MADE))
        for id in ("", ".", ".."):
            with self.subTest(id), self.assertRaises(centavo.CentavoError):
                service.centavo.transactions.cancel(id)
        self.assertEqual(service.asked, [])

    def test_a_query_has_the_apis_names_and_only_what_was_given(self):
        service = self.service(answer({"items": []}))
        service.centavo.reports.daily(from_="2026-11-21")
        self.assertEqual(service.asked[0][1], "/api/v1/reports/daily?from=2026-11-21")

    def test_a_call_is_repeated_with_the_same_key_until_the_service_answers(self):
        service = self.service(
            LOST,
            problem(503, code="STORAGE_UNAVAILABLE"),
            problem(409, code="IDEMPOTENCY_IN_PROGRESS"),
            answer(MADE),
            answer(MADE),
        )
        service.centavo.transactions.refund("1", {"amount": 500})
        service.centavo.transactions.refund("1", {"amount": 500})
        self.assertEqual(len(set(service.keys[:4])), 1)
        self.assertNotEqual(service.keys[4], service.keys[0])

    def test_a_move_of_the_clock_counts_from_its_time_and_goes_on_while_there_is_more(self):
        now = "2026-11-24T12:00:00.000Z"

        def moved(number, has_more):
            ran = [{"at": now, "kind": "release", "id": str(number)}]
            return answer({"data": {"now": now, "moved": True, "until": None, "ran": ran, "hasMore": has_more}})

        before = answer({"data": {"now": "2026-11-21T12:00:00.000Z", "moved": False, "until": None}})
        busy = problem(409, code="INVALID_STATE", reason="clock_runs")
        service = self.service(before, moved(1, True), busy, moved(2, False))
        got = service.centavo.sandbox.advance("P3D")
        self.assertEqual(([each["id"] for each in got["ran"]], got["hasMore"]), (["1", "2"], False))
        self.assertEqual(
            [json.loads(body) for (*_, body) in service.asked[1:]],
            [{"advance": "P3D", "from": "2026-11-21T12:00:00.000Z"}, {"set": now}, {"set": now}],
        )
        endless = self.service(*[moved(1, True)] * 100)
        self.assertTrue(endless.centavo.sandbox.set_clock(now)["hasMore"])
        self.assertEqual(len(endless.asked), 100)

    def test_the_callers_own_key_is_the_one_that_is_sent(self):
        service = self.service(answer(MADE))
        service.centavo.transactions.create(CHARGE, idempotency_key="pedido-1001")
        self.assertEqual(service.keys, ["pedido-1001"])

    def test_a_read_has_no_key(self):
        service = self.service(answer(BALANCE))
        self.assertEqual(service.centavo.balance(), BALANCE["data"])
        self.assertEqual(service.keys, [None])
        self.assertEqual(service.asked[0][1], "/api/v1/balance?currency=BRL")

    def test_retry_after_is_waited_for(self):
        busy = answer({"code": "TOO_MANY_REQUESTS"}, 429, {"Retry-After": "7"})
        service = self.service(busy, answer(BALANCE))
        self.assertEqual(service.centavo.balance(), BALANCE["data"])
        self.sleep.assert_called_once_with(7.0)

    def test_a_wait_of_hours_is_the_callers(self):
        busy = answer({"code": "TOO_MANY_REQUESTS"}, 429, {"Retry-After": "7200"})
        service = self.service(busy)
        with self.assertRaises(centavo.ApiError) as failed:
            service.centavo.balance()
        self.assertTrue(failed.exception.retryable)
        self.assertEqual(failed.exception.retry_after, 7200)
        self.sleep.assert_not_called()

    def test_a_refusal_is_not_repeated_and_says_its_code_fields_and_sentence(self):
        errors = {"amount": ["must be an integer number of centavos"]}
        service = self.service(
            problem(400, code="VALIDATION_FAILED", detail="Invalid fields: amount.", errors=errors)
        )
        with self.assertRaises(centavo.ApiError) as failed:
            service.centavo.transactions.create(CHARGE)
        error = failed.exception
        self.assertEqual(
            (error.status, error.code, error.retryable), (400, "VALIDATION_FAILED", False)
        )
        self.assertEqual(error.problem["errors"], errors)
        self.assertEqual(
            str(error),
            "VALIDATION_FAILED: Invalid fields: amount. amount must be an integer number of centavos",
        )

    def test_an_answer_that_is_no_problem_is_an_error_without_a_code(self):
        bad_gateway = answer(b"<h1>Bad gateway</h1>", 502)
        service = self.service(bad_gateway, bad_gateway, retries=1)
        with self.assertRaises(centavo.ApiError) as failed:
            service.centavo.balance()
        self.assertEqual((failed.exception.code, failed.exception.status), (None, 502))

    def test_an_answer_that_is_no_json_has_the_key_to_ask_again_with(self):
        service = self.service(answer(b"<h1>Welcome</h1>"))
        with self.assertRaises(centavo.ConnectionError) as failed:
            service.centavo.transactions.create(CHARGE)
        self.assertEqual([failed.exception.idempotency_key], service.keys)

    def test_a_withdraw_without_any_pix_key_says_so(self):
        service = self.service(answer({"message": "No PIX key."}, 400))
        with self.assertRaisesRegex(centavo.ApiError, "^No PIX key.$"):
            service.centavo.withdraws.request({"amount": 1000})

    def test_a_redirect_is_not_followed_with_the_credentials(self):
        service = self.service(answer(b"", 302, {"Location": "/elsewhere"}))
        with self.assertRaises(centavo.ApiError) as failed:
            service.centavo.balance()
        self.assertEqual((failed.exception.status, len(service.asked)), (302, 1))

    def test_without_any_answer_the_error_has_the_key_to_ask_again_with(self):
        service = self.service(LOST, LOST, retries=1)
        with self.assertRaises(centavo.ConnectionError) as failed:
            service.centavo.transactions.create(CHARGE)
        self.assertTrue(failed.exception.retryable)
        self.assertEqual([failed.exception.idempotency_key] * 2, service.keys)

    def test_an_attempt_that_takes_too_long_is_given_up(self):
        service = self.service(SILENCE, retries=0, timeout=0.05)
        with self.assertRaises(centavo.TimeoutError):
            service.centavo.balance()

    def test_with_a_key_of_a_test_environment_an_ignored_field_raises_and_tells_what_was_done(self):
        service = self.service(ignoring(), api_key="sk_test_loja")
        with self.assertRaises(centavo.IgnoredFieldsError) as failed:
            service.centavo.transactions.create(CHARGE)
        self.assertEqual(failed.exception.fields, ["orderCode", "customer.nick"])
        self.assertEqual(failed.exception.answer, MADE)

    def test_with_a_real_key_it_does_not_unless_asked_for(self):
        self.assertEqual(
            self.service(ignoring()).centavo.transactions.create(CHARGE), MADE["data"]
        )
        strict = self.service(ignoring(), raise_on_ignored=True)
        with self.assertRaises(centavo.IgnoredFieldsError):
            strict.centavo.transactions.create(CHARGE)

    def test_a_dry_run_has_its_own_address_a_confirmed_duplicate_names_the_earlier_withdraw(self):
        service = self.service(answer({"accepted": True}), answer({"id": 42}, 201))
        asked = {"amount": 1000, "pixKey": "maria@example.com"}
        self.assertEqual(service.centavo.withdraws.dry_run(asked), {"accepted": True})
        made = service.centavo.withdraws.request(asked, confirmed_duplicate=41)
        self.assertEqual(made, {"id": 42})
        self.assertEqual(
            [(path, headers["X-Confirm-Duplicate"]) for _, path, headers, _ in service.asked],
            [("/api/v1/withdraws/preview", None), ("/api/Withdraw/request", "41")],
        )

    def test_a_file_is_asked_for_by_its_media_type(self):
        service = self.service(answer(b"%PDF-", headers={"Content-Type": "application/pdf"}))
        self.assertEqual(service.centavo.transactions.receipt_pdf("1"), b"%PDF-")
        accepted = service.asked[0][2]["Accept"]
        self.assertEqual(accepted, "application/pdf, application/problem+json")


def ignoring():
    return answer(MADE, headers={"Centavo-Ignored": "orderCode, customer.nick"})

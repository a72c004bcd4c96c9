import itertools
import unittest
from unittest import mock

import centavo
from fake_service import FakeService, answer


def page(numbers, has_more=False):
    items = [{"companySequence": number} for number in numbers]
    return answer({"items": items, "after": "0", "hasMore": has_more})


class Events(unittest.TestCase):
    def setUp(self):
        self.clock = 0.0

        def sleep(seconds):
            self.clock += seconds

        for name, replaced in [("sleep", sleep), ("monotonic", lambda: self.clock)]:
            patch = mock.patch(f"centavo.events.time.{name}", side_effect=replaced)
            patch.start()
            self.addCleanup(patch.stop)

    def numbers(self, *pages, most=None, **options):
        with FakeService(pages) as service:
            events = itertools.islice(service.centavo.events.iterate(**options), most)
            numbers = [event["companySequence"] for event in events]
            asked = [path.split("?")[1] for _, path, _, _ in service.asked]
        return numbers, [query.replace("&limit=100", "") for query in asked]

    def test_events_come_page_by_page_each_once_to_the_newest_one(self):
        numbers = self.numbers(page([1, 2], True), page([3]))
        self.assertEqual(numbers, ([1, 2, 3], ["after=0", "after=2"]))

    def test_they_go_on_after_the_last_one_that_was_handled(self):
        self.assertEqual(self.numbers(page([8, 9]), after=7), ([8, 9], ["after=7"]))

    def test_a_number_that_is_missing_is_waited_for(self):
        numbers = self.numbers(page([1, 3]), page([3]), page([2, 3]))
        self.assertEqual(numbers, ([1, 2, 3], ["after=0", "after=1", "after=1"]))

    def test_a_number_that_never_comes_is_an_error_not_a_silence(self):
        with self.assertRaises(centavo.MissingEventError):
            self.numbers(*[page([2])] * 40)

    def test_each_gap_has_its_own_time(self):
        pages = [page([2])] * 20 + [page([1, 2, 4])] + [page([4])] * 20 + [page([3, 4])]
        self.assertEqual(self.numbers(*pages)[0], [1, 2, 3, 4])

    def test_to_follow_them_waits_for_new_ones_over_failures_of_the_service(self):
        failed = answer({"code": "STORAGE_UNAVAILABLE"}, 503)
        numbers, asked = self.numbers(page([1]), page([]), failed, page([2]), follow=True, most=2)
        self.assertEqual((numbers, len(asked)), ([1, 2], 4))

    def test_an_empty_page_is_not_asked_for_again_at_once(self):
        numbers, _ = self.numbers(page([], True), page([1]), poll_seconds=5)
        self.assertEqual((numbers, self.clock), ([1], 5))

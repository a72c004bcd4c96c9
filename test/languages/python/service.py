"""Each part of the client against a service; prints as JSON what came, which test/languages/checks.ts compares."""

import json
import os

from centavo import ApiError, Centavo, IgnoredFieldsError, brl

URL = os.environ["CENTAVO_URL"]
client = Centavo(URL, "app_local_outra", "sk_test_local_outra")


def failure(call):
    try:
        call()
    except (ApiError, IgnoredFieldsError) as error:
        return error
    raise AssertionError("the call did not fail")


made = client.transactions.create(
    {"amount": brl("100,00"), "paymentMethod": "PIX", "externalRef": "python-1"}
)
id = made["id"]
unpaid = client.transactions.create({"amount": 500, "paymentMethod": "PIX"})
png = client.transactions.qr_png(id)
client.sandbox.pay(id)
refunded = client.transactions.refund(id, {"amount": brl("20,00")})
refusal = failure(lambda: client.transactions.refund(id, {"amount": brl("90,00")}))
uncaptured = failure(lambda: client.transactions.capture(id))
unknown = failure(
    lambda: client.transactions.create({"amount": 700, "paymentMethod": "PIX", "zigzag": 1})
)
asked = {"amount": brl("12,00"), "pixKey": "python@example.com"}
withdraw = client.withdraws.request(asked)
endpoint = client.webhooks.endpoints.create({"url": f"{URL}/health", "events": ["*"]})
client.webhooks.endpoints.delete(endpoint["id"])
code = client.codes.create({"amount": brl("10,00")})
link = client.links.create({"name": "Curso", "amount": brl("500,00")})
found = client.transactions.search({"externalRef": "python-1"})["items"]
sequences = []
for event in client.events.iterate(follow=True, poll_seconds=0.1):
    sequences.append(event["companySequence"])
    if event["type"] == "transaction.partially_refunded" and event["data"]["id"] == id:
        break

print(
    json.dumps(
        {
            "company": client.me()["company"]["name"],
            "png": png[1:4].decode(),
            "cancelled": client.transactions.cancel(unpaid["id"])["status"],
            "refundedAmount": refunded["refundedAmount"],
            "refusal": refusal.problem["refundableCents"],
            "uncaptured": uncaptured.code,
            "ignored": unknown.fields,
            "paid": client.transactions.get(id)["paidAmount"],
            "found": len(found),
            "timeline": len(client.transactions.timeline(id)["items"]) > 2,
            "receipt": "signature" in client.transactions.receipt(id),
            "pdf": client.transactions.receipt_pdf(id)[:5].decode(),
            "accepted": client.withdraws.dry_run({**asked, "amount": 1100})["accepted"],
            "cancelledWithdraw": client.withdraws.cancel(withdraw["id"])["enTransaction"],
            "available": isinstance(client.balance()["availableCents"], int),
            "day": [each["gross"] > 0 for each in client.reports.daily()["items"]],
            "csv": client.transactions.search_csv({"externalRef": "python-1"}).count("python-1"),
            "endpoint": endpoint["secret"][:6],
            "code": client.codes.delete(code["id"])["amount"],
            "link": client.links.change(link["id"], {"active": False})["status"],
            "disputes": client.disputes.list()["items"],
            "inOrder": sequences == list(range(1, len(sequences) + 1)),
        }
    )
)

"""A shop's day in nine steps, on the package `centavo`. Amounts are centavos."""

# docs:begin connect
import os
import queue
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from centavo import Centavo, ConnectionError, WebhookError, brl

base_url = os.environ.get("CENTAVO_URL", "http://localhost:8787")
client_id = os.environ.get("CENTAVO_CLIENT_ID", "app_local_loja")
api_key = os.environ.get("CENTAVO_API_KEY", "sk_test_local_loja")
centavo = Centavo(base_url, client_id, api_key)
# The number of an order, new in each run.
order = f"pedido-py-{time.time_ns()}"
# docs:end connect

# 1. A PIX charge and its QR code.
# docs:begin create-charge
customer = {"name": "Maria da Silva", "document": {"type": "CPF", "number": "12345678909"}}
charge = centavo.transactions.create(
    {"amount": brl("1.000,00"), "paymentMethod": "PIX", "externalRef": order, "customer": customer}
)
print(f"pix        {charge['amountText']} {charge['status']}")
print(charge["pix"]["qrcode"])
# docs:end create-charge

# docs:begin qr
Path("qr.svg").write_text(centavo.transactions.qr(charge["id"]))
print("qr         qr.svg")
# docs:end qr

# 2. A boleto.
# docs:begin boleto
boleto = centavo.transactions.create(
    {"amount": brl("89,90"), "paymentMethod": "BOLETO",
     "customer": customer, "boleto": {"expiresInDays": 3}}
)
print(f"boleto     {boleto['boleto']['digitableLine']}")
# docs:end boleto

# 3. A card by its token: in a live shop the payer's page makes the token, so no server sees the number.
# docs:begin card
card = {"number": "4242424242424242", "holderName": "MARIA DA SILVA", "cvv": "123",
        "expirationMonth": 12, "expirationYear": 2035}
token = centavo.cards.tokenize(card)["token"]
sale = centavo.transactions.create(
    {"amount": brl("149,00"), "paymentMethod": "CREDIT_CARD", "installments": 3,
     "customer": customer, "card": {"token": token}}
)
print(f"card       {sale['status']}")
# docs:end card

# 4. The payer pays, and the gateway tells the shop by a webhook.
# docs:begin verify-webhook
secret = ""
payments = queue.Queue()


class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw body, as it came: a parsed one does not verify.
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = centavo.webhooks.verify(body, self.headers, secret)
        except WebhookError:
            return self.reply(400)
        if event["type"] == "transaction.paid":
            payments.put(event["data"])
        # Only now: whatever is not answered 2xx comes again.
        self.reply(204)

    def reply(self, status):
        self.send_response(status)
        self.end_headers()
# docs:end verify-webhook


# docs:begin endpoint
shop = HTTPServer(("127.0.0.1", 0), Shop)
threading.Thread(target=shop.serve_forever, daemon=True).start()
hook = f"http://127.0.0.1:{shop.server_port}/hook"
endpoint = centavo.webhooks.endpoints.create({"url": hook, "events": ["transaction.paid"]})
secret = endpoint["secret"]
# docs:end endpoint
# docs:begin pay
centavo.sandbox.pay(charge["id"])
# docs:end pay
payment = payments.get(timeout=30)
print(f"webhook    {'verified' if payment['externalRef'] == order else 'of another order'}")
centavo.webhooks.endpoints.delete(endpoint["id"])
shop.shutdown()


# 5. A call without an answer: this client loses it on purpose.
class LosesAnswer:
    def open(self, request, *, timeout):
        urllib.request.urlopen(request, timeout=timeout).close()
        raise OSError("the line is dead")


lossy = Centavo(base_url, client_id, api_key, retries=0, opener=LosesAnswer())
# docs:begin retry
second = {"amount": brl("10,00"), "paymentMethod": "PIX", "externalRef": f"{order}-b"}
try:
    lossy.transactions.create(second)
except ConnectionError as error:
    # The charge may exist: the same key answers with it, and makes no second one.
    centavo.transactions.create(second, idempotency_key=error.idempotency_key)
# docs:end retry
found = centavo.transactions.search({"externalRef": second["externalRef"]})["items"]
print(f"retry      {len(found)} charge")

# 6. A part goes back to the payer.
# docs:begin refund
refunded = centavo.transactions.refund(charge["id"], {"amount": brl("100,00")})
print(f"refund     {refunded['refundedAmount']} centavos, {refunded['status']}")
# docs:end refund

# 7. Does the shop's own list agree with the gateway?
# docs:begin reconcile
sales = [
    {"externalRef": order, "amount": brl("1.000,00")},
    {"externalRef": "pedido-0", "amount": brl("5,00")},
]
compared = centavo.reconcile({"items": sales})["items"]
print(f"reconcile  {', '.join(each['result'] for each in compared)}")
# docs:end reconcile

# 8. Money to a bank account. Above R$ 500,00 a day another application has to approve it.
centavo.settings.change({"withdrawApprovalAbove": brl("500,00")})
# docs:begin withdraw
approver = Centavo(
    base_url,
    os.environ.get("APPROVER_CLIENT_ID", "app_local_aprovador"),
    os.environ.get("APPROVER_API_KEY", "sk_test_local_aprovador"),
)
wish = {"amount": brl("600,00"), "pixKey": f"{order}@example.com"}
checked = centavo.withdraws.dry_run(wish)
if not checked["accepted"]:
    raise SystemExit(checked["checks"])
withdraw = centavo.withdraws.request(wish)
if withdraw["approval"] == "pending":
    approver.withdraws.approve(withdraw["id"])
print(f"withdraw   {centavo.withdraws.get(withdraw['id'])['approval']}")
# docs:end withdraw

# 9. A page where anybody pays.
# docs:begin link
link = centavo.links.create({"name": "Curso de bordado", "amount": brl("250,00")})
print(f"link       {link['url']}")
# docs:end link

#!/bin/sh
# The steps of a shop with curl. Amounts are centavos. Needs a service: `npm start`.
set -eu

# docs:begin connect
ORDER="pedido-$(date +%s)-$$"
api() {
  path=$1 && shift
  curl -sS --fail-with-body "${CENTAVO_URL:-http://localhost:8787}$path" \
    -H 'Content-Type: application/json' \
    -H "X-Client-Id: ${CENTAVO_CLIENT_ID:-app_local_loja}" \
    -H "X-API-Key: ${CENTAVO_API_KEY:-sk_test_local_loja}" "$@"
}
# The id in an answer.
id_of() { sed 's/.*"data":{"id":"\{0,1\}\([^",]*\).*/\1/'; }
# docs:end connect

# docs:begin create-charge
api /api/v1/transactions/create -H "Idempotency-Key: $ORDER" -d '{
  "amount": 2500,
  "paymentMethod": "PIX",
  "externalRef": "'"$ORDER"'",
  "customer": { "name": "Maria da Silva" }
}' > charge.json
ID=$(id_of < charge.json)
# docs:end create-charge
echo "pix        $ID"

# docs:begin qr
api "/api/v1/transactions/$ID/qr" -H 'Accept: image/svg+xml' > qr.svg
# docs:end qr
echo "qr         $(wc -c < qr.svg) bytes"

# docs:begin pay
api "/api/v1/sandbox/transactions/$ID/pay" -X POST
# docs:end pay
echo

# docs:begin boleto
api /api/v1/transactions/create -H "Idempotency-Key: $ORDER-boleto" -d '{
  "amount": 8990,
  "paymentMethod": "BOLETO",
  "customer": { "name": "Maria da Silva", "document": { "type": "CPF", "number": "12345678909" } },
  "boleto": { "expiresInDays": 3 }
}' > boleto.json
# docs:end boleto
echo "boleto     $(id_of < boleto.json)"

# docs:begin card
api /api/v1/cards/tokens -d '{
  "number": "4242424242424242",
  "holderName": "MARIA DA SILVA",
  "expirationMonth": 12,
  "expirationYear": 2035,
  "cvv": "123"
}' > token.json
TOKEN=$(sed 's/.*"token":"\([^"]*\)".*/\1/' token.json)
api /api/v1/transactions/create -H "Idempotency-Key: $ORDER-card" -d '{
  "amount": 14900,
  "paymentMethod": "CREDIT_CARD",
  "installments": 3,
  "customer": { "name": "Maria da Silva", "document": { "type": "CPF", "number": "12345678909" } },
  "card": { "token": "'"$TOKEN"'" }
}' > card.json
# docs:end card
echo "card       $(id_of < card.json)"

# docs:begin retry
SECOND='{ "amount": 1000, "paymentMethod": "PIX", "externalRef": "'"$ORDER-b"'" }'
create() { api /api/v1/transactions/create -H "Idempotency-Key: $ORDER-b" -d "$SECOND" "$@"; }
# No answer within a millisecond. The charge may exist: the same key makes no second one.
create --max-time 0.001 > second.json 2> /dev/null || create > second.json
# docs:end retry
echo "retry      $(id_of < second.json)"

# docs:begin refund
api "/api/v1/transactions/$ID/refund" -H "Idempotency-Key: $ORDER-refund" -d '{ "amount": 500 }'
# docs:end refund
echo

# docs:begin reconcile
api /api/v1/reconcile -d '{
  "items": [{ "externalRef": "'"$ORDER"'", "amount": 2500 }, { "externalRef": "pedido-0" }]
}' > compared.json
# docs:end reconcile
echo "reconcile  $(sed 's/,"onlyHere".*//' compared.json)"

# docs:begin withdraw
WISH='{ "amount": 1000, "pixKey": "maria@example.com" }'
api /api/v1/withdraws/preview -d "$WISH" > preview.json
api /api/Withdraw/request -H "Idempotency-Key: $ORDER-withdraw" -d "$WISH" > withdraw.json
# docs:end withdraw
echo "withdraw   $(cat withdraw.json)"

# docs:begin link
api /api/v1/payment-links -d '{ "name": "Curso de bordado", "amount": 25000 }' > link.json
# docs:end link
echo "link       $(sed 's/.*"url":"\([^"]*\)".*/\1/' link.json)"

// A shop's day in nine steps, by net/http alone. Amounts are centavos.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"
)

func env(name, local string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return local
}

func main() {
	// docs:begin create-charge
	url := env("CENTAVO_URL", "http://localhost:8787")
	centavo := client{baseURL: url, id: env("CENTAVO_CLIENT_ID", "app_local_loja"), key: env("CENTAVO_API_KEY", "sk_test_local_loja")}
	// The number of an order, new in each run.
	order := fmt.Sprint("pedido-go-", time.Now().UnixNano())

	// 1. A PIX charge and its QR code.
	customer := object{"name": "Maria da Silva", "document": object{"type": "CPF", "number": "12345678909"}}
	charge := centavo.do("POST", "/api/v1/transactions/create", object{
		"amount": 100000, "paymentMethod": "PIX", "externalRef": order, "customer": customer})
	fmt.Printf("pix        %v %v\n%v\n", charge["amountText"], charge["status"], charge["pix"].(object)["qrcode"])
	path := fmt.Sprintf("/transactions/%v", charge["id"])
	// docs:end create-charge
	// docs:begin qr
	svg, err := centavo.call("GET", "/api/v1"+path+"/qr", nil, "")
	if err != nil || os.WriteFile("qr.svg", svg, 0o644) != nil {
		log.Fatal("no QR code: ", err)
	}
	fmt.Println("qr         qr.svg")
	// docs:end qr

	// 2. A boleto.
	// docs:begin boleto
	boleto := centavo.do("POST", "/api/v1/transactions/create", object{
		"amount": 8990, "paymentMethod": "BOLETO", "customer": customer, "boleto": object{"expiresInDays": 3}})
	fmt.Println("boleto    ", boleto["boleto"].(object)["digitableLine"])
	// docs:end boleto

	// 3. A card by its token: in a live shop the payer's page makes the token, so no server sees the number.
	// docs:begin card
	card := centavo.do("POST", "/api/v1/cards/tokens", object{"number": "4242424242424242",
		"holderName": "MARIA DA SILVA", "expirationMonth": 12, "expirationYear": 2035, "cvv": "123"})
	sale := centavo.do("POST", "/api/v1/transactions/create", object{"amount": 14900, "paymentMethod": "CREDIT_CARD",
		"installments": 3, "customer": customer, "card": object{"token": card["token"]}})
	fmt.Println("card      ", sale["status"])
	// docs:end card

	// 4. The payer pays, and the gateway tells the shop by a webhook.
	// docs:begin endpoint
	var secret string
	paid := make(chan string, 1)
	shop := httptest.NewServer(http.HandlerFunc(func(reply http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		var event struct{ Data struct{ ExternalRef string } }
		if err != nil || !verified(body, request.Header, secret, time.Now()) || json.Unmarshal(body, &event) != nil {
			reply.WriteHeader(400)
			return
		}
		paid <- event.Data.ExternalRef
		// Only now: whatever is not answered 2xx comes again.
		reply.WriteHeader(204)
	}))
	endpoint := centavo.do("POST", "/api/v1/webhooks/endpoints", object{"url": shop.URL + "/hook", "events": []string{"transaction.paid"}})
	secret = endpoint["secret"].(string)
	// docs:end endpoint
	// docs:begin pay
	centavo.do("POST", "/api/v1/sandbox"+path+"/pay", object{})
	// docs:end pay
	fmt.Println("webhook   ", map[bool]string{true: "verified", false: "of another order"}[<-paid == order])
	centavo.do("DELETE", fmt.Sprint("/api/v1/webhooks/endpoints/", endpoint["id"]), nil)
	shop.Close()

	// 5. A call without an answer: this client loses it on purpose.
	lossy := centavo
	lossy.lose = true
	// docs:begin retry
	second, key := object{"amount": 1000, "paymentMethod": "PIX", "externalRef": order + "-b"}, newKey()
	if _, err = lossy.call("POST", "/api/v1/transactions/create", second, key); err != nil {
		// The charge may exist: the same key answers with it, and makes no second one.
		if _, err = centavo.call("POST", "/api/v1/transactions/create", second, key); err != nil {
			log.Fatal(err)
		}
	}
	// docs:end retry
	found := centavo.do("POST", "/api/v1/transactions/search", object{"externalRef": second["externalRef"]})
	fmt.Println("retry     ", len(found["items"].([]any)), "charge")

	// 6. A part goes back to the payer.
	// docs:begin refund
	refunded := centavo.do("POST", "/api/v1"+path+"/refund", object{"amount": 10000})
	fmt.Printf("refund     %v centavos, %v\n", refunded["refundedAmount"], refunded["status"])
	// docs:end refund

	// 7. Does the shop's own list agree with the gateway?
	// docs:begin reconcile
	compared := centavo.do("POST", "/api/v1/reconcile", object{"items": []object{
		{"externalRef": order, "amount": 100000}, {"externalRef": "pedido-0", "amount": 500}}})
	results := []string{}
	for _, item := range compared["items"].([]any) {
		results = append(results, item.(object)["result"].(string))
	}
	fmt.Println("reconcile ", strings.Join(results, ", "))
	// docs:end reconcile

	// 8. Money to a bank account. Above R$ 500,00 a day another application has to approve it.
	centavo.do("PUT", "/api/v1/company/settings", object{"withdrawApprovalAbove": 50000})
	// docs:begin withdraw
	approver := client{baseURL: url, id: env("APPROVER_CLIENT_ID", "app_local_aprovador"), key: env("APPROVER_API_KEY", "sk_test_local_aprovador")}
	wish := object{"amount": 60000, "pixKey": order + "@example.com"}
	if checked := centavo.do("POST", "/api/v1/withdraws/preview", wish); checked["accepted"] != true {
		log.Fatal(checked["checks"])
	}
	withdraw := centavo.do("POST", "/api/Withdraw/request", wish)
	if withdraw["approval"] == "pending" {
		withdraw = approver.do("POST", fmt.Sprintf("/api/v1/withdraws/%v/approve", withdraw["id"]), object{})
	}
	fmt.Println("withdraw  ", withdraw["approval"])
	// docs:end withdraw

	// 9. A page where anybody pays.
	// docs:begin link
	link := centavo.do("POST", "/api/v1/payment-links", object{"name": "Curso de bordado", "amount": 25000})
	fmt.Println("link      ", link["url"])
	// docs:end link
}

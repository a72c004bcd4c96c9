package main

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name, Body, Secret string
	Headers            map[string]string
}

func TestVectors(t *testing.T) {
	content, err := os.ReadFile(os.Getenv("VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Webhooks struct {
			Now               int64
			Secret, Body      string
			Accepted, Refused []vector
		}
	}
	if err := json.Unmarshal(content, &vectors); err != nil {
		t.Fatal(err)
	}
	given := vectors.Webhooks
	verify := func(each vector) bool {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		body, secret := given.Body, given.Secret
		if each.Body != "" {
			body = each.Body
		}
		if each.Secret != "" {
			secret = each.Secret
		}
		return verified([]byte(body), header, secret, time.Unix(given.Now, 0)) && json.Valid([]byte(body))
	}
	if len(given.Accepted) == 0 || len(given.Refused) == 0 {
		t.Fatal("no vectors")
	}
	for _, each := range given.Accepted {
		if !verify(each) {
			t.Errorf("a webhook %s is refused", each.Name)
		}
	}
	for _, each := range given.Refused {
		if verify(each) {
			t.Errorf("a webhook %s is accepted", each.Name)
		}
	}
}

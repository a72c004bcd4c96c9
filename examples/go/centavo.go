// What the sample needs of the API, by the standard library alone: calls with a key, and the check of webhooks.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// docs:begin connect
type object = map[string]any

// client sends one application's requests; lose stands for a line that dies before the answer comes.
type client struct {
	baseURL, id, key string
	lose             bool
}

// call sends a request and returns the answer's body; a POST has a key, with which it does nothing twice.
func (c client) call(method, path string, body any, key string) ([]byte, error) {
	content, _ := json.Marshal(body)
	request, err := http.NewRequest(method, c.baseURL+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	request.Header = http.Header{"X-Client-Id": {c.id}, "X-Api-Key": {c.key}, "Accept": {"application/json, image/svg+xml"}}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", key)
	}
	// The credentials go to no other address: a redirect is not followed.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := (&http.Client{Timeout: 30 * time.Second, CheckRedirect: stay}).Do(request)
	if err == nil && c.lose {
		err = errors.New("the line is dead")
	}
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		log.Fatalf("%s %s: %d %s", method, path, response.StatusCode, answer)
	}
	return answer, err
}

// do is a call whose answer is an object; where it has data, that.
func (c client) do(method, path string, body any) object {
	answer, err := c.call(method, path, body, newKey())
	parsed := object{}
	if err != nil || json.Unmarshal(answer, &parsed) != nil {
		log.Fatal(path, ": ", err)
	}
	if data, ok := parsed["data"].(object); ok {
		return data
	}
	return parsed
}

func newKey() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	return "go_" + hex.EncodeToString(random)
}

// docs:end connect

// docs:begin verify-webhook
// verified tells whether a webhook is the gateway's: by the raw body as it came, since a parsed one does not verify.
func verified(body []byte, header http.Header, secret string, now time.Time) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	key, keyErr := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	// By an empty key anybody signs.
	if err != nil || keyErr != nil || len(key) == 0 || math.Abs(now.Sub(time.Unix(seconds, 0)).Seconds()) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}

// docs:end verify-webhook

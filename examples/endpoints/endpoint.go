// An endpoint that decides about authorisations. Go 1.19 or later, standard library only, not on Windows (syscall.Flock).
//
//	go run endpoint.go serve 3000 holds.log     WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic; WEBHOOK_KEY: signature
//	go run endpoint.go probe holds.log ID       the holds of a call's transaction, as JSON
package main

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"
)

const (
	limit       = 5000 // of all holds of a card, in units of each currency
	mostMinor   = 1e15 // up to here, floating point has every smallest unit
	maxBody     = 65536
	readTimeout = 2 * time.Second // the deadline of a call: later, nobody waits for the answer
)

var (
	decimals = map[string]int{"JPY": 0, "KRW": 0, "ISK": 0, "CLP": 0, "VND": 0, "KWD": 3, "BHD": 3, "IQD": 3, "JOD": 3, "LYD": 3, "OMR": 3, "TND": 3}
	free     = map[string]bool{"CREDIT": true, "ORIGINAL_CREDIT": true, "P2P_CREDIT": true, "BALANCE_INQUIRY": true, "PIN_CHANGE": true, "PIN_UNBLOCK": true}
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
	errCall  = errors.New("this is no call of the contract")
)

type amount struct {
	Amount   *float64 `json:"amount"`
	Currency string   `json:"currency"`
}

// call is what is read of a call. A field of another type is an error.
type call struct {
	Metadata struct {
		ID            string  `json:"id"`
		TransactionID *string `json:"transactionId"`
	} `json:"metadata"`
	Account struct {
		AvailableAmount *amount `json:"availableAmount"`
	} `json:"account"`
	Card struct {
		ID string `json:"cardId"`
	} `json:"card"`
	Data struct {
		Type              string  `json:"transactionType"`
		TransactionAmount *amount `json:"transactionAmount"`
		BillingAmount     *amount `json:"billingAmount"`
		ReplacementAmount *amount `json:"replacementAmount"`
		PartialCapable    any     `json:"partialApprovalCapable"`
	} `json:"transactionData"`
}

// hold identifies a hold: an amount in another currency or on another card never changes it.
type hold struct {
	Transaction string `json:"transactionId"`
	Card        string `json:"cardId"`
	Currency    string `json:"currency"`
}

// decision is a line of the file: the answer to a call, and what is held after it.
type decision struct {
	ID     string          `json:"id"`
	Call   string          `json:"call"`
	Hold   hold            `json:"hold"`
	Minor  int64           `json:"minor"`
	Answer json.RawMessage `json:"answer"`
}

// ledger has all decisions and holds in memory, and on the disk before they are answered.
type ledger struct {
	sync.Mutex
	file      *os.File
	decisions map[string]decision
	holds     map[hold]int64
	cards     map[hold]int64 // sum of the holds of a card in a currency; Transaction is empty
}

func scale(currency string) float64 {
	if digits, known := decimals[currency]; known {
		return math.Pow10(digits)
	}
	return 100
}

// minorUnits is the amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250.
func minorUnits(a amount) (int64, error) {
	if a.Amount == nil || !currency.MatchString(a.Currency) {
		return 0, errCall
	}
	minor := math.Round(*a.Amount * scale(a.Currency))
	if minor < 0 || minor >= mostMinor || minor/scale(a.Currency) != *a.Amount {
		return 0, errCall
	}
	return int64(minor), nil
}

func amountOf(minor int64, currency string) amount {
	value := float64(minor) / scale(currency)
	return amount{&value, currency}
}

// fingerprint is the same for the same call: only traceId, the order of fields and fields that are null may differ.
func fingerprint(body []byte) (string, error) {
	var value map[string]any
	if err := json.Unmarshal(body, &value); err != nil {
		return "", err
	}
	if metadata, ok := value["metadata"].(map[string]any); ok {
		delete(metadata, "traceId")
	}
	dropNulls(value)
	same, err := json.Marshal(value) // sorts the names
	sum := sha256.Sum256(same)
	return hex.EncodeToString(sum[:]), err
}

func dropNulls(value any) {
	switch inner := value.(type) {
	case map[string]any:
		for name, field := range inner {
			if field == nil {
				delete(inner, name)
			}
			dropNulls(field)
		}
	case []any:
		for _, item := range inner {
			dropNulls(item)
		}
	}
}

// openLedger reads the file. If its last line is incomplete, the call was never answered, so serve removes the line.
func openLedger(name string, serve bool) (*ledger, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil && serve {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // one process at a time
	}
	if err != nil {
		return nil, err
	}
	l := &ledger{file: file, decisions: map[string]decision{}, holds: map[hold]int64{}, cards: map[hold]int64{}}
	reader, size := bufio.NewReader(file), int64(0)
	for {
		line, err := reader.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		var d decision
		if err == nil {
			err = json.Unmarshal(line, &d)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is damaged at byte %d", name, size)
		}
		l.keep(d)
		size += int64(len(line))
	}
	if serve {
		if err := file.Truncate(size); err != nil {
			return nil, err
		}
	}
	_, err = file.Seek(size, io.SeekStart)
	return l, err
}

func (l *ledger) keep(d decision) {
	l.decisions[d.ID] = d
	l.cards[hold{"", d.Hold.Card, d.Hold.Currency}] += d.Minor - l.holds[d.Hold]
	l.holds[d.Hold] = d.Minor
}

// decide is the answer to a call: the earlier one if the call was here before, also before a restart.
func (l *ledger) decide(body []byte) (int, any) {
	var c call
	same, err := fingerprint(body)
	if err == nil {
		err = json.Unmarshal(body, &c)
	}
	data, transaction := c.Data, &c.Metadata.ID
	if c.Metadata.TransactionID != nil {
		transaction = c.Metadata.TransactionID
	}
	zero := 0.0
	asked := amount{&zero, "EUR"}
	if data.TransactionAmount != nil {
		asked = *data.TransactionAmount
	} else if data.BillingAmount != nil {
		asked = *data.BillingAmount
	}
	minor, amountErr := minorUnits(asked)
	replacement := int64(0)
	if data.ReplacementAmount != nil && amountErr == nil {
		replacement, amountErr = minorUnits(*data.ReplacementAmount)
	}
	isMissing := c.Metadata.ID == "" || *transaction == "" || c.Card.ID == "" || data.Type == ""
	if err != nil || amountErr != nil || isMissing || !utf8.Valid(body) {
		return 400, title("This is no call of the contract")
	}

	l.Lock() // one decision at a time
	defer l.Unlock()
	if known, ok := l.decisions[c.Metadata.ID]; ok {
		if known.Call != same {
			return 409, title("Another call had this id")
		}
		return 200, known.Answer
	}
	held := hold{*transaction, c.Card.ID, asked.Currency}
	code, more := "00", map[string]any{}
	after := l.holds[held]
	switch {
	case data.Type == "REVERSAL" && data.ReplacementAmount != nil:
		held.Currency = data.ReplacementAmount.Currency
		after = l.holds[held]
		if replacement < after {
			after = replacement
		}
	case data.Type == "REVERSAL":
		after -= minor
		if after < 0 {
			after = 0
		}
	case data.Type == "BALANCE_INQUIRY":
		more["availableAmount"] = amountOf(0, asked.Currency)
		if c.Account.AvailableAmount != nil {
			more["availableAmount"] = c.Account.AvailableAmount
		}
	case !free[data.Type] && minor > 0:
		room := limit*int64(scale(asked.Currency)) - l.cards[hold{"", c.Card.ID, asked.Currency}]
		part := minor
		if room < minor && room > 0 && data.PartialCapable == true {
			part, code = room, "10"
			more["partialApprovalAmount"] = amountOf(part, asked.Currency)
		} else if room < minor {
			part, code = 0, "51"
		}
		after += part
	}
	more["authResponseCode"] = map[string]string{"code": code}
	answer, err := json.Marshal(map[string]any{"transactionData": more})
	d := decision{c.Metadata.ID, same, held, after, answer}
	line, lineErr := json.Marshal(d)
	if err != nil || lineErr != nil {
		return 500, title("No decision")
	}
	// On the disk before it is answered. If the disk fails, end: after a restart the file says what was decided.
	if _, err = l.file.Write(append(line, '\n')); err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		log.Fatal("the decision cannot be stored: ", err)
	}
	l.keep(d)
	return 200, d.Answer
}

// Over the bytes of the body as they came, before anything parses them; at most 5 minutes old.
func signatureIsRight(header http.Header, body []byte, key string) bool {
	stamp := header.Get("x-signature-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(header.Get("x-signature"), ",") {
		if hmac.Equal(expected, []byte(strings.TrimSpace(one))) {
			return true
		}
	}
	return false
}

func title(text string) any { return map[string]string{"title": text} }

func (l *ledger) respond(w http.ResponseWriter, r *http.Request) (int, any) {
	if expected := os.Getenv("WEBHOOK_USER"); expected != "" { // before the body is read
		user, password, _ := r.BasicAuth()
		given, wanted := sha256.Sum256([]byte(user+":"+password)), sha256.Sum256([]byte(expected+":"+os.Getenv("WEBHOOK_PASSWORD")))
		if subtle.ConstantTimeCompare(given[:], wanted[:]) != 1 {
			return 401, title("Wrong credentials")
		}
	}
	if r.Method != http.MethodPost {
		return 405, title("Calls are POST")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	var network net.Error
	switch {
	case errors.As(err, &tooLarge):
		return 413, title("The call is too large")
	case errors.As(err, &network) && network.Timeout():
		return 408, title("The call took too long")
	case err != nil:
		return 400, title("The call is not complete")
	case os.Getenv("WEBHOOK_KEY") != "" && !signatureIsRight(r.Header, body, os.Getenv("WEBHOOK_KEY")):
		return 401, title("Wrong signature")
	case r.URL.Path == "/warm-up":
		return 200, struct{}{}
	case r.URL.Path != "/auth":
		return 404, title("Calls go to /auth and /warm-up")
	}
	return l.decide(body)
}

func main() {
	if len(os.Args) != 4 || os.Args[1] != "serve" && os.Args[1] != "probe" {
		log.Fatal("usage: endpoint serve PORT FILE, or endpoint probe FILE ID")
	}
	if os.Args[1] == "probe" {
		l, err := openLedger(os.Args[2], false)
		if err != nil {
			log.Fatal(err)
		}
		found := []any{}
		for held, minor := range l.holds {
			if d, ok := l.decisions[os.Args[3]]; ok && d.Hold.Transaction == held.Transaction && minor > 0 {
				value := amountOf(minor, held.Currency)
				found = append(found, map[string]any{"transactionId": held.Transaction, "cardId": held.Card, "amount": value.Amount, "currency": held.Currency})
			}
		}
		_ = json.NewEncoder(os.Stdout).Encode(found)
		return
	}
	l, err := openLedger(os.Args[3], true)
	if err != nil {
		log.Fatal(err)
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, answer := l.respond(w, r)
		var body bytes.Buffer
		_ = json.NewEncoder(&body).Encode(answer)
		if status == 401 || status == 405 || status == 408 || status == 413 {
			w.Header().Set("connection", "close") // the body was not read to its end
		}
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(body.Bytes())
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadTimeout: readTimeout, IdleTimeout: 2 * time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	log.Fatal(server.Serve(listener))
}

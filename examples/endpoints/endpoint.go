// An endpoint that decides about authorisations. Go 1.19 or later, standard library only, not on Windows (syscall.Flock).
//
//	go run endpoint.go serve 3000 holds.log     WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic; WEBHOOK_KEY: signature
//	go run endpoint.go probe holds.log [ID]     the holds of a call's transaction, as JSON; without ID, of ids line by line
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
	limit       = 5000  // of all holds of a card, in units of each currency
	mostMinor   = 1e15  // up to here, floating point has every smallest unit
	days        = 7     // how long a hold is valid if the call does not say it
	longest     = 36500 // more days overflow a duration
	maxBody     = 65536
	readTimeout = 2 * time.Second // the deadline of a call: later, nobody waits for the answer
)

var (
	decimals = map[string]int{} // of the currencies of ISO 4217 that have not 2
	free     = map[string]bool{"CREDIT": true, "ORIGINAL_CREDIT": true, "P2P_CREDIT": true, "BALANCE_INQUIRY": true, "PIN_CHANGE": true, "PIN_UNBLOCK": true}
	currency = regexp.MustCompile(`^[A-Z]{3}$`)
	errCall  = errors.New("this is no call of the contract")
)

func init() {
	for digits, codes := range map[int]string{0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 3: "BHD IQD JOD KWD LYD OMR TND", 4: "CLF UYW"} {
		for _, code := range strings.Fields(codes) {
			decimals[code] = digits
		}
	}
}

type amount struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// fields is an object of a call. Names are taken as they are: decoding into a struct would take AMOUNT for amount.
type fields map[string]any

func (f fields) object(name string) fields {
	inner, ok := f[name].(map[string]any)
	if !ok {
		panic(errCall)
	}
	return inner
}

func (f fields) text(name string) string {
	text, ok := f[name].(string)
	if !ok || text == "" {
		panic(errCall)
	}
	return text
}

// amount is nil if the field is absent or null.
func (f fields) amount(name string) *amount {
	if f[name] == nil {
		return nil
	}
	inner := f.object(name)
	text, ok := inner["amount"].(json.Number)
	if !ok {
		panic(errCall)
	}
	number, err := text.Float64()
	if err != nil {
		panic(errCall)
	}
	return &amount{number, inner.text("currency")}
}

// call is what is read of a call.
type call struct {
	id, transaction, card, kind string
	available                   *amount
	asked                       amount
	minor                       int64
	replacement                 *amount
	left                        int64
	takesPart                   bool
	valid                       time.Duration
	same                        string
}

// readCall fails for everything that is no call.
func readCall(body []byte) (c call, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = errCall
		}
	}()
	var whole map[string]any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber() // a number of an unknown field may be larger than any float64
	if err := decoder.Decode(&whole); err != nil || whole == nil || !utf8.Valid(body) {
		return c, errCall
	}
	if _, err := decoder.Token(); err != io.EOF {
		return c, errCall // more than one value
	}
	metadata, account, data := fields(whole).object("metadata"), fields(whole).object("account"), fields(whole).object("transactionData")
	fields(whole).object("customer")
	fields(whole).object("merchantData")
	account.text("accountId")
	c.id, c.card, c.kind = metadata.text("id"), fields(whole).object("card").text("cardId"), data.text("transactionType")
	c.transaction = c.id
	if metadata["transactionId"] != nil {
		c.transaction = metadata.text("transactionId")
	}
	c.available = account.amount("availableAmount")
	c.asked = amount{0, "EUR"}
	for _, name := range []string{"billingAmount", "transactionAmount"} { // the second one counts, if both are there
		if given := data.amount(name); given != nil {
			c.asked = *given
			c.minor = minorUnits(c.asked)
		}
	}
	if c.replacement = data.amount("replacementAmount"); c.replacement != nil {
		c.left = minorUnits(*c.replacement)
	}
	c.takesPart = data["partialApprovalCapable"] == true
	c.valid = days * 24 * time.Hour
	if given, ok := data["authValidityInDays"].(json.Number); ok {
		said, _ := given.Float64()
		c.valid = time.Duration(math.Min(said, longest) * float64(24*time.Hour))
	}
	c.same = fingerprint(whole)
	return c, nil
}

// hold identifies a hold: an amount in another currency or on another card never changes it.
type hold struct {
	Transaction string `json:"transactionId"`
	Card        string `json:"cardId"`
	Currency    string `json:"currency"`
}

// held is how much, in the smallest unit, and how long.
type held struct {
	minor int64
	until time.Time
}

// decision is a line of the file: the answer to a call, and what is held after it.
type decision struct {
	ID     string          `json:"id"`
	Call   string          `json:"call"`
	Hold   hold            `json:"hold"`
	Minor  int64           `json:"minor"`
	Until  time.Time       `json:"until"`
	Answer json.RawMessage `json:"answer,omitempty"`
}

// ledger has all decisions and holds in memory, and on the disk before they are answered.
type ledger struct {
	sync.Mutex
	file      *os.File
	decisions map[string]decision
	holds     map[hold]held
	cards     map[hold]map[hold]bool // the holds of a card in a currency, by a hold whose Transaction is empty
}

func scale(currency string) float64 {
	if digits, known := decimals[currency]; known {
		return math.Pow10(digits)
	}
	return 100
}

// minorUnits is the amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250.
func minorUnits(a amount) int64 {
	minor := math.Round(a.Amount * scale(a.Currency))
	if !currency.MatchString(a.Currency) || minor < 0 || minor >= mostMinor || minor/scale(a.Currency) != a.Amount {
		panic(errCall)
	}
	return int64(minor)
}

func amountOf(minor int64, currency string) amount {
	return amount{float64(minor) / scale(currency), currency}
}

// fingerprint is the same for the same call: only traceId, the order of fields and fields that are null may differ.
func fingerprint(value map[string]any) string {
	delete(value["metadata"].(map[string]any), "traceId")
	dropNulls(value)
	same, _ := json.Marshal(value) // sorts the names
	sum := sha256.Sum256(same)
	return hex.EncodeToString(sum[:])
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
	l := &ledger{file: file, decisions: map[string]decision{}, holds: map[hold]held{}, cards: map[hold]map[hold]bool{}}
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

// keep has what a line says. One without an answer undoes a decision.
func (l *ledger) keep(d decision) {
	if d.Answer == nil {
		delete(l.decisions, d.ID)
	} else {
		l.decisions[d.ID] = d
	}
	of := hold{"", d.Hold.Card, d.Hold.Currency}
	if l.cards[of] == nil {
		l.cards[of] = map[hold]bool{}
	}
	l.holds[d.Hold] = held{d.Minor, d.Until}
	if l.cards[of][d.Hold] = true; d.Minor == 0 {
		delete(l.cards[of], d.Hold)
	}
}

// now is what is held; nothing once its days are over.
func (l *ledger) now(h hold) held {
	if found := l.holds[h]; time.Now().Before(found.until) {
		return found
	}
	return held{}
}

func (l *ledger) onCard(card, currency string) (sum int64) {
	for h := range l.cards[hold{"", card, currency}] {
		sum += l.now(h).minor
	}
	return sum
}

// store has a line on the disk before it counts. If the disk fails, end: after a restart the file says what was decided.
func (l *ledger) store(d decision) {
	line, err := json.Marshal(d)
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil {
		log.Fatal("the decision cannot be stored: ", err)
	}
	l.keep(d)
}

// decide is the answer to a call: the earlier one if the call was here before, also before a restart.
func (l *ledger) decide(body []byte, due time.Time) (int, any) {
	c, err := readCall(body)
	if err != nil {
		return 400, title("This is no call of the contract")
	}
	l.Lock() // one decision at a time
	defer l.Unlock()
	if known, ok := l.decisions[c.id]; ok {
		if known.Call != c.same {
			return 409, title("Another call had this id")
		}
		return 200, known.Answer
	}
	h := hold{c.transaction, c.card, c.asked.Currency}
	if c.kind == "REVERSAL" && c.replacement != nil {
		h.Currency = c.replacement.Currency
	}
	code, more := "00", map[string]any{}
	before := l.now(h)
	after, part := before, int64(0)
	switch {
	case c.kind == "REVERSAL" && c.replacement != nil:
		if c.left < after.minor {
			after.minor = c.left
		}
	case c.kind == "REVERSAL":
		if after.minor -= c.minor; after.minor < 0 {
			after.minor = 0
		}
	case c.kind == "BALANCE_INQUIRY":
		more["availableAmount"] = amountOf(0, c.asked.Currency)
		if c.available != nil {
			more["availableAmount"] = c.available
		}
	case !free[c.kind] && c.minor > 0:
		room := limit*int64(scale(c.asked.Currency)) - l.onCard(c.card, c.asked.Currency)
		part = c.minor
		if room < c.minor && room > 0 && c.takesPart {
			part, code = room, "10"
			more["partialApprovalAmount"] = amountOf(part, c.asked.Currency)
		} else if room < c.minor {
			part, code = 0, "51"
		}
		if part > 0 {
			after = held{before.minor + part, time.Now().Add(c.valid)}
		}
	}
	more["authResponseCode"] = map[string]string{"code": code}
	answer, err := json.Marshal(map[string]any{"transactionData": more})
	if err != nil {
		return 500, title("No decision")
	}
	l.store(decision{c.id, c.same, h, after.minor, after.until, answer})
	if part > 0 && time.Now().After(due) { // a late answer counts as none
		l.store(decision{ID: c.id, Hold: h, Minor: before.minor, Until: before.until})
	}
	return 200, json.RawMessage(answer)
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
	due := time.Now().Add(readTimeout)
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
	return l.decide(body, due)
}

// printHolds shows them as the file has them now.
func printHolds(name, id string) {
	l, err := openLedger(name, false)
	if err != nil {
		log.Fatal(err)
	}
	defer l.file.Close()
	found := []any{}
	d, known := l.decisions[id]
	for h := range l.holds {
		if minor := l.now(h).minor; known && d.Hold.Transaction == h.Transaction && minor > 0 {
			value := amountOf(minor, h.Currency)
			found = append(found, map[string]any{"transactionId": h.Transaction, "cardId": h.Card, "amount": value.Amount, "currency": h.Currency})
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(found)
}

func main() {
	isProbe := len(os.Args) > 2 && os.Args[1] == "probe"
	if !isProbe && (len(os.Args) != 4 || os.Args[1] != "serve") {
		log.Fatal("usage: endpoint serve PORT FILE, or endpoint probe FILE [ID]")
	}
	if isProbe { // of one id, or of ids line by line
		if len(os.Args) > 3 {
			printHolds(os.Args[2], os.Args[3])
			return
		}
		for ids := bufio.NewScanner(os.Stdin); ids.Scan(); {
			printHolds(os.Args[2], ids.Text())
		}
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

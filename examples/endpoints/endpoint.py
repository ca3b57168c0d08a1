"""An endpoint that decides about authorisations. Python 3.9 or later, standard library only.

    python3 endpoint.py serve 3000 holds.db     # WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic; WEBHOOK_KEY: signature
    python3 endpoint.py probe holds.db [ID]     # the holds of a call's transaction, as JSON; without ID, of ids line by line
"""
import base64, hmac, json, os, re, socket, sqlite3, sys, threading, time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LIMIT = 5000  # of all holds of a card, in units of each currency
DECIMALS = {  # of the currencies of ISO 4217 that have not 2
    **dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(), 0),
    **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3), **dict.fromkeys("CLF UYW".split(), 4)}
DAYS = 7  # how long a hold is valid if the call doesn't say it
FREE = {"CREDIT", "ORIGINAL_CREDIT", "P2P_CREDIT", "BALANCE_INQUIRY", "PIN_CHANGE", "PIN_UNBLOCK"}
MOST_MINOR = 10**15
MAX_BODY = 65536
READ_TIMEOUT = 2  # seconds, the deadline of a call: later, nobody waits for the answer
lock = threading.Lock()


def open_file(name):
    db = sqlite3.connect(name, check_same_thread=False)
    # One write to the disk for each decision. It is there before the answer, also if the power fails.
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, call TEXT, answer TEXT, trans TEXT)")
    db.execute("CREATE TABLE IF NOT EXISTS holds (trans TEXT, card TEXT, currency TEXT, minor INTEGER,"
               " until REAL, PRIMARY KEY (trans, card, currency))")  # an amount in another currency never changes a hold
    db.execute("CREATE INDEX IF NOT EXISTS holds_of_card ON holds (card, currency)")
    return db


def minor_units(amount):
    """The amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250."""
    units, currency = amount["amount"], amount["currency"]
    if not isinstance(units, Decimal) or not re.fullmatch("[A-Z]{3}", currency):
        raise ValueError("no such amount")
    scaled = units.scaleb(DECIMALS.get(currency, 2))
    if not 0 <= scaled < MOST_MINOR or scaled != int(scaled):
        raise ValueError("no such amount")
    return int(scaled)


def amount_of(minor, currency):
    scaled = Decimal(minor).scaleb(-DECIMALS.get(currency, 2))
    return {"amount": int(scaled) if scaled == int(scaled) else float(scaled), "currency": currency}


def text(value):
    if not isinstance(value, str) or value == "":
        raise ValueError("text is missing")
    return value


def part_of(call, name):
    if not isinstance(call.get(name), dict):
        raise ValueError("an object is missing")
    return call[name]


def refuse(word):
    """json.loads takes NaN and Infinity, which are no JSON."""
    raise ValueError(word)


def same_text(value):
    """The same text for the same call: the order of fields and fields that are null may differ."""
    if isinstance(value, dict):
        return "{%s}" % ",".join(json.dumps(k) + same_text(v) for k, v in sorted(value.items()) if v is not None)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(same_text, value))
    return str(value.normalize()) if isinstance(value, Decimal) else json.dumps(value)


def decide(db, call, due):
    """The answer to a call: the earlier one if the call was here before, also before a restart."""
    meta, data, account = part_of(call, "metadata"), part_of(call, "transactionData"), part_of(call, "account")
    part_of(call, "customer"), part_of(call, "merchantData"), text(account["accountId"])
    card = text(part_of(call, "card")["cardId"])
    call_id, kind = text(meta["id"]), text(data["transactionType"])
    trans = call_id if meta.get("transactionId") is None else text(meta["transactionId"])
    given = (data.get("transactionAmount"), data.get("billingAmount"), {"amount": Decimal(0), "currency": "EUR"})
    asked = next(amount for amount in given if amount is not None)
    minor, currency = minor_units(asked), asked["currency"]
    minor_units(asked if data.get("billingAmount") is None else data["billingAmount"])
    left = data.get("replacementAmount") if kind == "REVERSAL" else None
    if left is not None:
        minor, currency = minor_units(left), left["currency"]
    same = same_text({**call, "metadata": {**meta, "traceId": None}})
    with lock, db:  # one decision at a time; committed before it is answered
        known = db.execute("SELECT call, answer FROM decisions WHERE id = ?", (call_id,)).fetchone()
        if known:
            return (200, json.loads(known[1])) if known[0] == same else (409, {"title": "Another call had this id"})
        now, days = time.time(), data.get("authValidityInDays")
        until = now + 86400 * float(DAYS if days is None else days)
        db.execute("DELETE FROM holds WHERE card = ? AND until <= ?", (card, now))  # those that nobody collected
        hold = (trans, card, currency)
        held = db.execute("SELECT minor FROM holds WHERE trans = ? AND card = ? AND currency = ?", hold).fetchone()
        held = held[0] if held else 0
        code, decision, part = "00", {}, 0
        if kind == "REVERSAL":
            held = max(0, held - minor) if left is None else min(held, minor)
            db.execute("UPDATE holds SET minor = ? WHERE trans = ? AND card = ? AND currency = ?", (held, *hold))
        elif kind == "BALANCE_INQUIRY":
            decision = {"availableAmount": account.get("availableAmount") or amount_of(0, currency)}
        elif kind not in FREE and minor > 0:
            query = "SELECT coalesce(sum(minor), 0) FROM holds WHERE card = ? AND currency = ?"
            room = LIMIT * 10 ** DECIMALS.get(currency, 2) - db.execute(query, (card, currency)).fetchone()[0]
            part = min(minor, max(0, room))
            if 0 < part < minor and data.get("partialApprovalCapable") is True:
                code, decision = "10", {"partialApprovalAmount": amount_of(part, currency)}
            elif part < minor:
                code, part = "51", 0
            if part > 0:
                db.execute("INSERT INTO holds VALUES (?, ?, ?, ?, ?) ON CONFLICT (trans, card, currency)"
                           " DO UPDATE SET minor = minor + excluded.minor, until = excluded.until", (*hold, part, until))
        answer = {"transactionData": {"authResponseCode": {"code": code}, **decision}}
        answer = json.loads(json.dumps(answer, default=lambda n: int(n) if n == int(n) else float(n)))
        db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?)", (call_id, same, json.dumps(answer), trans))
    if part > 0 and time.monotonic() > due:  # a late answer counts as none
        with lock, db:
            db.execute("DELETE FROM decisions WHERE id = ?", (call_id,))
            db.execute("UPDATE holds SET minor = max(0, minor - ?) WHERE trans = ? AND card = ? AND currency = ?", (part, *hold))
    return 200, answer


def signature_is_right(headers, body, key):
    """Over the bytes of the body as they came, before anything parses them; at most 5 minutes old."""
    stamp = headers.get("x-signature-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", stamp) or abs(time.time() - int(stamp)) > 300:
        return False
    expected = hmac.new(key.encode(), stamp.encode() + b"." + body, "sha256").hexdigest().encode()
    given = headers.get("x-signature", "").encode().split(b",")
    return any(hmac.compare_digest(expected, one.strip()) for one in given)


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else an answer may wait 40 ms in the socket

    def do_POST(self):
        if EXPECTED and not hmac.compare_digest(self.headers.get("authorization", "").encode(), EXPECTED):
            return self.refuse(401, "Wrong credentials")  # before the body is read
        due = time.monotonic() + READ_TIMEOUT
        try:
            body = self.read_body(due)
        except socket.timeout:
            return self.refuse(408, "The call took too long")
        except OverflowError:
            return self.refuse(413, "The call is too large")
        except ValueError:
            return self.refuse(400, "The call is not complete")
        finally:
            self.connection.settimeout(None)
        if KEY and not signature_is_right(self.headers, body, KEY):
            return self.answer(401, {"title": "Wrong signature"})
        if self.path == "/warm-up":
            return self.answer(200, {})
        if self.path != "/auth":
            return self.answer(404, {"title": "Calls go to /auth and /warm-up"})
        try:
            call = json.loads(body.decode(), parse_float=Decimal, parse_int=Decimal, parse_constant=refuse)
            self.answer(*decide(db, call, due))
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
            self.answer(400, {"title": "This is no call of the contract"})

    def read_body(self, deadline):
        def some(size):
            self.connection.settimeout(max(0.001, deadline - time.monotonic()))
            piece = self.rfile.read1(size)
            if not piece:
                raise ValueError("the caller has gone")
            return piece

        def exactly(size):
            data = bytearray()
            while len(data) < size:
                data += some(size - len(data))
            return bytes(data)

        def line():
            data = b""
            while not data.endswith(b"\n") and len(data) < 1024:
                data += some(1)
            return data.strip()

        def number(text, base):
            if not re.fullmatch("[0-9a-fA-F]{1,16}", text):
                raise ValueError("no size")
            return int(text, base)

        def checked(size):
            if size > MAX_BODY:
                raise OverflowError("too large")
            return size

        coding, sizes = self.headers.get("transfer-encoding"), self.headers.get_all("content-length") or []
        if coding is None:
            return exactly(checked(number(sizes[0], 10))) if len(sizes) == 1 else b""
        if coding.lower() != "chunked" or sizes:
            raise ValueError("unclear where the body ends")
        body = b""
        while size := number(line().split(b";")[0].decode().strip(), 16):
            checked(len(body) + size)
            body += exactly(size)
            line()
        while line():  # trailers
            pass
        return body

    def refuse(self, status, title):
        """Answers a call whose body was not read to its end. Half a second more, so that the caller gets the answer."""
        self.close_connection = True
        self.answer(status, {"title": title})
        try:
            self.connection.shutdown(socket.SHUT_WR)
            end = time.monotonic() + 0.5
            while (left := end - time.monotonic()) > 0:
                self.connection.settimeout(left)
                if not self.connection.recv(65536):
                    break
        except OSError:
            pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


user, password = os.environ.get("WEBHOOK_USER"), os.environ.get("WEBHOOK_PASSWORD", "")
KEY = os.environ.get("WEBHOOK_KEY")
EXPECTED = b"Basic " + base64.b64encode(f"{user}:{password}".encode()) if user else None
ThreadingHTTPServer.request_queue_size = 128
if sys.argv[1] == "probe":
    file = open_file(sys.argv[2])
    for line in sys.argv[3:] or sys.stdin:  # one id, or ids line by line
        rows = file.execute(
            "SELECT h.trans, card, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans"
            " WHERE d.id = ? AND until > ?", (line.strip(), time.time()))
        holds = [{"transactionId": t, "cardId": c, **amount_of(m, cur)} for t, c, cur, m in rows if m > 0]
        print(json.dumps(holds), flush=True)
else:
    db = open_file(sys.argv[3])
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Endpoint)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

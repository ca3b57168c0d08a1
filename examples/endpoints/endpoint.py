"""An endpoint that decides about authorisations. Python 3.9 or later, standard library only.

    python3 endpoint.py serve 3000 holds.db     # WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic
    python3 endpoint.py probe holds.db ID       # the holds of a call's transaction, as JSON
"""
import base64, hmac, json, os, sqlite3, sys, threading
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LIMIT = 5000  # of all holds of a card, in units of each currency
DECIMALS = {"JPY": 0, "KRW": 0, "ISK": 0, "CLP": 0, "VND": 0, "KWD": 3, "BHD": 3, "JOD": 3, "OMR": 3, "TND": 3}
FREE = {"CREDIT", "ORIGINAL_CREDIT", "P2P_CREDIT", "BALANCE_INQUIRY", "PIN_CHANGE", "PIN_UNBLOCK"}
lock = threading.Lock()


def open_file(name):
    db = sqlite3.connect(name, check_same_thread=False)
    db.execute("CREATE TABLE IF NOT EXISTS decisions (id TEXT PRIMARY KEY, call TEXT, answer TEXT, trans TEXT)")
    db.execute("CREATE TABLE IF NOT EXISTS holds (trans TEXT PRIMARY KEY, card TEXT, currency TEXT, minor INTEGER)")
    return db


def minor_units(amount):
    """The amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250."""
    decimals = DECIMALS.get(amount["currency"], 2)
    scaled = Decimal(amount["amount"]).scaleb(decimals)
    if scaled != int(scaled) or scaled < 0:
        raise ValueError("no such amount")
    return int(scaled)


def amount_of(minor, currency):
    scaled = Decimal(minor).scaleb(-DECIMALS.get(currency, 2))
    return {"amount": int(scaled) if scaled == int(scaled) else float(scaled), "currency": currency}


def text(value):
    if not isinstance(value, str) or value == "":
        raise ValueError("text is missing")
    return value


def decide(db, call):
    """The answer to a call: the earlier one if the call was here before, also before a restart."""
    meta, data, card = call["metadata"], call["transactionData"], text(call["card"]["cardId"])
    call_id, kind = text(meta["id"]), text(data["transactionType"])
    trans = meta.get("transactionId") or call_id
    asked = data.get("transactionAmount") or data.get("billingAmount") or {"amount": 0, "currency": "EUR"}
    minor, currency = minor_units(asked), text(asked["currency"])
    same = {**call, "metadata": {**meta, "traceId": None}}  # only traceId may differ
    same = json.dumps(same, sort_keys=True, default=str)
    with lock, db:  # one decision at a time; committed before it is answered
        known = db.execute("SELECT call, answer FROM decisions WHERE id = ?", (call_id,)).fetchone()
        if known:
            return (200, json.loads(known[1])) if known[0] == same else (409, {"title": "Another call had this id"})
        held = db.execute("SELECT minor FROM holds WHERE trans = ?", (trans,)).fetchone()
        held = held[0] if held else 0
        code, decision = "00", {}
        if kind == "REVERSAL":
            left = data.get("replacementAmount")
            held = min(held, minor_units(left)) if left else max(0, held - minor)
            db.execute("UPDATE holds SET minor = ? WHERE trans = ?", (held, trans))
        elif kind == "BALANCE_INQUIRY":
            decision = {"availableAmount": call["account"].get("availableAmount") or amount_of(0, currency)}
        elif kind not in FREE and minor > 0:
            query = "SELECT coalesce(sum(minor), 0) FROM holds WHERE card = ? AND currency = ?"
            room = LIMIT * 10 ** DECIMALS.get(currency, 2) - db.execute(query, (card, currency)).fetchone()[0]
            part = min(minor, max(0, room))
            if 0 < part < minor and data.get("partialApprovalCapable") is True:
                code, decision = "10", {"partialApprovalAmount": amount_of(part, currency)}
            elif part < minor:
                code, part = "51", 0
            db.execute("INSERT INTO holds VALUES (?, ?, ?, ?) ON CONFLICT (trans) DO UPDATE SET minor = minor + ?",
                       (trans, card, currency, part, part))
        answer = {"transactionData": {"authResponseCode": {"code": code}, **decision}}
        answer = json.loads(json.dumps(answer, default=float))
        db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?)", (call_id, same, json.dumps(answer), trans))
        return 200, answer


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        size = int(self.headers.get("content-length") or 0)
        if size > 65536:
            self.close_connection = True
            return self.answer(413, {"title": "The call is too large"})
        body = self.rfile.read(size)
        if EXPECTED and not hmac.compare_digest(self.headers.get("authorization", "").encode(), EXPECTED):
            return self.answer(401, {"title": "Wrong credentials"})
        if self.path == "/warm-up":
            return self.answer(200, {})
        if self.path != "/auth":
            return self.answer(404, {"title": "Calls go to /auth and /warm-up"})
        try:
            self.answer(*decide(db, json.loads(body, parse_float=Decimal)))
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
            self.answer(400, {"title": "This is no call of the contract"})

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
EXPECTED = b"Basic " + base64.b64encode(f"{user}:{password}".encode()) if user else None
ThreadingHTTPServer.request_queue_size = 128
if sys.argv[1] == "probe":
    rows = open_file(sys.argv[2]).execute(
        "SELECT h.trans, card, currency, minor FROM holds h JOIN decisions d ON d.trans = h.trans WHERE d.id = ?", sys.argv[3:4])
    print(json.dumps([{"transactionId": t, "cardId": c, **amount_of(m, cur)} for t, c, cur, m in rows if m > 0]))
else:
    db = open_file(sys.argv[3])
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Endpoint)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()

// An endpoint that decides about authorisations. Java 17 or later, JDK only.
//
//   java Endpoint.java serve 3000 holds.log     WEBHOOK_USER and WEBHOOK_PASSWORD: HTTP Basic; WEBHOOK_KEY: signature
//   java Endpoint.java probe holds.log [ID]     the holds of a call's transaction, as JSON; without ID, of ids line by line
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Endpoint {
  /** Of all holds of a card, in units of each currency. */
  static final long LIMIT = 5000;
  static final BigDecimal MOST_MINOR = new BigDecimal("1e15");
  static final int MAX_BODY = 65536;
  /** Of the currencies of ISO 4217 that have not 2. */
  static final Map<String, Integer> DECIMALS = new HashMap<>();
  static final int READ_TIMEOUT = 2; // seconds, the deadline of a call: later, nobody waits for the answer
  static final long DAYS = 7; // how long a hold is valid if the call doesn't say it
  static final Set<String> FREE =
      Set.of("CREDIT", "ORIGINAL_CREDIT", "P2P_CREDIT", "BALANCE_INQUIRY", "PIN_CHANGE", "PIN_UNBLOCK");

  static {
    for (String code : "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ")) DECIMALS.put(code, 0);
    for (String code : "BHD IQD JOD KWD LYD OMR TND".split(" ")) DECIMALS.put(code, 3);
    for (String code : "CLF UYW".split(" ")) DECIMALS.put(code, 4);
  }

  static class NoCall extends RuntimeException {}

  /** What identifies a hold: an amount in another currency or on another card never changes it. */
  record Hold(String transaction, String card, String currency) {}

  /** How much, in the smallest unit, and until when, in milliseconds since 1970. */
  record Held(long minor, long until) {}

  /** A line of the file: the answer to a call, and what is held after it. Without an answer, a decision is undone. */
  record Decision(String id, String call, Hold hold, Held held, String answer) {}

  record Amount(long minor, String currency) {}

  record Response(int status, String body) {}

  static final Map<String, Decision> decisions = new HashMap<>();
  static final Map<Hold, Held> holds = new HashMap<>();
  /** The holds of a card in a currency, by a hold whose transaction is empty. */
  static final Map<Hold, Set<Hold>> cards = new HashMap<>();
  static FileChannel file;

  static int decimalsOf(String currency) {
    return DECIMALS.getOrDefault(currency, 2);
  }

  /** The amount as a whole number of the smallest unit: 12.50 EUR is 1250, 1250 JPY is 1250. */
  static Amount amount(Object value) {
    Map<?, ?> fields = object(value);
    String currency = text(fields.get("currency"));
    if (!currency.matches("[A-Z]{3}") || !(fields.get("amount") instanceof BigDecimal units)) throw new NoCall();
    if (units.signum() < 0 || units.compareTo(MOST_MINOR) >= 0) throw new NoCall();
    BigDecimal minor = units.movePointRight(decimalsOf(currency)).stripTrailingZeros();
    if (minor.scale() > 0 || minor.compareTo(MOST_MINOR) >= 0) throw new NoCall();
    return new Amount(minor.longValueExact(), currency);
  }

  static String amountOf(long minor, String currency) {
    BigDecimal units = BigDecimal.valueOf(minor, decimalsOf(currency)).stripTrailingZeros();
    return "\"amount\":" + units.toPlainString() + ",\"currency\":\"" + currency + "\"";
  }

  static Map<?, ?> object(Object value) {
    if (value instanceof Map<?, ?> map) return map;
    throw new NoCall();
  }

  static String text(Object value) {
    if (value instanceof String text && !text.isEmpty()) return text;
    throw new NoCall();
  }

  /** The answer to a call: the earlier one if the call was here before, also before a restart. */
  static Response decide(byte[] body, long due) throws Exception {
    Map<?, ?> call = object(new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString()).read());
    Map<?, ?> metadata = object(call.get("metadata")), data = object(call.get("transactionData"));
    String id = text(metadata.get("id")), kind = text(data.get("transactionType"));
    String card = text(object(call.get("card")).get("cardId"));
    Map<?, ?> account = object(call.get("account"));
    text(account.get("accountId"));
    object(call.get("customer"));
    object(call.get("merchantData"));
    Object given = metadata.get("transactionId");
    String transaction = given == null ? id : text(given);
    Object named = data.get("transactionAmount") != null ? data.get("transactionAmount") : data.get("billingAmount");
    Amount asked = named == null ? new Amount(0, "EUR") : amount(named);
    if (data.get("billingAmount") != null) amount(data.get("billingAmount"));
    Object left = data.get("replacementAmount");
    Amount replacement = left == null ? null : amount(left);
    metadata.remove("traceId"); // only traceId, the order of fields and fields that are null may differ
    String same = sha256(Json.write(call));

    synchronized (decisions) { // one decision at a time
      Decision known = decisions.get(id);
      if (known != null)
        return known.call.equals(same) ? new Response(200, known.answer) : title(409, "Another call had this id");
      boolean isReplaced = kind.equals("REVERSAL") && replacement != null;
      Hold hold = new Hold(transaction, card, isReplaced ? replacement.currency : asked.currency);
      Held before = now(hold);
      long after = before.minor, until = before.until, part = 0;
      String code = "00", more = "";
      if (isReplaced) {
        after = Math.min(after, replacement.minor);
      } else if (kind.equals("REVERSAL")) {
        after = Math.max(0, after - asked.minor);
      } else if (kind.equals("BALANCE_INQUIRY")) {
        Object available = account.get("availableAmount");
        String balance = available == null ? "{" + amountOf(0, asked.currency) + "}" : Json.write(object(available));
        more = ",\"availableAmount\":" + balance;
      } else if (!FREE.contains(kind) && asked.minor > 0) {
        long room = BigDecimal.valueOf(LIMIT).movePointRight(decimalsOf(asked.currency)).longValue();
        for (Hold each : cards.getOrDefault(new Hold("", card, asked.currency), Set.of())) room -= now(each).minor;
        part = asked.minor;
        if (room > 0 && room < part && Boolean.TRUE.equals(data.get("partialApprovalCapable"))) {
          code = "10";
          part = room;
          more = ",\"partialApprovalAmount\":{" + amountOf(part, asked.currency) + "}";
        } else if (room < part) {
          code = "51";
          part = 0;
        }
        after += part;
        long days = data.get("authValidityInDays") instanceof BigDecimal said ? Math.min(said.longValue(), 36_500) : DAYS; // a century does not overflow
        if (part > 0) until = System.currentTimeMillis() + days * 86_400_000;
      }
      String answer = "{\"transactionData\":{\"authResponseCode\":{\"code\":\"" + code + "\"}" + more + "}}";
      store(new Decision(id, same, hold, new Held(after, until), answer));
      if (part > 0 && System.nanoTime() > due) store(new Decision(id, same, hold, before, "")); // a late answer counts as none
      return new Response(200, answer);
    }
  }

  /** What is held; nothing once its days are over. */
  static Held now(Hold hold) {
    Held held = holds.get(hold);
    return held == null || held.until <= System.currentTimeMillis() ? new Held(0, 0) : held;
  }

  static void keep(Decision d) {
    if (d.answer.isEmpty()) decisions.remove(d.id);
    else decisions.put(d.id, d);
    holds.put(d.hold, d.held);
    Set<Hold> own = cards.computeIfAbsent(new Hold("", d.hold.card, d.hold.currency), card -> new HashSet<>());
    if (d.held.minor > 0) own.add(d.hold);
    else own.remove(d.hold);
  }

  /** On the disk before it is answered. If the disk fails, end: after a restart the file says what was decided. */
  static void store(Decision d) {
    try {
      List<Object> line = List.of(d.id, d.call, d.hold.transaction, d.hold.card, d.hold.currency, BigDecimal.valueOf(d.held.minor), BigDecimal.valueOf(d.held.until), d.answer);
      ByteBuffer bytes = ByteBuffer.wrap((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) file.write(bytes);
      file.force(true);
      keep(d);
    } catch (IOException error) {
      System.err.println("the decision cannot be stored: " + error.getMessage());
      Runtime.getRuntime().halt(1);
    }
  }

  /** Reads the file. If its last line is incomplete, the call was never answered, so serve removes the line. */
  static void open(String name, boolean serve) throws IOException {
    file = FileChannel.open(Path.of(name), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (serve && file.tryLock() == null) throw new IOException(name + " is in use"); // one process at a time
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(file.size())); // by this channel: closing another ends the lock
    while (all.hasRemaining() && file.read(all) >= 0) {}
    byte[] bytes = all.array();
    int size = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != '\n') continue;
      try {
        List<?> d = (List<?>) new Json(new String(bytes, size, i - size, StandardCharsets.UTF_8)).read();
        Hold hold = new Hold((String) d.get(2), (String) d.get(3), (String) d.get(4));
        keep(new Decision((String) d.get(0), (String) d.get(1), hold, new Held(((BigDecimal) d.get(5)).longValueExact(), ((BigDecimal) d.get(6)).longValueExact()), (String) d.get(7)));
      } catch (RuntimeException error) {
        throw new IOException(name + " is damaged at byte " + size);
      }
      size = i + 1;
    }
    if (serve) file.truncate(size).position(size);
  }

  /** Over the bytes of the body as they came, before anything parses them; at most 5 minutes old. */
  static boolean signatureIsRight(Headers headers, byte[] body, String key) throws Exception {
    String stamp = headers.getFirst("x-signature-timestamp"), given = headers.getFirst("x-signature");
    if (stamp == null || given == null || !stamp.matches("[0-9]{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(stamp)) > 300) return false;
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update((stamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
    for (String one : given.split(","))
      if (MessageDigest.isEqual(expected, one.strip().getBytes(StandardCharsets.UTF_8))) return true;
    return false;
  }

  static Response title(int status, String text) {
    return new Response(status, "{\"title\":\"" + text + "\"}");
  }

  static Response respond(HttpExchange exchange, byte[] expected) throws Exception {
    long due = System.nanoTime() + READ_TIMEOUT * 1_000_000_000L;
    String given = exchange.getRequestHeaders().getFirst("authorization");
    if (expected != null && !MessageDigest.isEqual(expected, String.valueOf(given).getBytes(StandardCharsets.UTF_8)))
      return title(401, "Wrong credentials"); // before the body is read
    if (!exchange.getRequestMethod().equals("POST")) return title(405, "Calls are POST");
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) return title(413, "The call is too large");
    String key = System.getenv("WEBHOOK_KEY");
    if (key != null && !signatureIsRight(exchange.getRequestHeaders(), body, key)) return title(401, "Wrong signature");
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/warm-up")) return new Response(200, "{}");
    if (!path.equals("/auth")) return title(404, "Calls go to /auth and /warm-up");
    try {
      return decide(body, due);
    } catch (NoCall | CharacterCodingException error) {
      return title(400, "This is no call of the contract");
    }
  }

  static String sha256(String text) throws Exception {
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(sum);
  }

  /** As the file has them now. */
  static List<String> holdsOf(String name, String id) throws IOException {
    List.of(decisions, holds, cards).forEach(Map::clear);
    open(name, false);
    file.close();
    Decision d = decisions.get(id);
    List<String> found = new ArrayList<>();
    holds.keySet().forEach(hold -> {
      long minor = now(hold).minor;
      if (d == null || minor == 0 || !hold.transaction.equals(d.hold.transaction)) return;
      found.add("{\"transactionId\":" + Json.write(hold.transaction) + ",\"cardId\":" + Json.write(hold.card) + "," + amountOf(minor, hold.currency) + "}");
    });
    return found;
  }

  public static void main(String[] args) throws Exception {
    if (args[0].equals("probe")) { // of one id, or of ids line by line
      if (args.length == 3) System.out.println(holdsOf(args[1], args[2]));
      else for (var ids = new Scanner(System.in); ids.hasNextLine(); ) System.out.println(holdsOf(args[1], ids.nextLine()));
      return;
    }
    open(args[2], true);
    String user = System.getenv("WEBHOOK_USER"), password = System.getenv().getOrDefault("WEBHOOK_PASSWORD", "");
    byte[] expected = user == null ? null : ("Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8))).getBytes(StandardCharsets.UTF_8);
    System.setProperty("sun.net.httpserver.maxReqTime", "2"); // seconds for a whole call; later, nobody waits for the answer
    System.setProperty("sun.net.httpserver.nodelay", "true"); // else an answer may wait 40 ms in the socket
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1])), 128);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", exchange -> {
      try (exchange) {
        Response response = respond(exchange, expected);
        byte[] bytes = response.body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "application/json");
        if (response.status == 401 || response.status == 405 || response.status == 413) exchange.getResponseHeaders().set("connection", "close"); // the body was not read to its end
        exchange.sendResponseHeaders(response.status, bytes.length);
        exchange.getResponseBody().write(bytes);
      } catch (IOException error) {
        // The caller has gone.
      } catch (Exception error) {
        error.printStackTrace();
      }
    });
    server.start();
    System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** JSON: objects are sorted maps without fields that are null, numbers are BigDecimal. Anything else is no call. */
  static class Json {
    final String text;
    int at = 0, depth = 0;

    Json(String text) {
      this.text = text;
    }

    Object read() {
      Object value = value();
      next();
      if (at < text.length()) throw new NoCall();
      return value;
    }

    /** The next character after whitespace, or 0 at the end. */
    char next() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      return at < text.length() ? text.charAt(at) : 0;
    }

    boolean take(char wanted) {
      if (next() != wanted) return false;
      at++;
      return true;
    }

    void need(char wanted) {
      if (!take(wanted)) throw new NoCall();
    }

    Object value() {
      if (++depth > 100) throw new NoCall();
      Object value = switch (next()) {
        case '{' -> fields();
        case '[' -> items();
        case '"' -> string();
        case 't' -> word("true", true);
        case 'f' -> word("false", false);
        case 'n' -> word("null", null);
        default -> number();
      };
      depth--;
      return value;
    }

    Object word(String word, Object value) {
      if (!text.startsWith(word, at)) throw new NoCall();
      at += word.length();
      return value;
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new TreeMap<>();
      need('{');
      if (take('}')) return fields;
      do {
        if (next() != '"') throw new NoCall();
        String name = string();
        need(':');
        Object value = value();
        if (value == null) fields.remove(name);
        else fields.put(name, value);
      } while (take(','));
      need('}');
      return fields;
    }

    List<Object> items() {
      List<Object> items = new ArrayList<>();
      need('[');
      if (take(']')) return items;
      do items.add(value()); while (take(','));
      need(']');
      return items;
    }

    String string() {
      StringBuilder string = new StringBuilder();
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"') {
          at++;
          return string.toString();
        }
        if (c < ' ') throw new NoCall();
        if (c == '\\') {
          c = ++at < text.length() ? text.charAt(at) : 0;
          int escape = "\"\\/bfnrt".indexOf(c);
          if (escape >= 0) c = "\"\\/\b\f\n\r\t".charAt(escape);
          else if (c == 'u' && at + 4 < text.length() && text.substring(at + 1, at + 5).matches("[0-9a-fA-F]{4}")) {
            c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
            at += 4;
          } else throw new NoCall();
        }
        string.append(c);
      }
      throw new NoCall();
    }

    BigDecimal number() {
      var digits = java.util.regex.Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,4})?").matcher(text).region(at, text.length());
      if (!digits.lookingAt()) throw new NoCall();
      at = digits.end();
      return new BigDecimal(digits.group());
    }

    static String write(Object value) {
      StringBuilder out = new StringBuilder();
      write(value, out);
      return out.toString();
    }

    static void write(Object value, StringBuilder out) {
      if (value instanceof Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> field : map.entrySet()) {
          write(field.getKey(), out.append(separator));
          write(field.getValue(), out.append(':'));
          separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      } else if (value instanceof List<?> list) {
        String separator = "[";
        for (Object item : list) {
          write(item, out.append(separator));
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      } else if (value instanceof String string) {
        out.append('"');
        for (char c : string.toCharArray())
          if (c == '"' || c == '\\') out.append('\\').append(c);
          else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
          else out.append(c);
        out.append('"');
      } else if (value instanceof BigDecimal number) {
        BigDecimal shortest = number.stripTrailingZeros();
        out.append(Math.abs(shortest.scale()) < 20 ? shortest.toPlainString() : shortest.toString());
      } else {
        out.append(value);
      }
    }
  }
}

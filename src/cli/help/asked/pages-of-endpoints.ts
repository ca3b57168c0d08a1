export const ASKED_OF_PAGES_OF_ENDPOINTS: Readonly<Record<string, string>> = {
  'first-webhook.md': `
    minimal endpoint, smallest endpoint, first webhook, hello world endpoint, example server, write endpoint,
    endpoint node, endpoint python, tutorial webhook, webhook express, webhook flask, java endpoint,
    go endpoint, php endpoint, start webhooks, sample code, build server authorisations,
    own authorisation server, start developing, learn webhook, issuer decision server, build approval service,
    node http server calls, simplest handler, scratch, step step endpoint, first endpoint, build endpoint,
    write server, own backend, developer start, decide payments, node server, example endpoint, tutorial,
    approve payments code, issuer processor, programming language, server approves payments,
    say yes no payment, code authorisation, first steps developers, start coding endpoint, endpoint language,
    answer authorisations, tutorial developers, minimal server, approve decline purchases code,
    example javascript, write own decision logic, start developing issuer backend`,
  'first-webhook.md#Build it': `
    javascript example endpoint, http server example, endpoint code, minimal code, source, javascript server,
    hello world, express http server`,
  'first-webhook.md#Call it': `
    try code, send purchase localhost, test call, first call, send server payment, see answers`,
  'first-webhook.md#Look inside': `
    see sent over wire, debug calls, inspect traffic, wire, inspect call, forwarded call, see goes over wire,
    log requests`,
  'first-webhook.md#Test it': 'endpoint work, quick check endpoint, smoke, ci exit, endpoint correct',
  'first-webhook.md#The life of a hold': `
    hold, release hold, reservation, clearing, reversal, money released, expired hold, hold end,
    completion purchase, incremental authorisation, partial clearing, pre-authorisation,
    happens after approval, available balance, open buy, reserved money, blocked amount, pending amount,
    ledger holds, money comes back, refund reversal, merchant collects, settlement purchase, tip added later,
    hotel deposit, fuel pump hold, authorisation expires, partial reversal, incremental hold, double reversal,
    reversal without payment, reversal before authorisation, increment, capture, final amount, hotel, fuel,
    tip, deposit, money stuck, timed out reversal, never collected, server timed out, hold never captured,
    amount changed later, payment reversed, reversal late, refund hold, increment hold, increments work,
    happens hold nobody collects, fuel pump hotel deposit, amount booked later, late answer hold,
    merchant cancels, hold released, when hold ends`,
  'typescript.md': `
    typescript, javascript, library, import code, npm package, sdk, types, require node, types webhook,
    import types, sdk javascript, node, programmatic, call code, es module, import javascript,
    library functions, helper tests, package exports, deno, jest, vitest, import, npm module, node api,
    functions, unit tests, node program, import functions, javascript tests, own typescript code,
    javascript api, import node, functions developers`,
  'typescript.md#Test your endpoint': `
    test endpoint vitest, unit test handler, send calls code, scenarioCall, judgeAnswer, unit test decision,
    build call code, validate answer code, judge answer, scenario call, jest, test handler without server,
    check answer unit test`,
  'typescript.md#Signatures': `
    verify signature code, hmac node, checkSignature, sign call code, sign test, verify signature node,
    hmac javascript`,
  'typescript.md#Whole authorisations': `
    authorise code, sandbox handler, end end test node, handler same process, full purchase test, handler test,
    vitest, end end purchase test, vitest jest, mock service test`,
  'typescript.md#Card cryptography': `
    cryptogram, ARQC, PVV, cryptography, compute CVV, check CVV, secret class, masked secret, wipe memory, KCV,
    crypto, key check, wipe, crypto functions, secret type`,
  'typescript.md#PIN blocks': `
    PIN block, ISO 9564, iso format, encrypt PIN code, format 0, format 4, encodePinBlock, decodePinBlock,
    iso 0, iso 4, PIN_BLOCK_INVALID, 3des, decode pin`,
  'typescript.md#Keys, RSA and JWE': `
    decrypt, JWE, RSA, encrypted card number, key pair, decrypt card data, JWK, OAEP, rsa oaep, thumbprint,
    triple des, cmac, luhn check, generate keys, tdes, 3des, luhn, encrypt pan, jwk thumbprint`,
  'webhooks.md': `
    authorisation call, webhook, endpoint, answer, authorisation request, receive calls,
    forward calls endpoint, password endpoint, webhook retry, webhook duplicate, same call twice,
    duplicate call, endpoint url, webhook work, who decides, stand-in processing, webhook url,
    register endpoint, events, authorisation webhook, real time decision, issuer webhook, callback,
    jit funding, calls look, receive authorisations, incoming calls, approve purchases live, decision endpoint,
    warm-up call, event notifications, warm-up, approve decline, listener, push service, webhook server,
    answer payments, live decision purchases, authorisation reach`,
  'webhooks.md#Start it': `
    run local endpoint, listening port, watch calls come, bar deadline, start server, run server, listening,
    start listening`,
  'webhooks.md#Who decides': `
    approve everything, decline everything, answer sent, default decision, decline code, decline refunds,
    zero amount, approve all, decline all, decision order, stand-in, refund decision, balance inquiry,
    approve default, default answer`,
  'webhooks.md#Forward calls to your endpoint': `
    forward, proxy server, pass calls, proxy calls, forward localhost, record while forwarding,
    put front server, man middle, pass through, proxy recording, 502 rejected, forward headers, proxy, app,
    port 3000, 502, rejected answer, upstream, send calls app, server behind cardctl`,
  'webhooks.md#Decide with a command': `
    script decides, python handler, bash handler, exec, any language, own program, decide python,
    run script each call, ruby, php, stdin json, shell script decision, program per call, long running process,
    lambda, shell, python, perl, bash decision, decide bash, python script, stdin stdout`,
  'webhooks.md#One process for all calls': `
    long-running handler, one process calls, long-running, persistent process, stdin lines, faster script,
    keep script running`,
  'webhooks.md#Decide by hand': `
    decide hand, approve manually, ask each call, answer manually, interactive decisions, approve key press,
    manual approval purchases, wait, manual, hand, human decision, keypress, ask, click approve`,
  'webhooks.md#Repeated ids': `
    duplicate call, repeated call, retry call, idempotent endpoint, idempotent webhook, deduplicate calls,
    retries service, duplicates, call came twice, remembered answers, dedupe, id already used, reusedId,
    replay protection, same id, sent again, twice same, retransmission, idempotent answer, reused id, arrived
    twice, second time, already answered, deduplicate, call came again, purchase retry, duplicate message,
    repeated authorisation, got call two times, detect duplicates, double call, answer same again, service
    sends call again, duplicate authorisation, new purchase repetition, same message came two times, same id
    other content, endpoint got same call, got call again, same authorisation twice, duplicate webhook,
    delivered twice, same id again, exactly once webhook`,
  'webhooks.md#Calls that differ from the contract': `
    invalid call, schema calls, strict calls, service sends other fields, malformed call, unknown field,
    strict, extra fields, call wrong format`,
  'webhooks.md#Late and unreadable calls': `
    too slow, deadline, timeout, error endpoint, endpoint down, no answer, stand-in, fallback, bad json,
    late answer, webhook late, endpoint late, deadline endpoint, answer within seconds, answer deadline,
    endpoint slow, endpoint crashed, 500 server, malformed json, server down, endpoint not answer time,
    503 late, deadline missed, body too large, 413, 415, compressed body, endpoint fails, endpoint returns 500,
    timeout caller, fallback decision, no response server, response time, reply time, time answer, two seconds,
    2000 ms, time limit, unreadable, 400, payload too large, stand decision, service did not wait, quick,
    maximum duration, time budget, milliseconds, long decide, fast respond, service waits long,
    who decides late, deadline exceeded, long decision take, fast reply, timeout call,
    who decides don't answer, status 400 413 call, maximum size call, webhook too slow`,
  'webhooks.md#Credentials': `
    password endpoint, rotate secret webhook, new secret endpoint, password calls, bearer token endpoint,
    protect endpoint, authentication calls, api key calls, mutual tls calls, 401 calls, authenticate, basic
    auth, bearer, mtls, who calls, genuine, trusted caller, fake calls, password, caller identity, real
    issuer, impostor, spoofed, caller genuine, know caller real, secure endpoint, only accept service, verify
    sender, prove issuer, authenticate caller, bearer token caller, protect my endpoint, caller credentials,
    basic auth endpoint, bearer token calls, who may call my endpoint, unauthorised caller, 401 from endpoint,
    attacker calls endpoint`,
  'webhooks.md#Signatures': `
    signature, hmac, verify, shared secret, header call, call genuine, check signature, webhook signature,
    check signature webhook call, signing secret, signature not match, invalid signature, timestamp tolerance,
    replay attack, x-signature, sha256 hmac, signed body, compare constant time, standard webhooks, svix,
    wrong signature, forged calls, authenticity calls, whsec, signed, forged, tampered body, timestamp, rotate
    key, header signature, sha256, authenticity, call signed, wrong hmac, secret signature, verify sender
    signature, signed payload, body changed, forged request, is the caller genuine, verify sender, forged
    call, authenticate webhook, secret of webhook, trust caller, really comes from issuer, attacker posts,
    post really from you, fake post, spoofed call, somebody else calls my endpoint, prove origin of call,
    impersonate service, sender check`,
  'webhooks.md#Access from other machines': `
    localhost outside, tunnel, ngrok, reach laptop, TLS webhook, listen all interfaces, calls test system,
    expose laptop, public url, https local development, firewall, reach localhost, open network, expose port,
    public address, ssh tunnel, https endpoint, cloudflare tunnel, listen 0.0.0.0, exposed, path prefix,
    public, cloudflared, internet, https, tls certificate, remote, localtunnel, tunnel localhost,
    service cannot reach, expose internet, https certificate server`,
  'webhooks.md#Output for programs': `
    events json, machine readable events, events ndjson, watch events program, ndjson, server output`,
  'webhooks.md#Stop it': `
    shut down, graceful stop, stop server, graceful shutdown, wait until ready, kill server, background server`,
  'typescript.md#Limits': 'constant time, side channel',
}

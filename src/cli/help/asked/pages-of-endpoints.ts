export const ASKED_OF_PAGES_OF_ENDPOINTS: Readonly<Record<string, string>> = {
  'first-webhook.md': `
    minimal endpoint, smallest endpoint, first webhook, hello world endpoint, example server,
    write an endpoint, endpoint in node, endpoint in python, tutorial for the webhook,
    getting started with the webhook, webhook in express, webhook in flask, java endpoint, go endpoint,
    php endpoint, how do I start with webhooks, quick start for developers, sample code,
    build a server for authorisations, own authorisation server, start developing, learn the webhook,
    issuer decision server, build an approval service, node http server for calls, simplest handler,
    from scratch, step by step endpoint, my first endpoint`,
  'first-webhook.md#Build it': `
    code of a small endpoint, javascript example of an endpoint, http server example`,
  'first-webhook.md#Call it': 'try my code, send a purchase to localhost',
  'first-webhook.md#Look inside': 'see what is sent over the wire, debug calls, inspect traffic',
  'first-webhook.md#Test it': 'does my endpoint work, quick check of an endpoint',
  'first-webhook.md#The life of a hold': `
    hold, release of a hold, reservation, clearing, reversal, when is money released, expired hold,
    when does a hold end, completion of a purchase, incremental authorisation, partial clearing,
    pre-authorisation, what happens after approval, available balance, open to buy, reserved money,
    blocked amount, pending amount, ledger of holds, money comes back, refund and reversal,
    merchant collects, settlement of a purchase, tip added later, hotel deposit, fuel pump hold,
    authorisation expires, how long is money reserved, partial reversal, incremental hold, double reversal,
    reversal without a payment, reversal before the authorisation`,
  'typescript.md': `
    typescript, javascript, library, import in code, npm package, sdk, types, use it as a library,
    require in node, types for the webhook, import types, sdk for javascript, use from node,
    programmatic use, call it from code, es module, import from javascript, library functions,
    helper for tests, package exports, deno, jest, vitest`,
  'typescript.md#Test your endpoint': `
    test an endpoint in vitest, unit test of a handler, unit test my handler, send calls from code,
    scenarioCall, judgeAnswer, unit test for a decision, build a call in code, validate my answer in code`,
  'typescript.md#Signatures': `
    verify a signature in code, hmac in node, checkSignature, sign a call in code, verify hmac in javascript`,
  'typescript.md#Whole authorisations': `
    authorise in code, sandbox with a handler, end to end test in node, handler in the same process`,
  'typescript.md#Card cryptography': `
    cryptogram, ARQC, PVV, cryptography, compute a CVV, check a CVV, secret class, masked secret,
    wipe memory, key check value, KCV`,
  'typescript.md#PIN blocks': `
    PIN block, ISO 9564, iso format, encrypt a PIN in code, format 0, format 4, make a PIN block,
    encodePinBlock, decodePinBlock, iso 0, iso 4, aes PIN block, PIN_BLOCK_INVALID, 3des`,
  'typescript.md#Keys, RSA and JWE': `
    decrypt, JWE, RSA, encrypted card number, key pair, decrypt card data, generate a key pair, JWK, OAEP,
    rsa oaep, jwks, thumbprint, triple des, cmac, luhn check, encrypt a card number, generate keys`,
  'webhook-recording.md': `
    recorded calls, inspector, look at calls, see requests in a browser, export calls, what is recorded,
    how long recordings kept, recordings kept, delete recordings, record calls, replay calls, log of calls,
    history of calls, debug my webhook, look at requests of yesterday, web page with calls, dashboard,
    see the full request that my server received, whole request, headers of a call, traffic log,
    captured calls, store calls, web ui, gui, browser view, timeline of calls, request inspector,
    see bodies and headers, look at past calls, monitor calls live, what did the service send,
    history of authorisations, postman like`,
  'webhook-recording.md#What is recorded': `
    card numbers in recordings, masked recordings, personal data in recordings,
    how long are recordings kept, retention of recordings, are card numbers stored in recordings,
    delete recordings after some days, privacy of recordings, where are calls stored, events.db,
    turn recording off, durability, how long are calls kept, masked data, recording file,
    performance of the recording, power failure and calls`,
  'webhook-recording.md#List, show and export': `
    list failed calls, export to ndjson, last call, calls of the last hour`,
  'webhook-recording.md#Search': `
    search calls, filter calls, query, filter by merchant, filter by code, find late calls, search syntax,
    calls above an amount, declined calls of a card`,
  'webhook-recording.md#Replay': `
    replay, compare old and new answers, regression, compare two versions of my endpoint,
    run old calls against new code, send old calls again, compare with new code, regression check,
    does my new version decide the same, repeat production traffic, approved now declined before`,
  'webhook-recording.md#Inspector page': `
    dashboard in the browser, copy as curl, edit a call and send it, keyboard shortcuts,
    decide in the browser, histogram of times`,
  'webhook-recording.md#Who can open it': `
    access to the inspector, share the inspector, link expired, inspector on another machine,
    share with a colleague, protect the page, open the page from another computer, link of the page,
    new link, key of the page, revoke the link, page is locked`,
  'webhook-rules.md': `
    rules, yaml rules, decide without code, decline over an amount, by merchant, by country, by time,
    allow list, block list, velocity, count per day, approve amount, approve merchant, decline casino,
    decline shop, approve automatically, authorise automatically, approve by rule, gambling, casino,
    decline a kind of shop, block merchants, decline gambling, approve everything, always decline,
    decline at night, foreign merchants, limit per day, count of purchases, yaml file of rules,
    decide by country, no code, decide without programming, decision table, decline list, mock issuer,
    simple rules, when then, config for decisions, simulate declines, business rules, fraud rules,
    test declines on purpose, velocity check, spending rules`,
  'webhook-rules.md#Conditions': `
    condition, amount above, currency, merchant category code, mcc, time of day, country, decline amount,
    decline payment amount, decline by amount, decline merchant, decline by merchant category,
    over 200 euros, amount greater than, by merchant name, by currency, by country, by time, by card,
    match a merchant, match a country, mcc range, time window, weekdays, purchases per hour, sum per day,
    card entry mode, contactless only, wildcard, random share of calls, only the first calls,
    field is missing`,
  'webhook-rules.md#Answers': `
    partial approval, approve less, response code of a rule, delay an answer, simulate a slow answer,
    wrong answer on purpose, no answer, answer with a code, part of the amount, approve a part,
    answer slowly, send broken json, http 503 from my endpoint, no answer at all, decline code,
    response code 05, percent of the amount, simulate a failing endpoint, delay of answers`,
  'webhook-rules.md#Check and change a file': `
    reload rules, edit rules while running, validate rules, test rules against recorded calls, hot reload,
    lint rules, which rules were used, rule never matches, error in the yaml`,
  'webhook-rules.md#Calls without enough data': `
    missing merchant category, cannot be evaluated, fallback of rules, field missing in a call`,
  'webhook-tests.md': `
    test my endpoint, suite, certify, CI for my endpoint, load, expectations, duplicates, order of calls,
    certificate for my endpoint, is my endpoint right, check endpoint, load test,
    check my server automatically, endpoint in github actions, contract test of the webhook, fuzzing,
    automated tests of an endpoint, quality check, acceptance of my server, test plan, call my endpoint,
    validate an endpoint, ready for production, test cases, regression suite`,
  'webhook-tests.md#One call': `
    single test call, expect an answer, was it approved, exit code of a call, choose amount and card,
    set a field of the call, send a broken call`,
  'webhook-tests.md#Load tests': `
    load test, performance, calls per second, latency, throughput, p99, stress, benchmark, percentiles,
    slow answers under load, capacity of my endpoint, soak, throughput limit, p95`,
  'webhook-tests.md#Suites': `
    write a suite, yaml suite, scenario, steps, several calls in a row, reversal after authorisation,
    use values of an earlier answer, order of messages, yaml test file, write test cases, several steps,
    step after step, expected answer of a step, script a scenario, data driven cases`,
  'webhook-tests.md#Steps': `
    wait between steps, move the clock in a suite, parallel calls, increment, reverse an earlier call`,
  'webhook-tests.md#Expectations': `
    assert on the answer, expected code, expected amount, assert the amount, assert the code,
    check a field of the answer, answer within a time, expect a decline`,
  'webhook-tests.md#Values from earlier steps': `
    variables in a suite, use an id of an earlier call, placeholders`,
  'webhook-tests.md#Recorded calls, and NDJSON': 'make a suite from real calls, turn recordings into tests',
  'webhook-tests.md#Shipped suites': `
    ready tests, smoke test, ready-made tests, hostile calls, money cases, security tests of an endpoint,
    fuzz`,
  'webhook-tests.md#Reports': `
    junit, html report, report for CI, test results file, junit xml, test results in CI, tap,
    github annotations, html report of a suite`,
  'webhook-tests.md#Other tools': 'prism, openapi of the webhook, mock the endpoint, schema for postman',
  'webhook-tests.md#Certify an endpoint': `
    certificate, go live, must do, conformance, before going live, reversal before authorisation,
    out of order, concurrency of calls, conformance report, proof for the card programme, probe of holds,
    restart test, go-live check, all rules of the contract, certificate of an endpoint`,
  'webhook-tests.md#Results': `
    limited certificate, incomplete certificate, certificate failed, verify a certificate,
    what does limited mean`,
  'webhooks.md': `
    authorisation call, webhook, endpoint, answer, authorisation request, receive calls,
    forward calls endpoint, password of the endpoint, answer authorisation call, webhook retry,
    webhook duplicate, same call twice, duplicate call, endpoint url, what is an authorisation call,
    how does the webhook work, who decides, stand-in processing, webhook url, register my endpoint, events,
    authorisation webhook, real time decision, issuer webhook, callback, jit funding, how do calls look,
    receive authorisations, incoming calls, approve purchases live, decision endpoint, warm-up call,
    event notifications, handle authorisation requests`,
  'webhooks.md#Start it': 'run a local endpoint, listening port, watch calls come in, bar of the deadline',
  'webhooks.md#Who decides': `
    approve everything, decline everything, which answer is sent, default decision, decline with a code,
    decline refunds, zero amount`,
  'webhooks.md#Forward calls to your endpoint': `
    forward, proxy to my server, pass calls on, proxy calls, forward to localhost, record while forwarding,
    put it in front of my server, man in the middle, pass through, proxy with recording, 502 rejected,
    forward headers`,
  'webhooks.md#Decide with a command': `
    script decides, python handler, bash handler, exec, any language, own program, decide in python,
    run a script for each call, use my own program, ruby, php, stdin json, decide in a script,
    shell script as decision, program per call, long running process, stdin and stdout protocol, lambda`,
  'webhooks.md#One process for all calls': 'long-running handler, one process many calls',
  'webhooks.md#Decide by hand': `
    decide by hand, approve manually, ask me for each call, answer manually, interactive decisions,
    approve by key press, manual approval of purchases, wait for me`,
  'webhooks.md#Repeated ids': `
    same id twice, duplicate call, repeated call, retry of a call, idempotent endpoint, idempotent webhook,
    deduplicate calls, same event twice, retries of the service, duplicates, same metadata.id,
    call came twice, remembered answers, dedupe, id already used, reusedId, replay protection`,
  'webhooks.md#Calls that differ from the contract': `
    unknown field in a call, invalid call, schema of calls, unknown fields in a call, strict calls,
    service sends other fields`,
  'webhooks.md#Late and unreadable calls': `
    too slow, deadline, timeout, late, error of the endpoint, endpoint down, endpoint answers 500,
    no answer, stand-in, fallback, bad json, late answer, answer late, webhook late, endpoint late,
    deadline endpoint, answer within seconds, answer deadline, endpoint is slow, endpoint crashed,
    500 from my server, answer too late, malformed json, max answer time, time limit of the answer,
    what if my server is down, endpoint does not answer in time, 503 late, deadline missed, body too large,
    413, 415, compressed body, what if my endpoint fails, endpoint returns 500, timeout of the caller,
    fallback decision, no response from my server`,
  'webhooks.md#Credentials': `
    password of the endpoint, bearer token of calls, basic auth for the webhook, mTLS of the endpoint,
    rotate the secret of the webhook, webhook secret rotated, new secret of the endpoint, password of calls,
    basic auth on my endpoint, bearer token on my endpoint, client certificate of the caller,
    protect the endpoint, authentication of calls, who may call my endpoint, api key of calls,
    basic password for calls, mutual tls for calls, 401 for calls`,
  'webhooks.md#Signatures': `
    signature, hmac, verify, shared secret, header of a call, is the call genuine,
    sign the authorisation call, check a signature, webhook signature, check signature webhook call,
    signing secret, verify that a call is genuine, signature does not match, invalid signature,
    timestamp tolerance, replay attack, x-signature, sha256 hmac, signed body, compare in constant time,
    standard webhooks, svix, rotate the signing key, wrong signature, forged calls, authenticity of calls,
    whsec`,
  'webhooks.md#Access from other machines': `
    localhost from outside, tunnel, ngrok, reach my laptop, TLS for the webhook, listen on all interfaces,
    calls from the test system, expose my laptop, public url, https for local development, firewall,
    reach localhost, open to the network, expose a port, public address, ssh tunnel, https for the endpoint,
    cloudflare tunnel, listen on 0.0.0.0, exposed, path prefix`,
  'webhooks.md#Output for programs': `
    events as json, machine readable events, events as ndjson, watch events from a program`,
  'webhooks.md#Stop it': `
    shut down, graceful stop, stop the server, graceful shutdown, kill the server in a script,
    wait until it is ready`,
}

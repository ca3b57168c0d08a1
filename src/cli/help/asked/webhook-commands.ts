export const ASKED_OF_WEBHOOK_COMMANDS: Readonly<Record<string, string>> = {
  'webhook bench': `
    load test, fast endpoint, performance, stress test, latency, stress, requests per second server, fast,
    percentile, performance endpoint, benchmark, throughput, p99, peak load, black friday, soak, k6, jmeter,
    gatling, vegeta, wrk, slow endpoint, speed endpoint, per second, load endpoint, endpoint too slow,
    response time statistics, simulate customers, payments server handle, response time under load,
    performance test`,
  'webhook certify': `
    endpoint ready, certificate endpoint, go live endpoint, all endpoint, out order calls,
    prove endpoint works, before production, acceptance test, conformance test, certificate, prove readiness,
    final check before production, certification, go live check, production ready, full check,
    prove correctness, sign-off endpoint, audit endpoint, endpoint correct, complete endpoint check,
    scheme asks proof, prove card programme endpoint right, official check implementation, everything endpoint`,
  'webhook contract': `
    response codes, answer, code 51, code 05, merchant category, example payload, schema webhook,
    fields request, json call, required fields, fields call, schema call, decline codes, example answer,
    openapi webhook, list codes, merchant fields, message format, answer fields, code meaning, field meaning,
    specification calls, mcc, currency field, amount field, sample call, json structure, values,
    required answer, auth message, iso 8583, code 54, code 59, fields, data call, terminal data,
    country merchant, list all fields, format authorisation, code insufficient funds, code expired card,
    json request, amount cents units, answer contain, body answer, message sample, time allowed answer,
    milliseconds answer, structure auth request, partial approval field, balance answer, fields authorisation,
    format request service sends, format answer, list decline reasons, reply contain,
    json authorisation message, field optional, currency amount fields call, who merchant message`,
  'webhook events export': `
    export calls, calls file, archive calls, calls ndjson, dump traffic, save calls, extract calls,
    extract real traffic tests, dump calls`,
  'webhook events list': `
    recorded calls, latest calls, show calls, filter calls, see latest authorisations, find call, recent calls,
    calls came, calls today, declined calls, search calls, log authorisation calls, past authorisations,
    late calls, traffic list, see purchases, search merchant, came, last calls, failed calls, see past calls,
    calls one card, late answers list, payments were asked lately, came endpoint`,
  'webhook events prune': `
    long recordings kept, remove old recordings, delete calls, delete recordings, old calls, shrink recording,
    recording too large`,
  'webhook events show': `
    call declined, payload call, did rule decline, call headers, body call, declined, last call, one call,
    call detail, raw call, timing call, decision steps, full call, see json call, how long did the answer take`,
  'webhook link': `
    open inspector, link page, url inspector, open page, lost link, new link, page address, browser address,
    open web view again`,
  'webhook replay': `
    replay calls, compare decisions, regression test endpoint, new version endpoint against old calls,
    replay event, test new code old calls, differences between two versions, send calls again, repeat call,
    replay yesterday, test real calls, run again, regression, real traffic again, yesterday's calls,
    resend calls, re-run, production traffic, retest after fix, send old call, replay against new version,
    test new code real calls, same decisions before, rerun production calls,
    send yesterday's payments through new code, did change alter decisions,
    run old calls against another server, play back calls, play back what happened`,
  'webhook rules check': `
    check rule file, rules decide, mistake rules, test rules, syntax rules, rule matches, validate rules,
    try rules recorded calls, error rule, dry run rules, rules against history, effect rules, rule file valid`,
  'webhook scenarios': `
    kinds test calls, list scenarios, list test calls, kinds purchases, available scenarios, example purchases,
    sample purchases, test situations, example calls, names scenarios`,
  'webhook serve': `
    start webhook, listen calls, local endpoint, receive webhooks, run webhook, local webhook server,
    receive authorisations, listen events, webhook https, port, start endpoint, receive calls, answer calls,
    listen authorisations, inspect calls, forward calls, decide purchases, listen, fake endpoint,
    mock endpoint, always approve, always decline, proxy calls, record calls, ngrok, dev server,
    simulate issuer, tail calls, accept calls service, act endpoint, approve everything locally,
    decline everything locally, see calls live, endpoint without code, listen port,
    answer payment requests while develop, proxy front endpoint, approve everything automatically,
    refuse all payments test`,
  'webhook test': `
    junit, expected answers, regression tests endpoint, run suite, test report, endpoint test pipeline,
    test suite, check expectations, smoke test, run tests, automated test, regression suite, check endpoint,
    assert decisions, endpoint ci, acceptance suite, unit test endpoint, run tests against endpoint,
    github actions endpoint test, regression tests decisions, run test suite against server, assert answers,
    check decline case, integration test authorisation code`,
  'webhook trigger': `
    try endpoint, simulate purchase endpoint, send test authorisation, test call, send example authorisation,
    try amount, call 3DS, test decline, send one webhook, call endpoint, simulate authorisation,
    fake purchase server, send reversal, send call, single call, fire event, trigger event, simulate call,
    call server, ping endpoint, post authorisation, stripe trigger, sample purchase server, reversal server,
    test endpoint one call, send purchase endpoint, try decline, call own amount, try curl,
    sample call localhost, see endpoint answers, send one test payment endpoint, curl authorisation,
    try whether server answers, send refund reversal server`,
}

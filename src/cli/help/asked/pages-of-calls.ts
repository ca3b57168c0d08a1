export const ASKED_OF_PAGES_OF_CALLS: Readonly<Record<string, string>> = {
  'webhook-recording.md': `
    recorded calls, inspector, look calls, see requests browser, export calls, recorded, recordings kept,
    delete recordings, replay calls, log calls, history calls, debug webhook, look requests yesterday, web
    page calls, dashboard, see full request server received, request, headers call, traffic log, captured
    calls, store calls, web ui, gui, browser view, timeline calls, request inspector, see bodies headers,
    monitor calls live, did service send, history authorisations, postman, traffic, inspect, debug calls, past
    calls, look traffic, watch calls browser, inspect requests, debug authorisation, see what came in, history
    of calls, log of webhook, what did my endpoint receive, debug call, view body of call, who called`,
  'webhook-recording.md#What is recorded': `
    card numbers recordings, masked recordings, personal data recordings, long recordings kept,
    retention recordings, delete recordings after some days, privacy recordings, calls stored, events.db,
    turn recording off, durability, long calls kept, masked data, recording file, performance recording,
    power failure calls, masked recording, keep calls, lose calls, personal data recording`,
  'webhook-recording.md#List, show and export': `
    export ndjson, last call, list calls, export calls, save calls file, filter time`,
  'webhook-recording.md#Search': `
    search calls, filter calls, query, filter merchant, filter code, search syntax, calls above amount,
    declined calls card, find call, slow calls, mcc search, amount search, query syntax, filter amount,
    search calls response code, query language`,
  'webhook-recording.md#Replay': `
    replay, regression, compare two versions endpoint, run old calls against new code, compare new code,
    regression check, new version decide same, repeat production traffic, approved now declined before,
    resend, again, failed call, same call again, compare old new, decisions changed, re-send yesterday, replay
    yesterday, send call again, repeat call against new code, run old calls again, compare decisions before
    after, send same call once more, try fix real calls, resend call, send yesterday's call again, replay
    failed call, repeat webhook, rerun call against new code`,
  'webhook-recording.md#Inspector page': `
    dashboard browser, copy curl, edit call send, keyboard shortcuts, decide browser, histogram times, browser,
    page, ui, gui, dashboard, web interface, approve browser, shortcuts, dark mode, page shows calls,
    calls browser, link page, web page calls, browser view`,
  'webhook-recording.md#Who can open it': `
    access inspector, share inspector, link expired, inspector another machine, share colleague, protect page,
    open page another computer, link page, new link, key page, revoke link, page locked, share page,
    remote browser, page security, link key, open inspector another computer`,
  'webhook-rules.md': `
    rules, yaml rules, decide without code, merchant, country, time, allow list, block list, velocity, count
    per day, approve amount, approve merchant, decline casino, decline shop, approve automatically, authorise
    automatically, approve rule, gambling, casino, block merchants, decline gambling, approve everything,
    always decline, decline night, foreign merchants, limit per day, count purchases, decide country, no code,
    decide without programming, decision table, decline list, mock issuer, simple rules, then, config
    decisions, simulate declines, business rules, fraud rules, test declines purpose, velocity check, spending
    rules, decline above, mcc rule, night block, country block, approve below, decline above 200, reject big
    amounts, block casino, only certain merchants, no gambling, refuse foreign countries, rule file, decide
    rules, deny night purchases, yaml decisions, rules approvals, gambling refused, decline above amount, rule
    by country, block gambling, approve part, decline abroad, answer without code, static answers, petrol
    stations, fuel, gas station, without programming, no programming, refuse above euro, merchant category
    refuse, block merchant`,
  'webhook-rules.md#Conditions': `
    condition, amount above, currency, merchant category code, mcc, time day, country, decline amount, decline
    merchant, over 200 euros, amount greater, merchant name, time, card, match merchant, match country, mcc
    range, time window, weekdays, sum per day, contactless only, wildcard, random share calls, only first
    calls, field missing, match, weekend, velocity, per hour, contactless, entry mode, card id, rule merchant,
    rule country, rule time, amount over, rule mcc, rule per card, velocity check, rule one card, above 150
    euro, petrol station condition, only at night, per country, per merchant, per card, amount greater than`,
  'webhook-rules.md#Answers': `
    partial approval, approve less, response code rule, delay answer, wrong answer purpose, no answer, answer
    code, part amount, approve part, answer slowly, send broken json, http 503 endpoint, decline code,
    response code 05, percent amount, simulate failing endpoint, half amount, delay, broken answer, http
    status, approve only half, partial answer, less asked, answer error, invalid answer purpose, approve
    partially, approve part of the amount, decline reason, answer with less`,
  'webhook-rules.md#Check and change a file': `
    reload rules, edit rules while running, validate rules, test rules against recorded calls, hot reload,
    lint rules, rule never matches, error yaml, validate, rules used`,
  'webhook-rules.md#Calls without enough data': `
    missing merchant category, cannot evaluated, fallback rules, field missing call, missing data, fallback,
    no mcc`,
  'webhook-tests.md': `
    test endpoint, suite, certify, CI endpoint, load, expectations, duplicates, order calls,
    certificate endpoint, endpoint right, check endpoint, load test, check server automatically,
    endpoint github actions, contract test webhook, fuzzing, quality check, acceptance server, test plan,
    call endpoint, validate endpoint, ready production, test cases, regression suite, tests, quality,
    qa endpoint, test server, ways try out server`,
  'webhook-tests.md#One call': `
    expect answer, approved, exit code call, choose amount card, send broken call, single call, expect,
    change field, set field, one test purchase, call other amount, try one decline, send single purchase,
    change one field call`,
  'webhook-tests.md#Load tests': `
    load test, performance, calls per second, latency, throughput, p99, stress, benchmark, percentiles,
    slow answers under load, capacity endpoint, soak, throughput limit, p95, load, peak, rate, busy day,
    endpoint under load, peak traffic test, measure latency, fast endpoint, latency limit`,
  'webhook-tests.md#Suites': `
    write suite, yaml suite, scenario, steps, several calls row, reversal after authorisation,
    values earlier answer, order messages, several steps, step after step, expected answer step,
    script scenario, data driven cases, suite, test cases, own tests, expected, write expected answers,
    test decline casino, own scenarios, yaml tests, expected decision`,
  'webhook-tests.md#Steps': `
    move clock suite, parallel calls, increment, reverse earlier call, step, wait step, clock step,
    repeat step, order test steps, wait test`,
  'webhook-tests.md#Expectations': `
    assert answer, expected code, expected amount, assert amount, assert code, check field answer,
    answer within time, expect decline, expect, assertion, not checked`,
  'webhook-tests.md#Values from earlier steps': `
    variables suite, id earlier call, placeholders, variables, reuse id, id former step, variables test`,
  'webhook-tests.md#Recorded calls, and NDJSON': `
    make suite real calls, turn recordings tests, recorded tests, tests traffic, ndjson suite,
    make tests real calls`,
  'webhook-tests.md#Shipped suites': `
    ready tests, smoke test, ready-made tests, hostile calls, money cases, fuzz, smoke, money, hostile,
    security tests, identity`,
  'webhook-tests.md#Reports': `
    junit, html report, report CI, test results file, junit xml, test results CI, tap, github annotations,
    test output, pipeline tests, only some tests, bail, sonar, allure, tests github actions, junit jenkins,
    fail build, show failures pull request, annotations pull request, tap output, junit report endpoint tests,
    gitlab junit, report for gitlab, report jenkins, test results gitlab`,
  'webhook-tests.md#Other tools': `
    prism, openapi webhook, mock endpoint, schema postman, openapi mock, postman, other programs`,
  'webhook-tests.md#Certify an endpoint': `
    certificate, go live, must do, conformance, before going live, reversal before authorisation, out order,
    concurrency calls, conformance report, probe holds, restart test, go-live check, all rules contract,
    certificate endpoint, certify, probe, restart, card programme, scheme approval, holds check, prove
    endpoint scheme, full endpoint check, certificate program, endpoint survive restart, is my endpoint good
    enough, ready for production endpoint, acceptance of endpoint, proof that endpoint works, pass mark`,
  'webhook-tests.md#Results': `
    limited certificate, incomplete certificate, certificate failed, verify certificate, limited mean, limited,
    incomplete, passed, certificate result, incomplete mean, check certificate unchanged`,
}

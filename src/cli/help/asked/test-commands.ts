export const ASKED_OF_TEST_COMMANDS: Readonly<Record<string, string>> = {
  'sandbox authorizations clear': `
    clear a purchase, post a clearing, book a hold, capture, book a purchase, settle a purchase, clearing,
    capture an authorisation, partial clearing`,
  'sandbox authorizations list': `
    purchases in the sandbox, list authorisations, holds, list of purchases, see holds,
    which purchases were declined, authorisation log`,
  'sandbox authorizations reverse': `
    reverse a purchase, cancel an authorisation, release a hold, give back a hold, cancel a purchase, void,
    reverse a hold, release the money`,
  'sandbox authorizations show': 'one authorisation, details of a purchase, why was it declined, who decided',
  'sandbox authorize': `
    make a purchase, simulate a payment, test a purchase, pay with a card in the sandbox, test transaction,
    simulate a card payment, chip purchase, contactless payment, online payment,
    atm withdrawal in the sandbox, buy something, simulate a purchase, card payment, test payment,
    pay with a test card, online purchase, atm withdrawal, contactless,
    trigger an authorisation from the sandbox`,
  'sandbox clock advance': `
    move the clock, jump a month, time travel, let a card expire, fake time, next day, expire a card,
    wait a day, let a hold expire, next month, skip time, jump ahead, wait seven days, expire a hold,
    fast forward, move time`,
  'sandbox clock show': 'time of the sandbox, sandbox time, what time is it in the sandbox',
  'sandbox faults add': `
    simulate an error, simulate an outage, slow answers, error 500, timeout in the sandbox,
    drop connections, fault injection, chaos, make it fail, sandbox fail, sandbox error, make sandbox fail,
    make sandbox error, sandbox 500, sandbox fail 500, sandbox timeout, simulate timeout, simulate error,
    simulate failure, service simulate timeout, sandbox slow, fail next request, network error, return 503,
    slow response, test my retry, connection reset, lose a response, rate limit in the sandbox,
    inject errors, return 500, simulate a timeout, delay responses, drop a connection, error for one card,
    next request fails, 429 from the sandbox, status code of the sandbox`,
  'sandbox faults clear': 'no more faults, remove faults, remove all faults, stop errors, back to normal',
  'sandbox faults list': 'which faults are active, active faults, why does the sandbox fail',
  'sandbox faults remove': 'remove one fault, delete a fault',
  'sandbox info': `
    what does the sandbox simulate, what is missing in the sandbox, about the sandbox, sandbox version,
    how is the sandbox running, capabilities`,
  'sandbox reset': `
    start over, demo data back, clean sandbox, empty sandbox, reset test data, sandbox original state,
    original state, sandbox from scratch, sandbox start over, clear sandbox, restore demo data,
    start from zero, data is messed up, start fresh, clean state, undo everything in the sandbox,
    delete test data, initial state, broke my sandbox`,
  'sandbox serve': `
    start the sandbox, sandbox on a port, mock server, fake server, local api server, docker sandbox,
    sandbox as http server, integration test server, mock http api, listen on another port, sandbox in CI,
    run the sandbox as a server, http server, sandbox for other languages, port of the sandbox,
    sandbox with tls, mock api on localhost, isolated sandboxes, sandbox in memory`,
  'sandbox snapshot fork': 'copy of a sandbox, copy of the sandbox, branch of the state, clone the sandbox',
  'sandbox snapshot list': 'saved states, which snapshots',
  'sandbox snapshot load': `
    restore the state, load a fixture, go back to a state, load test data, same state for each test,
    restore a snapshot, load a state, back to a saved state, reset to my own data`,
  'sandbox snapshot remove': 'delete a snapshot',
  'sandbox snapshot save': `
    save the state, fixture, keep test data, save the state of the sandbox, make a snapshot,
    keep my test data, fixture file`,
  'sandbox state list': `
    test cards, which demo cards, ids in the sandbox, which cards exist in the sandbox, example cards,
    ids to try, list test data, which cards exist, sample data, all demo accounts`,
  'sandbox state set': `
    block a test card, change test data, balance of a test account, set up test data, make a card expired,
    set a balance, create test data, test card without money, many test cards, change a balance,
    set a card status, prepare test data, make a card blocked, edit the sandbox, expired card for a test,
    put money on an account`,
  'sandbox state show': `
    balance, all fields of a test card, look at test data, balance of an account in the sandbox,
    account balance`,
  'sandbox store check': 'check the database, rights in postgres, row level security check',
  'sandbox store migrate': `
    tables in postgres, database schema upgrade, create tables, upgrade the database, prepare postgres,
    schema`,
  'sandbox store size': 'how big is the database, size of the database, largest tables',
  'sandbox tenants add': `
    own data for each team, add a team, new team, new tenant, create a tenant, tenant for CI`,
  'sandbox tenants list': 'which tenants exist, all teams',
  'sandbox tenants remove': 'delete a tenant, remove a team',
  'sandbox tenants reset': 'reset data of a tenant',
  'sandbox tenants set': 'limits of a tenant, webhook of a tenant, change a tenant',
  'sandbox tenants show': 'settings of a tenant',
  'sandbox tokens add': `
    token for a colleague, access to a shared sandbox, new token, token for a program,
    access token for a team, expiring token`,
  'sandbox tokens list': 'which tokens exist, tokens of a tenant',
  'sandbox tokens remove': 'revoke a token, leaked token, delete a token',
  'sandbox tokens rotate': 'rotate a token, token leaked, renew a token, replace a token, token rotation',
  'webhook bench': `
    load test, how fast is my endpoint, calls per second, performance, stress test, latency, stress,
    requests per second of my server, how fast must I be, percentile, how many calls per second,
    performance of my endpoint, benchmark`,
  'webhook certify': `
    is my endpoint ready, certificate for an endpoint, go live with my endpoint,
    all that an endpoint must do, out of order calls, prove that my endpoint works, before production,
    acceptance test, conformance test, certificate, prove readiness, final check before production,
    endpoint ready for go-live`,
  'webhook contract': `
    fields of an authorisation call, response codes, what must I answer, code 51, code 05,
    merchant category, example payload, schema of the webhook, list of response codes,
    what does code 05 mean, fields of the request, json of the call, merchant category code,
    mandatory fields of an answer, required fields, what must be in the answer, fields of the call,
    json of a call, schema of a call, decline codes, meaning of code 51, example of an answer,
    openapi of the webhook, list of codes, merchant fields`,
  'webhook events export': `
    export calls, calls to a file, calls as a file, archive calls, recorded calls to a file,
    calls as ndjson, archive of calls`,
  'webhook events list': `
    recorded calls, latest calls, show calls, filter calls, see the latest authorisations,
    which calls were declined, find a call, recent calls, which calls came in, calls today, declined calls,
    search calls, log of authorisation calls`,
  'webhook events prune': `
    delete recorded calls, how long are recordings kept, remove old recordings, delete calls`,
  'webhook events show': `
    one call in detail, why was a call declined, payload of a call, why did the rule decline,
    full request of a call, whole call with headers, details of one call, body of a call, why declined,
    headers of a call, last call`,
  'webhook link': `
    open the inspector, link to the page, url of the inspector, url of the inspector page,
    open the page again, open the page, lost the link, new link`,
  'webhook replay': `
    replay calls, send recorded calls again, compare decisions, regression test of my endpoint,
    new version of my endpoint against old calls, replay recorded event, replay webhook event, replay event,
    replay call, send recorded call again, test new code with old calls, send yesterday's calls again,
    differences between two versions, send calls again, repeat a call, replay yesterday,
    test with real calls`,
  'webhook rules check': `
    check a rule file, what do my rules decide, mistake in rules, test my rules, syntax of rules,
    which rule matches, test a rule file, validate rules, try rules on recorded calls, error in a rule`,
  'webhook scenarios': `
    kinds of test calls, list scenarios, list of test calls, kinds of purchases, available scenarios,
    example purchases`,
  'webhook serve': `
    answer authorisation calls, start the webhook, listen for calls, local endpoint, receive webhooks,
    run the webhook, local webhook server, receive authorisations, listen for events, webhook on https,
    use a port, start an endpoint, receive calls, answer calls, listen for authorisations, inspect calls,
    forward calls, decide purchases`,
  'webhook test': `
    test suite for my endpoint, check my endpoint in CI, junit, expected answers,
    regression tests for my endpoint, run a suite, test report, endpoint test in a pipeline, test suite,
    automated endpoint tests, check expectations, smoke test`,
  'webhook trigger': `
    send a test call, call my endpoint once, try my endpoint, simulate a purchase at my endpoint,
    send test authorisation, send test call, test call, try endpoint, fire a test event,
    send an example authorisation, try with an amount, call with 3DS, test a decline, send one webhook,
    send one call, call my endpoint, simulate an authorisation, fake purchase at my server, send a reversal`,
}

export const ASKED_OF_SANDBOX_COMMANDS: Readonly<Record<string, string>> = {
  'sandbox authorizations clear': `
    clear purchase, post clearing, book hold, capture, book purchase, settle purchase, clearing,
    capture authorisation, partial clearing, merchant captures, post purchase, final amount, tip added,
    partial capture, settle hold, merchant collects money, final amount differs hold`,
  'sandbox authorizations list': `
    purchases sandbox, list authorisations, holds, list purchases, see holds, purchases were declined,
    authorisation log, test purchases, sandbox payments, simulated transactions, declined tests, holds sandbox,
    see test payments decisions`,
  'sandbox authorizations reverse': `
    reverse purchase, cancel authorisation, release hold, give back hold, cancel purchase, void, reverse hold,
    release money, reversal test, merchant cancels, release reservation, partial reversal,
    merchant voids payment, simulate reversal`,
  'sandbox authorizations show': `
    one authorisation, details purchase, declined, who decided, decline reason sandbox, check failed, 61,
    decided, test purchase declined, check refused payment, details simulated payment`,
  'sandbox authorize': `
    make purchase, simulate payment, test purchase, pay card sandbox, test transaction, chip purchase,
    contactless payment, online payment, buy something, simulate purchase, card payment, test payment,
    online purchase, atm withdrawal, contactless, trigger authorisation sandbox, fake payment, swipe card,
    tap card, buy sandbox, wrong pin test, abroad test, refund test, decline test, 3-d secure test, test card,
    simulate atm, make declined payment, spend money sandbox, pretend pay shop, try wrong pin,
    see decline looks`,
  'sandbox clock advance': `
    move clock, jump month, time travel, card expire, fake time, next day, wait day, hold expire, next month,
    skip time, jump ahead, fast forward, move time, skip days, tomorrow, expire key, age data, wait month test,
    test expiry, make week go, test happens tomorrow, skip ahead next month`,
  'sandbox clock show': 'time sandbox, sandbox date',
  'sandbox faults add': `
    simulate error, simulate outage, slow answers, error 500, timeout sandbox, drop connections,
    fault injection, chaos, make fail, sandbox fail, sandbox error, sandbox 500, simulate timeout,
    simulate failure, sandbox slow, fail next request, network error, return 503, slow response, test retry,
    connection reset, lose response, rate limit sandbox, inject errors, return 500, delay responses,
    error one card, 429 sandbox, status code sandbox, break service, inject fault, outage drill, latency,
    rate limit test, flaky backend, provoke failure, force error, simulate slow service, test error handling,
    pretend service down, random errors, break connection, return 429, service fail, make backend slow,
    test timeout, fake 500 error, chaos testing, practise incident, see script behaves service down`,
  'sandbox faults clear': `
    no more faults, remove faults, stop errors, back normal, stop faults, end outage, heal sandbox,
    no more errors, end all simulated outages, sandbox healthy again`,
  'sandbox faults list': 'faults active, sandbox fail, simulated errors, 503, sandbox return 503',
  'sandbox faults remove': 'remove one fault, delete fault, remove outage, end one simulated outage',
  'sandbox info': `
    sandbox simulate, missing sandbox, sandbox, sandbox version, sandbox running, capabilities,
    sandbox abilities, sandbox gaps, not simulated, real fake, sandbox not, everything simulated,
    differences between sandbox real thing`,
  'sandbox reset': `
    start over, demo data back, clean sandbox, empty sandbox, reset test data, original state, sandbox scratch,
    clear sandbox, restore demo data, start zero, data messed up, start fresh, clean state,
    undo everything sandbox, delete test data, initial state, broke sandbox, clean data, fresh data,
    original data, wipe test data, demo data again, factory reset, start scratch, sandbox strange state,
    delete test changes, default data again, sandbox new, start over fresh data, broke test data,
    clean state before test, wipe sandbox`,
  'sandbox serve': `
    start sandbox, sandbox port, mock server, fake server, docker sandbox, mock http api, listen another port,
    sandbox CI, run sandbox server, http server, sandbox other languages, sandbox tls, mock api localhost,
    isolated sandboxes, sandbox memory, fake api, stub server, test server, local service, local api,
    port 8480, backend tests, api simulator, python, java, integration environment, wiremock, docker mock,
    start fake service, mock java app, api frontend developers, tests against http, serve test data,
    run mock port, stub backend app, http server test data, local copy service other programs,
    test double card api, sandbox java python`,
  'sandbox snapshot fork': `
    copy sandbox, branch state, clone sandbox, duplicate state, second sandbox same data, branch test data`,
  'sandbox snapshot list': 'saved states, snapshots',
  'sandbox snapshot load': `
    restore state, load fixture, go back state, load test data, same state each test, restore snapshot,
    load state, back saved state, reset own data, go back time, roll back test data, return saved,
    restore test data, go back state before test`,
  'sandbox snapshot remove': 'delete snapshot, drop saved state, delete saved state',
  'sandbox snapshot save': `
    save state, fixture, keep test data, make snapshot, fixture file, keep state, freeze test data, checkpoint,
    bookmark, save test data, same data every test, remember current test data, keep state come back,
    save everything sandbox`,
  'sandbox state list': `
    test cards, demo cards, ids sandbox, example cards, ids try, list test data, cards exist, sample data,
    all demo accounts, test accounts, list balances, contents sandbox, sample ids, customers exist,
    show all test data, list demo customers, sandbox`,
  'sandbox state set': `
    change test data, balance test account, set up test data, set balance, create test data,
    test card without money, test cards, change balance, set card status, prepare test data, make card blocked,
    edit sandbox, put money account, give test money, expire card, arrange test, overdrawn test account,
    prepare declined card, simulate overdraft, fill test account, give test account more money,
    put test data certain state, change status test card`,
  'sandbox state show': `
    balance, look test data, account balance, see balance, test balance, overdrawn, internal state,
    fields test card, see internal state test card`,
  'sandbox store check': `
    check database, rights postgres, database suitable, check postgres, row level security, grants,
    permissions database, schema check, postgres suitable, database rights sandbox`,
  'sandbox store migrate': `
    tables postgres, create tables, upgrade database, prepare postgres, schema, prepare database,
    upgrade tables, schema migration, init database, table missing, relation not exist,
    prepare database team sandbox, update schema after upgrade`,
  'sandbox store size': `
    big database, size database, largest tables, table size, disk postgres, table takes most space`,
  'sandbox tenants add': `
    own data each team, add team, new team, new tenant, create tenant, tenant CI, separate data, own area,
    tester group, isolate teams, onboarding testers, project sandbox, sandbox another team,
    own sandbox each tester, one database teams, ten testers, separate testers, give testers own data,
    new area project, isolated data per team`,
  'sandbox tenants list': 'tenants exist, all teams, all tenants, teams sandbox',
  'sandbox tenants remove': `
    delete tenant, remove team, drop team, end project, team not need sandbox any longer`,
  'sandbox tenants reset': `
    reset data tenant, reset team, fresh data tenant, restore tenant, fresh demo data one team`,
  'sandbox tenants set': `
    limits tenant, webhook tenant, change tenant, team quota, rate tenant, rows tenant, other endpoint tenant,
    limit rows team`,
  'sandbox tenants show': 'settings tenant, tenant details, tenant quota, limits team',
  'sandbox tokens add': `
    token colleague, access shared sandbox, new token, token program, access token team, expiring token,
    token tester, personal token, access person, new credential, ci token, give access, tester needs access,
    access new tester, credential person team`,
  'sandbox tokens list': 'tokens exist, tokens tenant, valid tokens, who access',
  'sandbox tokens remove': `
    revoke token, leaked token, delete token, revoke access, person left, tester left team, withdraw access`,
  'sandbox tokens rotate': `
    rotate token, token leaked, renew token, replace token, token rotation, exchange token, token renewal,
    overlap, new token without downtime`,
}

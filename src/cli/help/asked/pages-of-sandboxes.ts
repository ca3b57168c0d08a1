export const ASKED_OF_PAGES_OF_SANDBOXES: Readonly<Record<string, string>> = {
  'sandbox.md': `
    fake service, mock, test server, unit tests, test without service, local service, simulate,
    simulate outage, simulate errors, test data, demo cards, develop without service, offline development,
    integration tests, fake data, sandbox vs real service, test, try without credentials, play, emulator,
    simulator, stub server, dummy service, offline, fake issuer, development environment, practise safely,
    test environment, api mock, service double, try, safe playground, demo, practise, local, offline service,
    no risk, experiment, no real data, dummy, dev environment, without touching production,
    training environment, try without danger, not real customers, without real money, test safely,
    practise commands, demo without service, try without risk, play around, test without real customers,
    demo mode, learn without breaking anything`,
  'sandbox.md#In your own tests': `
    mock tests, jest, vitest, unit test, sandbox code, in-process, import sandbox node, start stop test,
    beforeEach, test framework, createSandbox, node test, in-memory service, mocha, supertest, in-memory, test
    clock, in-memory mock, control time test, unit test without network, pytest, mock service,
    integration test, fake card service, test double`,
  'sandbox.md#A sandbox for each test, in any language': `
    tests python, tests java, tests go, parallel tests, pytest, junit test, testcontainers, isolated tests,
    fresh state each test, ephemeral sandbox, pytest fixture, _sandboxes, ruby, C#, php, isolated sandbox,
    isolated, junit5, per test, fixtures, any language, own sandbox per test, tests fail together, flaky tests,
    tests share state, fails only ci, tests disturb each other`,
  'sandbox.md#Demo data': `
    test cards, demo cards, card numbers, test accounts, cards, sample customer, example ids,
    example customers, sample accounts, test PIN, 4111111111111111, card blocked PIN, customers exist,
    made-up data, test number, demo customer, sample data, ids, cards exist, dummy card, ids play`,
  'sandbox.md#Snapshots': `
    snapshot, fixtures, keep state between runs, save state, restore state, rewind, copy sandbox,
    baseline data, checkpoint, share test data, go back before changes, save, restore, same start,
    fixture file, reproduce state, save restore test data, same start every test`,
  'sandbox.md#Control operations': `
    time sandbox, fake clock, control api, fake time, set time, fake time sandbox test, change state,
    set balance, advance clock, inject fault, reset sandbox, allow host, manipulate data, /_sandbox,
    skip ahead time, control, admin sandbox, curl sandbox, change test data directly, manipulate sandbox`,
  'sandbox.md#Outages to rehearse': `
    outage, error status, timeouts, 500, 429, slow service, practise outage, chaos testing, test error
    handling, simulate gateway error, simulate firewall page, fire drill, resilience test, bad gateway,
    truncated response, retry-after, drop connection, practise exit 10, drill, rehearse, login page, failure
    test, network fails, simulate timeout, simulate 500, slow answer, make service fail, chaos, error
    injection, pretend service is down, test retry`,
  'sandbox.md#Behaviour that the contract leaves open': `
    sandbox differently, assumptions sandbox, sandbox decide, rounding sandbox, transfer fail,
    control id expired, status 410, details sandbox, exact behaviour, exactly sandbox behave`,
  'sandbox.md#Authorisations': `
    purchases sandbox, holds, decline reasons, insufficient funds, order checks, 61 exceeds limit, clearing,
    refund, hold 7 days, connect webhook sandbox, webhook url sandbox, pending authorisation, simulate payment,
    decline order, checks, test decline, wrong pin, refund sandbox`,
  'sandbox.md#Limits': `
    sandbox cannot, size sandbox, real data sandbox, interest sandbox, not simulated, limits sandbox,
    missing features`,
  'team-sandbox.md': `
    shared sandbox, sandbox team, postgres, several people, tenants, own data each team, password rotation,
    postgresql, one sandbox everybody, sandbox cloud, sandbox server, users, helm, staging sandbox, common
    test environment, central sandbox, hosted sandbox, sandbox postgres, sandbox QA, multi tenant, sandbox
    service, shared test system, sandbox behind load balancer, high availability, team, testers, group
    testers, qa, central, company wide, common test system, multi user, developers together, shared test
    environment, one all, sandbox ten testers, one sandbox testers, several testers, common sandbox, everybody
    same sandbox, test system company, shared developers, one test system everybody, shared mock, testers work
    together, developers one sandbox, central test server, qa team, one sandbox for many developers, sandbox
    for developers, sandbox for ten testers, one sandbox whole team, test server for all, qa environment,
    kubernetes sandbox, postgres sandbox, each developer own data, test backend all developers, test backend
    on network, shared backend, one backend for developers, common demo system`,
  'team-sandbox.md#Set it up': `
    database url, connection string, postgres url, sslmode, ssl database, migrate schema, pgbouncer,
    connection pool, unix socket postgres, store connections, statement timeout, ssl mode, pool, connections,
    database user, certificate database, sandbox postgres, database sandbox, connect database, ssl postgres,
    too connections, database password changed, new database password`,
  'team-sandbox.md#Several processes': `
    process dies, scale sandbox, 503 sandbox, readyz, healthz, deadlock, high availability, failover,
    load balancer, database away, lock, server dies, database gone`,
  'team-sandbox.md#Upgrade': `
    new version shared sandbox, rolling upgrade, schema version, upgrade sandbox, zero downtime, rolling,
    update without downtime, schema migration`,
  'team-sandbox.md#Tenants': `
    tenant, token team, separate data, separate customers, isolate teams, quotas team, invite colleague,
    separate teams, expiring token, tenant each CI run, webhook per tenant, row level security, token person,
    lost token, quota tenant, ci sandbox, own data per team, quota, rows limit, tester token,
    each tester own data, one tenant per team, separate teams each other, sandbox every ci job,
    own endpoint per team, new tester joins`,
  'team-sandbox.md#Run it': `
    systemd, nginx, TLS, load balancer, health check, deploy, behind nginx, reverse proxy, https sandbox,
    monitoring, health endpoint, prometheus, nginx config, haproxy, systemd unit sandbox, Dockerfile sandbox,
    rolling restart, health probe, kubernetes, docker, healthz, readyz, production, run sandbox docker,
    sandbox kubernetes, readiness probe`,
  'team-sandbox.md#Size': `
    users, much memory, storage, capacity, requests per second, memory process, disk space tenant, memory,
    throughput, sizing, users serve, memory disk`,
  'team-sandbox.md#Back up, restore, fail over': `
    failover, backup database, standby, pg_dump, replica, promote, disaster recovery, restore dump,
    restore database, primary, disaster, monitoring, dump database, restore after disaster, standby server`,
  'team-sandbox.md#Traces': `
    opentelemetry, tracing, metrics, otel, spans, jaeger, zipkin, distributed tracing`,
}

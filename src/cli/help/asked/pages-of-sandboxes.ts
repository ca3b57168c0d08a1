export const ASKED_OF_PAGES_OF_SANDBOXES: Readonly<Record<string, string>> = {
  'sandbox.md': `
    fake service, mock, test server, unit tests, test without a service, local service, simulate,
    simulate an outage, simulate errors, test data, demo cards, develop without the service,
    offline development, integration tests, fake data, sandbox vs real service, what can I test,
    try without credentials, play with it, local test service, emulator, simulator, stub server,
    dummy service, offline, fake issuer, development environment, local copy of the service,
    practise safely, test environment, api mock, service double`,
  'sandbox.md#In your own tests': `
    mock in tests, jest, vitest, unit test, sandbox in code, in-process, import the sandbox in node,
    start and stop in a test, beforeEach, test framework, createSandbox, node test, fake clock in tests,
    in-memory service, mocha, supertest, sandbox api in code`,
  'sandbox.md#A sandbox for each test, in any language': `
    tests in python, tests in java, tests in go, parallel tests, pytest, junit test, testcontainers,
    isolated tests, fresh state for each test, ephemeral sandbox, pytest fixture, go test, java test,
    _sandboxes, ruby, C#, php, isolated sandbox, tests in parallel`,
  'sandbox.md#Demo data': `
    test cards, demo cards, which card numbers, test accounts, which cards can I use, sample customer,
    example ids, example customers, sample accounts, test PIN, test card number, 4111111111111111,
    card with a blocked PIN, stolen test card, expired test card, which customers exist, made-up data`,
  'sandbox.md#Snapshots': `
    snapshot, fixtures, save and restore state, keep state between runs, save a state, restore a state,
    rewind, copy a sandbox, baseline data, checkpoint, share test data, go back before my changes`,
  'sandbox.md#Control operations': `
    time in the sandbox, fake clock, control api, fake time, sandbox time, set the time,
    fake time sandbox test, change the state, set a balance, advance the clock, inject a fault,
    reset the sandbox, allow host, manipulate data, /_sandbox, skip ahead in time`,
  'sandbox.md#Outages to rehearse': `
    outage, error status, timeouts, 500, 429, slow service, practise an outage, chaos testing,
    test my error handling, simulate a gateway error, simulate a slow service, simulate a firewall page,
    fire drill, resilience test, bad gateway, truncated response, retry-after, drop the connection,
    practise exit 10`,
  'sandbox.md#Behaviour that the contract leaves open': `
    what does the sandbox do differently, assumptions of the sandbox, how does the sandbox decide,
    rounding in the sandbox, when does a transfer fail, control id expired, status 410`,
  'sandbox.md#Authorisations': `
    purchases in the sandbox, holds, decline reasons, insufficient funds, simulate a card payment,
    order of checks, why was the purchase declined in the sandbox, 61 exceeds limit, 55 wrong PIN, clearing,
    refund, hold for 7 days, connect my webhook to the sandbox, webhook url of the sandbox,
    pending authorisation`,
  'sandbox.md#Limits': `
    what the sandbox cannot do, size of the sandbox, real data in the sandbox, interest in the sandbox,
    what is not simulated`,
  'team-sandbox.md': `
    shared sandbox, sandbox for the team, postgres, several people, tenants, own data for each team,
    password rotation, postgresql, several people share a sandbox, tenant, one sandbox for everybody,
    sandbox in the cloud, sandbox on a server, many users, helm, staging sandbox, common test environment,
    central sandbox, one sandbox for all developers, hosted sandbox, sandbox in postgres, sandbox for QA,
    multi tenant, sandbox as a service, shared test system, sandbox behind a load balancer,
    high availability`,
  'team-sandbox.md#Set it up': `
    database url, connection string, postgres url, sslmode, ssl to the database, migrate the schema,
    database user and rights, pgbouncer, connection pool, unix socket of postgres, store connections,
    statement timeout`,
  'team-sandbox.md#Several processes': `
    process dies, database goes away, scale the sandbox, 503 from the sandbox, readyz, healthz, deadlock`,
  'team-sandbox.md#Upgrade': 'new version of the shared sandbox, rolling upgrade, schema version',
  'team-sandbox.md#Tenants': `
    tenant, token of a team, separate data, separate customers, isolate teams, quotas of a team,
    invite a colleague, separate teams, token per team, expiring token, limit rows of a tenant,
    tenant for each CI run, webhook per tenant, row level security, token for a person, lost token,
    quota of a tenant`,
  'team-sandbox.md#Run it': `
    systemd, nginx, TLS, load balancer, health check, deploy, behind nginx, reverse proxy,
    https for the sandbox, monitoring, health endpoint, prometheus, nginx config, haproxy,
    systemd unit for the sandbox, Dockerfile of the sandbox, rolling restart, health probe, kubernetes`,
  'team-sandbox.md#Size': `
    how many users, how much memory, storage, capacity, how many requests per second, memory of a process,
    disk space of a tenant`,
  'team-sandbox.md#Back up, restore, fail over': `
    failover, backup of the database, standby, pg_dump, replica, promote, disaster recovery, restore a dump`,
  'team-sandbox.md#Traces': 'opentelemetry, tracing, metrics, otel, spans, jaeger',
}

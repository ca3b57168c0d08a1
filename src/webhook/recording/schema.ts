/** The recording's schema, one text per version: append, never change. */
export const recordingMigrations: readonly string[] = [
  `
  CREATE TABLE exchange (
    event    TEXT NOT NULL,
    at       INTEGER NOT NULL,
    type     TEXT NOT NULL,
    outcome  TEXT,
    -- A hash of metadata.id, of a call that was answered by a decision: what answers the same call again.
    call     INTEGER,
    -- The exchange as JSON.
    content  TEXT NOT NULL
  ) STRICT;
  -- One index for both: each costs more than a tenth of the writing, and the few who look for one event may search it.
  CREATE UNIQUE INDEX exchange_by_time ON exchange (at, event);
  CREATE INDEX exchange_by_call ON exchange (call) WHERE call IS NOT NULL;
  `,
  `
  -- Servers that write to this file: where to send calls again.
  CREATE TABLE server (
    url    TEXT PRIMARY KEY,
    ca     TEXT,
    pid    INTEGER NOT NULL,
    mark   TEXT NOT NULL,
    since  INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Ids of calls are random, so an index of them changed a page for each record: two fifths of the writing. Servers keep
  -- the calls in memory instead, and read them from this index when they start.
  DROP INDEX exchange_by_call;
  DROP INDEX exchange_by_time;
  CREATE UNIQUE INDEX exchange_by_time ON exchange (at, event, call);
  `,
]

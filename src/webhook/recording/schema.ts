/** The recording's schema, one text per version: append, never change. */
export const recordingMigrations: readonly string[] = [
  `
  CREATE TABLE exchange (
    event    TEXT NOT NULL,
    at       INTEGER NOT NULL,
    type     TEXT NOT NULL,
    outcome  TEXT,
    -- metadata.id of a call that was answered by a decision: what answers the same call again.
    call_id  TEXT,
    -- The exchange as JSON.
    content  TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX exchange_by_event ON exchange (event);
  CREATE INDEX exchange_by_time ON exchange (at);
  CREATE INDEX exchange_by_call ON exchange (call_id) WHERE call_id IS NOT NULL;
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
]

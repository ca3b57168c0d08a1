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
  -- Calls that were written in one transaction share a row: a statement and an index entry for each cost more than all of
  -- its content.
  CREATE TABLE call_group (
    -- Never used again, so that servers find what others have added.
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    -- When the first and the last of them came, ms since 1970.
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    -- Hashes of metadata.id of those that were answered by a decision, with a blank before each: what answers the same
    -- call again. An index of them would change a page for each call, since ids are random.
    calls    TEXT NOT NULL,
    -- The exchanges as a JSON array, in the order of their answers.
    content  TEXT NOT NULL
  ) STRICT;
  INSERT INTO call_group (first, last, size, calls, content)
    SELECT at, at, 1, coalesce(' ' || call, ''), '[' || content || ']' FROM exchange ORDER BY at, rowid;
  DROP TABLE exchange;
  CREATE INDEX call_group_by_time ON call_group (last, first, size);
  `,
  `
  -- Without AUTOINCREMENT, whose table is a page more to write for each row. The newest row is emptied instead of removed,
  -- so no number is used again.
  CREATE TABLE numbered (
    id       INTEGER PRIMARY KEY,
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    size     INTEGER NOT NULL,
    calls    TEXT NOT NULL,
    content  TEXT NOT NULL
  ) STRICT;
  INSERT INTO numbered SELECT id, first, last, size, calls, content FROM call_group ORDER BY id;
  DROP TABLE call_group;
  ALTER TABLE numbered RENAME TO call_group;
  CREATE INDEX call_group_by_time ON call_group (last, first, size);
  `,
]

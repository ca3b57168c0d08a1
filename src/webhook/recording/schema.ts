/** The recording's schema, one text per version: append, never change. */
export const recordingMigrations: readonly string[] = [
  `
  -- Servers that write to this file: where to send calls again.
  CREATE TABLE server (
    url    TEXT PRIMARY KEY,
    ca     TEXT,
    pid    INTEGER NOT NULL,
    mark   TEXT NOT NULL,
    since  INTEGER NOT NULL
  ) STRICT;
  -- Calls that were written in one transaction share a row: a statement and an index entry for each cost more than all of
  -- its content.
  CREATE TABLE call_group (
    -- Never used again, so that servers find what others have added. Not by AUTOINCREMENT, whose table is one more page to
    -- write for each row: the newest row is emptied instead of removed.
    id       INTEGER PRIMARY KEY,
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
  CREATE INDEX call_group_by_time ON call_group (last, first, size);
  `,
]

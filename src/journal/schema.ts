/** The journal's schema, one text per version: after the first release append, never change. */
export const journalMigrations: readonly string[] = [
  `
  -- The service that all of this was asked of, and a value that only the right local key makes.
  CREATE TABLE belongs_to (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    service    TEXT NOT NULL,
    key_check  TEXT NOT NULL
  ) STRICT;

  -- Profiles that have sent something to this service.
  CREATE TABLE profile (
    name   TEXT PRIMARY KEY,
    since  INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE request (
    id            TEXT PRIMARY KEY,
    profile       TEXT NOT NULL,
    operation     TEXT NOT NULL,
    effect_mark   TEXT NOT NULL,
    method        TEXT NOT NULL,
    path          TEXT NOT NULL,
    target        TEXT,
    resources     TEXT NOT NULL,
    key           TEXT,
    fingerprint   TEXT NOT NULL,
    audit_user    TEXT NOT NULL,
    job           TEXT,
    reference     TEXT,
    retry_of      TEXT,
    begun_at      INTEGER NOT NULL,
    pid           INTEGER NOT NULL,
    process_mark  TEXT NOT NULL,
    ended_at      INTEGER,
    outcome       TEXT,
    status        INTEGER,
    reply_id      TEXT,
    duration_ms   INTEGER,
    attempts      INTEGER,
    effect        TEXT,
    repeatable    INTEGER,
    failure       TEXT,
    announced_at  INTEGER,
    resolved_at   INTEGER,
    evidence      TEXT,
    replayed      TEXT,
    left_machine  INTEGER,
    sent          BLOB,
    said          TEXT,
    part          TEXT,
    differences   TEXT,
    note          TEXT,
    ticket        TEXT,
    undo_of       TEXT,
    responsible   TEXT,
    items         BLOB,
    -- Null: begun_at is right. See doubtful-times.ts.
    counts_from   INTEGER,
    proposal      TEXT,
    dialect       TEXT,
    -- A digest under the local key.
    tenant        TEXT,
    -- Null: the audit trail must have its entry. Otherwise the mark of the trail that excuses it.
    excused_by    TEXT
  ) STRICT;
  CREATE INDEX request_by_time ON request (begun_at, id);
  CREATE INDEX request_by_key ON request (key) WHERE key IS NOT NULL;
  CREATE INDEX request_by_job ON request (job) WHERE job IS NOT NULL;
  CREATE INDEX request_open ON request (begun_at) WHERE outcome IS NULL;
  CREATE INDEX request_by_ticket ON request (ticket) WHERE ticket IS NOT NULL;
  CREATE INDEX request_by_undo ON request (undo_of) WHERE undo_of IS NOT NULL;
  CREATE INDEX request_by_doubt ON request (counts_from) WHERE counts_from IS NOT NULL;
  CREATE INDEX request_by_proposal ON request (proposal) WHERE proposal IS NOT NULL;

  CREATE TABLE kept_input (
    request_id  TEXT PRIMARY KEY REFERENCES request (id) ON DELETE CASCADE,
    sealed      BLOB NOT NULL,
    expires_at  INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX kept_input_by_expiry ON kept_input (expires_at);

  CREATE TABLE pace_grant (
    id          INTEGER PRIMARY KEY,
    share       TEXT NOT NULL,
    sent_at     INTEGER NOT NULL,
    counted_at  INTEGER NOT NULL,
    trip_ms     INTEGER
  ) STRICT;
  CREATE INDEX pace_grant_by_time ON pace_grant (counted_at);
  CREATE INDEX pace_grant_by_share ON pace_grant (share, counted_at);
  CREATE INDEX pace_grant_by_trip ON pace_grant (trip_ms) WHERE trip_ms IS NOT NULL;

  CREATE TABLE pace_share (
    share    TEXT PRIMARY KEY,
    next_at  REAL NOT NULL,
    caution  REAL NOT NULL
  ) STRICT;

  CREATE TABLE pace_brake (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    braked_at     INTEGER NOT NULL,
    blocked_until INTEGER NOT NULL,
    speed         REAL NOT NULL,
    last_grant    INTEGER NOT NULL,
    -- Whose request was limited, in words.
    asked_of      TEXT
  ) STRICT;

  CREATE TABLE bulk_job (
    id            TEXT PRIMARY KEY,
    operation     TEXT NOT NULL,
    source        TEXT NOT NULL,
    settings      TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    state         TEXT NOT NULL,
    pid           INTEGER NOT NULL,
    process_mark  TEXT NOT NULL,
    claimed_at    INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE bulk_row (
    job         TEXT NOT NULL REFERENCES bulk_job (id) ON DELETE CASCADE,
    row         INTEGER NOT NULL,
    line        INTEGER NOT NULL,
    sealed      BLOB NOT NULL,
    state       TEXT NOT NULL,
    begun_at    INTEGER,
    request     TEXT,
    status      INTEGER,
    code        TEXT,
    message     TEXT,
    reply       BLOB,
    follows     INTEGER,
    PRIMARY KEY (job, row)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX bulk_row_by_state ON bulk_row (job, state, row);
  CREATE INDEX bulk_row_by_follows ON bulk_row (job, follows) WHERE follows IS NOT NULL;

  -- Finds the requests of a resource without a scan. The triggers follow the column resources, whose parts are
  -- percent-encoded and therefore need no escapes in JSON.
  CREATE TABLE touched (
    resource  TEXT NOT NULL,
    request   TEXT NOT NULL,
    PRIMARY KEY (resource, request)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER touched_by_start AFTER INSERT ON request WHEN NEW.resources <> '/' BEGIN
    INSERT OR IGNORE INTO touched
      SELECT value, NEW.id FROM json_each('["' || replace(trim(NEW.resources, '/'), '/', '","') || '"]')
      WHERE value <> '';
  END;
  CREATE TRIGGER touched_by_end AFTER UPDATE OF resources ON request WHEN NEW.resources <> OLD.resources BEGIN
    INSERT OR IGNORE INTO touched
      SELECT value, NEW.id FROM json_each('["' || replace(trim(NEW.resources, '/'), '/', '","') || '"]')
      WHERE value <> '';
  END;
  CREATE TRIGGER touched_no_more AFTER DELETE ON request BEGIN
    DELETE FROM touched WHERE request = OLD.id AND resource IN (
      SELECT value FROM json_each('["' || replace(trim(OLD.resources, '/'), '/', '","') || '"]'));
  END;

  -- Without a row, requests are sent from here and the journal was never moved.
  CREATE TABLE home (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    state  TEXT NOT NULL,
    moves  INTEGER NOT NULL,
    at     INTEGER NOT NULL
  ) STRICT;

  -- The audit trails that its requests were recorded in, by their public keys.
  CREATE TABLE trail_key (
    public_key  TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;

  -- Digests under the local key of what data erase removed, so that no backup brings it back.
  CREATE TABLE erased (
    digest  TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
  `,
  // Who ran the command: a person, a job or an agent.
  'ALTER TABLE request ADD COLUMN caller TEXT',
  // Times whose effects a sandbox no longer has. See forgotten.ts.
  'CREATE TABLE forgotten (until INTEGER PRIMARY KEY, since INTEGER NOT NULL, how TEXT NOT NULL) STRICT',
  // What approvals name as the one that may use them. See sender-name.ts.
  'CREATE TABLE sender (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT',
  // How an accepted batch ended, as JSON. See BatchEnd.
  'ALTER TABLE request ADD COLUMN batch_end TEXT',
  // The W3C trace that it was sent under.
  `ALTER TABLE request ADD COLUMN trace TEXT;
  CREATE INDEX request_by_trace ON request (trace) WHERE trace IS NOT NULL`,
  // The requests of a resource by time, so that the newest few of very many are read without the others.
  `DROP TRIGGER touched_by_start;
  DROP TRIGGER touched_by_end;
  DROP TRIGGER touched_no_more;
  ALTER TABLE touched RENAME TO touched_untimed;
  CREATE TABLE touched (
    resource  TEXT NOT NULL,
    at        INTEGER NOT NULL,
    request   TEXT NOT NULL,
    PRIMARY KEY (resource, at, request)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO touched
    SELECT resource, begun_at, request FROM touched_untimed JOIN request ON request.id = touched_untimed.request;
  DROP TABLE touched_untimed;
  CREATE TRIGGER touched_by_start AFTER INSERT ON request WHEN NEW.resources <> '/' BEGIN
    INSERT OR IGNORE INTO touched
      SELECT value, NEW.begun_at, NEW.id FROM json_each('["' || replace(trim(NEW.resources, '/'), '/', '","') || '"]')
      WHERE value <> '';
  END;
  CREATE TRIGGER touched_by_end AFTER UPDATE OF resources ON request WHEN NEW.resources <> OLD.resources BEGIN
    INSERT OR IGNORE INTO touched
      SELECT value, NEW.begun_at, NEW.id FROM json_each('["' || replace(trim(NEW.resources, '/'), '/', '","') || '"]')
      WHERE value <> '';
  END;
  CREATE TRIGGER touched_no_more AFTER DELETE ON request BEGIN
    DELETE FROM touched WHERE at = OLD.begun_at AND request = OLD.id AND resource IN (
      SELECT value FROM json_each('["' || replace(trim(OLD.resources, '/'), '/', '","') || '"]'));
  END`,
  // Who or what is to blame for how a row ended. See src/errors/blame.ts.
  'ALTER TABLE bulk_row ADD COLUMN blame TEXT',
  // The earliest time at which the request can have begun, where the clock was ahead. Null: begun_at.
  'ALTER TABLE request ADD COLUMN begun_after INTEGER',
]

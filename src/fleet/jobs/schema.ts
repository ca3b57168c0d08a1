import type {Migration} from '../../postgres/migrate.ts'

/** Everything of shared bulk jobs is in this schema of the database. */
export const JOBS_SCHEMA = 'cardctl_jobs'

/** SQLSTATEs of our own. The lease of a worker ran out, or the job takes no more workers. */
export const WORKER_GONE = 'CW001'
export const JOB_CLOSED = 'CW002'

/**
 * How long before the service forgets a key it is no longer used. The rule is that of `bulk resume` on one machine.
 */
const KEY_USABLE = "interval '23 hours 30 minutes'"

/**
 * The schema, step by step; append only.
 *
 * A row is `ready` if it may be taken now: the previous row of its resource is done, and no worker has tried it since the
 * last `bulk resume`. What workers do takes the lock of the job together; what looks at the job as a whole takes it
 * alone: removing dead workers, resuming, recording findings, cancelling.
 */
export const jobsMigrations: readonly Migration[] = [
  {
    worksSince: 1,
    sql: `
CREATE TABLE ${JOBS_SCHEMA}.jobs (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text NOT NULL UNIQUE,
  service text NOT NULL,
  operation text NOT NULL,
  -- A digest of the operation in the contract of the cardctl that created the job.
  contract text NOT NULL,
  -- What protects a row that is sent twice: "read" needs nothing, "key" is honoured by the service, "none".
  protection text NOT NULL CHECK (protection IN ('read', 'key', 'none')),
  key_id text NOT NULL,
  -- Source, settings and profile, encrypted under the team key.
  sealed bytea NOT NULL,
  lease interval NOT NULL,
  state text NOT NULL CHECK (state IN ('unread', 'open', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  worked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX jobs_by_service ON ${JOBS_SCHEMA}.jobs (service, created_at);

-- Its number is never used again, so a worker whose lease ran out can't act for the one that it was.
CREATE TABLE ${JOBS_SCHEMA}.workers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job integer NOT NULL REFERENCES ${JOBS_SCHEMA}.jobs ON DELETE CASCADE,
  name text NOT NULL,
  alive_until timestamptz NOT NULL
);
CREATE INDEX workers_by_job ON ${JOBS_SCHEMA}.workers (job);

CREATE TABLE ${JOBS_SCHEMA}.rows (
  job integer NOT NULL REFERENCES ${JOBS_SCHEMA}.jobs ON DELETE CASCADE,
  row integer NOT NULL,
  line integer NOT NULL,
  -- The idempotency key, random and fixed.
  key text NOT NULL,
  -- A digest under the team key. Rows with the same one keep their order.
  resource bytea,
  -- The values, encrypted under the team key.
  sealed bytea NOT NULL,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sent', 'again', 'done', 'failed', 'unknown', 'held')),
  ready boolean NOT NULL,
  worker bigint,
  begun_at timestamptz,
  request text,
  status integer,
  code text,
  -- The row that holds this one.
  blocker integer,
  -- Message and response, encrypted under the team key.
  outcome bytea,
  PRIMARY KEY (job, row)
) WITH (fillfactor = 80);
CREATE INDEX rows_to_take ON ${JOBS_SCHEMA}.rows (job, row) WHERE ready AND state IN ('waiting', 'again', 'sent');
CREATE INDEX rows_by_resource ON ${JOBS_SCHEMA}.rows (job, resource, row) WHERE resource IS NOT NULL;
CREATE INDEX rows_by_worker ON ${JOBS_SCHEMA}.rows (worker) WHERE worker IS NOT NULL;

-- The journal of the rows: every request, recorded before it is sent. Without an effect it is not known how it ended.
CREATE TABLE ${JOBS_SCHEMA}.requests (
  job integer NOT NULL REFERENCES ${JOBS_SCHEMA}.jobs ON DELETE CASCADE,
  id text NOT NULL,
  row integer NOT NULL,
  worker text NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  effect text CHECK (effect IN ('done', 'none', 'unknown')),
  -- What a person found, encrypted under the team key.
  evidence bytea,
  PRIMARY KEY (job, id)
);
CREATE INDEX requests_by_row ON ${JOBS_SCHEMA}.requests (job, row);

CREATE FUNCTION ${JOBS_SCHEMA}.lock_job(number integer, alone boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Fair: who waits to be alone is not overtaken.
  IF alone THEN PERFORM pg_advisory_xact_lock(1667330671, number);
  ELSE PERFORM pg_advisory_xact_lock_shared(1667330671, number);
  END IF;
END $$;

-- Renews the lease. A worker that nobody has removed is alive, however late it comes.
CREATE FUNCTION ${JOBS_SCHEMA}.enter(this_job integer, this_worker bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, false);
  UPDATE ${JOBS_SCHEMA}.workers w SET alive_until = clock_timestamp() + j.lease
    FROM ${JOBS_SCHEMA}.jobs j WHERE w.id = this_worker AND w.job = this_job AND j.number = this_job;
  IF NOT FOUND THEN RAISE EXCEPTION 'worker gone' USING ERRCODE = '${WORKER_GONE}'; END IF;
  PERFORM FROM ${JOBS_SCHEMA}.jobs j WHERE j.number = this_job AND j.state <> 'cancelled';
  IF NOT FOUND THEN RAISE EXCEPTION 'job closed' USING ERRCODE = '${JOB_CLOSED}'; END IF;
END $$;

CREATE FUNCTION ${JOBS_SCHEMA}.join_job(this_job integer, this_name text, OUT worker bigint) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, false);
  UPDATE ${JOBS_SCHEMA}.jobs j SET worked_at = clock_timestamp()
    WHERE j.number = this_job AND j.state <> 'cancelled';
  IF NOT FOUND THEN RAISE EXCEPTION 'job closed' USING ERRCODE = '${JOB_CLOSED}'; END IF;
  INSERT INTO ${JOBS_SCHEMA}.workers (job, name, alive_until)
    SELECT number, this_name, clock_timestamp() + lease FROM ${JOBS_SCHEMA}.jobs WHERE number = this_job
    RETURNING id INTO worker;
END $$;

-- Rows for a worker, in their order.
CREATE FUNCTION ${JOBS_SCHEMA}.take(this_job integer, this_worker bigint, most integer)
RETURNS SETOF ${JOBS_SCHEMA}.rows LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${JOBS_SCHEMA}.enter(this_job, this_worker);
  RETURN QUERY
    WITH free AS (
      SELECT r.row FROM ${JOBS_SCHEMA}.rows r
        WHERE r.job = this_job AND r.ready AND r.state IN ('waiting', 'again', 'sent') AND r.worker IS NULL
          AND EXISTS (SELECT FROM ${JOBS_SCHEMA}.jobs j WHERE j.number = this_job AND j.state = 'open')
        ORDER BY r.row LIMIT most FOR UPDATE SKIP LOCKED
    )
    UPDATE ${JOBS_SCHEMA}.rows r SET worker = this_worker FROM free
      WHERE r.job = this_job AND r.row = free.row RETURNING r.*;
END $$;

-- Records, before anything is sent, that these rows are about to be sent. Gives those that the worker has.
-- The life of a key begins when the row was first sent with an effect that is still unknown.
CREATE FUNCTION ${JOBS_SCHEMA}.begin_rows(this_job integer, this_worker bigint, begun_rows integer[], begun_requests text[])
RETURNS SETOF integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${JOBS_SCHEMA}.enter(this_job, this_worker);
  RETURN QUERY
    WITH begun AS (
      UPDATE ${JOBS_SCHEMA}.rows r SET state = 'sent', request = coalesce(b.request, r.request),
          begun_at = CASE WHEN r.state = 'sent' THEN r.begun_at ELSE clock_timestamp() END
        FROM unnest(begun_rows, begun_requests) b (row, request)
        WHERE r.job = this_job AND r.row = b.row AND r.worker = this_worker AND r.state IN ('waiting', 'again', 'sent')
        RETURNING r.row, b.request
    ), recorded AS (
      INSERT INTO ${JOBS_SCHEMA}.requests (job, id, row, worker)
        SELECT this_job, begun.request, begun.row, w.name
          FROM begun, ${JOBS_SCHEMA}.workers w WHERE begun.request IS NOT NULL AND w.id = this_worker
        ON CONFLICT DO NOTHING
    )
    SELECT begun.row FROM begun;
END $$;

-- After these rows have changed: those behind them may be taken, or are held, or no longer held.
CREATE FUNCTION ${JOBS_SCHEMA}.follow(this_job integer, changed integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${JOBS_SCHEMA}.rows f SET state = 'held', ready = false, blocker = r.row,
      code = CASE r.state WHEN 'failed' THEN 'EARLIER_ROW_FAILED' ELSE 'EARLIER_ROW_UNKNOWN' END
    FROM ${JOBS_SCHEMA}.rows r
    WHERE r.job = this_job AND r.row = ANY (changed) AND r.state IN ('failed', 'unknown') AND f.job = this_job
      AND f.resource = r.resource AND f.row > r.row AND f.state IN ('waiting', 'again') AND f.worker IS NULL;
  UPDATE ${JOBS_SCHEMA}.rows f SET state = 'waiting', blocker = NULL, code = NULL
    FROM ${JOBS_SCHEMA}.rows r
    WHERE r.job = this_job AND r.row = ANY (changed) AND r.state NOT IN ('failed', 'unknown') AND f.job = this_job
      AND f.resource = r.resource AND f.blocker = r.row AND f.state = 'held';
  UPDATE ${JOBS_SCHEMA}.rows f SET ready = true
    FROM ${JOBS_SCHEMA}.rows r
    WHERE r.job = this_job AND r.row = ANY (changed) AND r.state = 'done' AND f.job = this_job
      AND f.row = (SELECT min(n.row) FROM ${JOBS_SCHEMA}.rows n
        WHERE n.job = this_job AND n.resource = r.resource AND n.row > r.row)
      AND f.state = 'waiting';
END $$;

-- Records how rows ended. A worker that was removed may still say how the last request of a row ended.
CREATE FUNCTION ${JOBS_SCHEMA}.end_rows(this_job integer, this_worker bigint, ends jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed integer[];
BEGIN
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, false);
  UPDATE ${JOBS_SCHEMA}.requests q SET effect = e.effect
    FROM jsonb_to_recordset(ends) e (request text, effect text)
    WHERE q.job = this_job AND q.id = e.request AND (q.effect IS NULL OR q.effect = 'unknown');
  UPDATE ${JOBS_SCHEMA}.requests q SET effect = CASE e.effect WHEN 'done' THEN 'done' ELSE 'none' END
    FROM jsonb_to_recordset(ends) e (row integer, effect text, conclusive boolean)
    WHERE e.conclusive AND q.job = this_job AND q.row = e.row AND (q.effect IS NULL OR q.effect = 'unknown');
  WITH ended AS (
    UPDATE ${JOBS_SCHEMA}.rows r SET state = e.state, status = e.status, code = e.code, outcome = decode(e.outcome, 'base64'),
        blocker = NULL, ready = e.ready, worker = CASE WHEN e.keeps THEN r.worker END
      FROM jsonb_to_recordset(ends) e (row integer, request text, last text, state text, status integer, code text,
        outcome text, ready boolean, keeps boolean)
      WHERE r.job = this_job AND r.row = e.row AND (r.worker = this_worker
        OR r.request = e.last AND r.state IN ('sent', 'again', 'unknown') AND (r.worker IS NULL OR e.request IS NOT NULL))
      RETURNING r.row
  ) SELECT array_agg(ended.row) INTO changed FROM ended;
  PERFORM ${JOBS_SCHEMA}.follow(this_job, changed);
END $$;

-- Removes workers whose lease ran out, and gives their rows back. What was in flight may be sent again only if that has
-- no second effect. Gives the rows that are unknown now.
CREATE FUNCTION ${JOBS_SCHEMA}.remove_dead(this_job integer)
RETURNS TABLE (unknown_row integer, dead_worker text) LANGUAGE plpgsql AS $$
DECLARE
  dead bigint[];
  stranded integer[];
BEGIN
  PERFORM FROM ${JOBS_SCHEMA}.workers w WHERE w.job = this_job AND w.alive_until < clock_timestamp();
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, true);
  SELECT array_agg(w.id) INTO dead FROM ${JOBS_SCHEMA}.workers w
    WHERE w.job = this_job AND w.alive_until < clock_timestamp();
  SELECT array_agg(r.row) INTO stranded FROM ${JOBS_SCHEMA}.rows r JOIN ${JOBS_SCHEMA}.jobs j ON j.number = r.job
    WHERE r.worker = ANY (dead) AND r.state = 'sent' AND j.protection = 'none';
  RETURN QUERY SELECT r.row, w.name FROM ${JOBS_SCHEMA}.rows r JOIN ${JOBS_SCHEMA}.workers w ON w.id = r.worker
    WHERE r.job = this_job AND r.row = ANY (stranded) ORDER BY r.row;
  UPDATE ${JOBS_SCHEMA}.requests q SET effect = 'unknown'
    FROM ${JOBS_SCHEMA}.rows r
    WHERE r.worker = ANY (dead) AND r.state = 'sent' AND q.job = r.job AND q.id = r.request AND q.effect IS NULL;
  UPDATE ${JOBS_SCHEMA}.rows r SET worker = NULL WHERE r.worker = ANY (dead);
  UPDATE ${JOBS_SCHEMA}.rows r SET state = 'unknown', code = 'EFFECT_UNKNOWN', ready = false
    WHERE r.job = this_job AND r.row = ANY (stranded);
  DELETE FROM ${JOBS_SCHEMA}.workers w WHERE w.id = ANY (dead);
  PERFORM ${JOBS_SCHEMA}.follow(this_job, stranded);
  PERFORM ${JOBS_SCHEMA}.keep_old_keys(this_job);
END $$;

-- Rows whose key the service may have forgotten wait for a person.
CREATE FUNCTION ${JOBS_SCHEMA}.keep_old_keys(this_job integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${JOBS_SCHEMA}.rows r SET ready = false FROM ${JOBS_SCHEMA}.jobs j
    WHERE j.number = this_job AND j.protection = 'key' AND r.job = this_job AND r.ready AND r.state = 'sent'
      AND r.worker IS NULL AND r.begun_at < clock_timestamp() - ${KEY_USABLE};
END $$;

-- The end of a worker: as if its lease had run out.
CREATE FUNCTION ${JOBS_SCHEMA}.leave_job(this_job integer, this_worker bigint)
RETURNS TABLE (unknown_row integer, dead_worker text) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ${JOBS_SCHEMA}.workers w SET alive_until = '-infinity' WHERE w.id = this_worker AND w.job = this_job;
  RETURN QUERY SELECT * FROM ${JOBS_SCHEMA}.remove_dead(this_job);
END $$;

-- Takes over what is known of requests: [{request, effect, evidence}]. A row is done if one of its requests had an
-- effect, and may be sent again if none of them had one.
CREATE FUNCTION ${JOBS_SCHEMA}.settle(this_job integer, findings jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed integer[];
BEGIN
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, true);
  WITH known AS (
    UPDATE ${JOBS_SCHEMA}.requests q SET effect = f.effect, evidence = coalesce(decode(f.evidence, 'base64'), q.evidence)
      FROM jsonb_to_recordset(findings) f (request text, effect text, evidence text)
      WHERE q.job = this_job AND q.id = f.request AND (q.effect IS NULL OR q.effect = 'unknown')
      RETURNING q.row, q.id, q.effect
  ), judged AS (
    -- What this statement changes is not seen by it, so the findings come first.
    SELECT q.row, bool_or(coalesce(k.effect, q.effect) = 'done') AS is_done,
        bool_and(coalesce(k.effect, q.effect, 'unknown') = 'none') AS is_none
      FROM ${JOBS_SCHEMA}.requests q LEFT JOIN known k ON k.id = q.id
      WHERE q.job = this_job AND q.row IN (SELECT known.row FROM known) GROUP BY q.row
  ), settled AS (
    UPDATE ${JOBS_SCHEMA}.rows r SET state = CASE WHEN judged.is_done THEN 'done' ELSE 'again' END, ready = false,
        status = NULL, code = NULL, outcome = NULL
      FROM judged WHERE r.job = this_job AND r.row = judged.row AND r.worker IS NULL AND r.state IN ('sent', 'unknown')
        AND (judged.is_done OR judged.is_none)
      RETURNING r.row
  ) SELECT array_agg(settled.row) INTO changed FROM settled;
  PERFORM ${JOBS_SCHEMA}.follow(this_job, changed);
END $$;

-- What bulk resume does: everything that is left may be taken again, in its order. What workers have stays theirs.
CREATE FUNCTION ${JOBS_SCHEMA}.resume(this_job integer, with_failed boolean, with_old_keys boolean, without_order boolean)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ${JOBS_SCHEMA}.lock_job(this_job, true);
  IF without_order THEN
    UPDATE ${JOBS_SCHEMA}.rows r SET resource = NULL WHERE r.job = this_job AND r.resource IS NOT NULL;
  END IF;
  UPDATE ${JOBS_SCHEMA}.rows r SET state = 'waiting', status = NULL, code = NULL, blocker = NULL, outcome = NULL
    WHERE r.job = this_job AND r.worker IS NULL AND (r.state = 'held' OR with_failed AND r.state = 'failed');
  IF with_old_keys THEN
    UPDATE ${JOBS_SCHEMA}.rows r SET begun_at = clock_timestamp()
      WHERE r.job = this_job AND r.worker IS NULL AND r.state = 'sent' AND r.begun_at < clock_timestamp() - ${KEY_USABLE};
  END IF;
  WITH seen AS (
    SELECT r.row, coalesce(bool_or(r.state <> 'done') OVER earlier, false) AS waits,
        max(r.row) FILTER (WHERE r.state IN ('failed', 'unknown')) OVER earlier AS blocker,
        CASE WHEN bool_or(r.state = 'unknown') OVER earlier THEN 'EARLIER_ROW_UNKNOWN' ELSE 'EARLIER_ROW_FAILED' END AS why
      FROM ${JOBS_SCHEMA}.rows r WHERE r.job = this_job AND r.resource IS NOT NULL
      WINDOW earlier AS (PARTITION BY r.resource ORDER BY r.row ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  )
  UPDATE ${JOBS_SCHEMA}.rows r SET ready = NOT seen.waits,
      state = CASE WHEN seen.blocker IS NOT NULL AND r.state IN ('waiting', 'again') THEN 'held' ELSE r.state END,
      blocker = seen.blocker, code = CASE WHEN seen.blocker IS NULL THEN r.code ELSE seen.why END
    FROM seen WHERE r.job = this_job AND r.row = seen.row AND r.worker IS NULL AND r.state IN ('waiting', 'again', 'sent');
  UPDATE ${JOBS_SCHEMA}.rows r SET ready = true
    WHERE r.job = this_job AND r.resource IS NULL AND NOT r.ready AND r.state IN ('waiting', 'again', 'sent');
  PERFORM ${JOBS_SCHEMA}.keep_old_keys(this_job);
END $$;`,
  },
]

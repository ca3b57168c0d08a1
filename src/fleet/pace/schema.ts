import type {Migration} from '../../postgres/migrate.ts'

/** Everything of the shared rate lies in this schema of the database. */
export const PACE_SCHEMA = 'cardctl_pace'

/** After a 429, all that a request may have been late counts for this time, up to so many times the usual caution. */
const CAREFUL = '10 min'
const MOST_CAREFUL = 30

/**
 * The schema, step by step; append only.
 *
 * The rules are those of `Pace`, as functions, so that a turn takes one message. Two things differ. A turn may be up to
 * `ahead` in the future: then machines needn't all ask again when a place becomes free. And requests are compared by
 * when they arrive at the service, because machines are at different distances from it: `lead` is how long a request of
 * the caller needs at least.
 */
export const paceMigrations: readonly Migration[] = [
  {
    worksSince: 1,
    sql: `
-- Locked while a turn is given. The rest is the effect of the last 429: nobody sends until blocked_until; then the
-- speed, a part of the full one, rises. last_request is the newest of that moment: a 429 to this or an older one is the
-- same event.
CREATE TABLE ${PACE_SCHEMA}.services (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  braked_at timestamptz,
  blocked_until timestamptz,
  speed double precision NOT NULL DEFAULT 1,
  last_request bigint NOT NULL DEFAULT 0,
  careful_until timestamptz
);

-- Callers with the same rates share them. Caution is a budget in ms, see src/journal/pace.ts.
CREATE TABLE ${PACE_SCHEMA}.shares (
  service integer NOT NULL REFERENCES ${PACE_SCHEMA}.services ON DELETE CASCADE,
  name text NOT NULL,
  next_at timestamptz NOT NULL,
  caution double precision NOT NULL,
  PRIMARY KEY (service, name)
);

CREATE TABLE ${PACE_SCHEMA}.requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  service integer NOT NULL REFERENCES ${PACE_SCHEMA}.services ON DELETE CASCADE,
  share text NOT NULL,
  -- The process that asked.
  asker text NOT NULL,
  send_at timestamptz NOT NULL,
  -- The latest time of its arrival at the service.
  counted_at timestamptz NOT NULL
);
CREATE INDEX requests_by_time ON ${PACE_SCHEMA}.requests (service, counted_at);
CREATE INDEX requests_by_share ON ${PACE_SCHEMA}.requests (service, share, counted_at);

CREATE FUNCTION ${PACE_SCHEMA}.speed_at(service ${PACE_SCHEMA}.services, at timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN service.blocked_until IS NULL THEN 1 ELSE
    least(1, service.speed + greatest(0, extract(epoch FROM at - service.blocked_until)) / 60) END
$$;

CREATE FUNCTION ${PACE_SCHEMA}.lock_service(wanted text) RETURNS ${PACE_SCHEMA}.services
LANGUAGE plpgsql AS $$
DECLARE
  found_service ${PACE_SCHEMA}.services;
  at timestamptz;
BEGIN
  INSERT INTO ${PACE_SCHEMA}.services (name)
    SELECT wanted WHERE NOT EXISTS (SELECT FROM ${PACE_SCHEMA}.services WHERE name = wanted)
    ON CONFLICT DO NOTHING;
  SELECT * INTO found_service FROM ${PACE_SCHEMA}.services WHERE name = wanted FOR UPDATE;
  at := clock_timestamp();
  -- The clock was set back, and how long to wait is unknown: wait that long from now.
  IF found_service.braked_at > at THEN
    UPDATE ${PACE_SCHEMA}.services SET braked_at = at, blocked_until = at + (blocked_until - braked_at)
      WHERE id = found_service.id RETURNING * INTO found_service;
  END IF;
  RETURN found_service;
END $$;

-- Asks for turns, for requests that wait. Gives as many as there are within "ahead", which all processes that
-- ask share evenly. If there is none, request is null: ask again after wait_ms.
-- A turn that comes late leaves the next ones their times, so slots catch up within "slack".
-- late_requests were sent so much after their turns. spent_ms is how long the question was in the database at now_ms.
CREATE FUNCTION ${PACE_SCHEMA}.take_turns(
  service_name text, share_name text, asker_name text, wanted integer,
  own_limits integer[], own_windows interval[], all_limits integer[], all_windows interval[],
  slot interval, slack interval, most_caution double precision, lead interval, ahead interval, margin interval,
  late_requests bigint[], late_ms double precision[]
) RETURNS TABLE (
  request bigint, turn_ms double precision, wait_ms double precision,
  now_ms double precision, spent_ms double precision
) LANGUAGE plpgsql AS $$
DECLARE
  here ${PACE_SCHEMA}.services := ${PACE_SCHEMA}.lock_service(service_name);
  -- After the lock, so that times are in order.
  at timestamptz := clock_timestamp();
  speed double precision := ${PACE_SCHEMA}.speed_at(here, at);
  own_slot interval := slot / speed;
  slot_at timestamptz;
  turn_at timestamptz;
  counted timestamptz;
  back integer;
  allowed integer;
BEGIN
  now_ms := extract(epoch FROM at) * 1000;
  spent_ms := extract(epoch FROM at - statement_timestamp()) * 1000;
  UPDATE ${PACE_SCHEMA}.requests r SET counted_at = r.counted_at + make_interval(secs => late.ms / 1000)
    FROM unnest(late_requests, late_ms) AS late(id, ms) WHERE r.id = late.id AND r.service = here.id;
  IF at < here.blocked_until THEN
    wait_ms := extract(epoch FROM here.blocked_until - at) * 1000;
    RETURN NEXT;
    RETURN;
  END IF;
  -- A time far in the future was recorded before the clock was set back. Count it as sent now, to be safe.
  UPDATE ${PACE_SCHEMA}.requests r SET counted_at = at
    WHERE r.service = here.id AND r.counted_at > at + ahead + lead + interval '5 s';

  SELECT next_at INTO slot_at FROM ${PACE_SCHEMA}.shares s WHERE s.service = here.id AND s.name = share_name;
  IF NOT FOUND THEN
    slot_at := at;
    INSERT INTO ${PACE_SCHEMA}.shares VALUES (here.id, share_name, at, most_caution);
  ELSIF slot_at < at - slack THEN
    -- A pause.
    slot_at := at;
  ELSIF slot_at > at + ahead + own_slot THEN
    -- From before the clock was set back, or from a slower time.
    slot_at := at + own_slot;
  END IF;

  SELECT extract(epoch FROM ahead) / extract(epoch FROM own_slot)
      / greatest(1, count(DISTINCT r.asker) FILTER (WHERE r.asker <> asker_name) + 1)
      - count(*) FILTER (WHERE r.asker = asker_name AND r.send_at > at)
    INTO allowed FROM ${PACE_SCHEMA}.requests r
    WHERE r.service = here.id AND r.share = share_name AND r.counted_at > at - interval '1 s';
  FOR number IN 1 .. greatest(1, least(wanted, allowed)) LOOP
    turn_at := greatest(at, slot_at);
    FOR place IN 1 .. cardinality(own_limits) LOOP
      back := greatest(1, floor(own_limits[place] * speed)) - 1;
      SELECT counted_at INTO counted FROM ${PACE_SCHEMA}.requests r
        WHERE r.service = here.id AND r.share = share_name ORDER BY counted_at DESC OFFSET back LIMIT 1;
      turn_at := greatest(turn_at, counted + own_windows[place] + margin - lead);
    END LOOP;
    FOR place IN 1 .. cardinality(all_limits) LOOP
      back := greatest(1, floor(all_limits[place] * speed)) - 1;
      SELECT counted_at INTO counted FROM ${PACE_SCHEMA}.requests r
        WHERE r.service = here.id ORDER BY counted_at DESC OFFSET back LIMIT 1;
      turn_at := greatest(turn_at, counted + all_windows[place] + margin - lead);
    END LOOP;
    wait_ms := extract(epoch FROM turn_at - at) * 1000;
    IF turn_at > at + ahead THEN
      wait_ms := wait_ms - extract(epoch FROM ahead) * 1000;
      request := NULL;
      IF number = 1 THEN RETURN NEXT; END IF;
      EXIT;
    END IF;
    INSERT INTO ${PACE_SCHEMA}.requests AS r (service, share, asker, send_at, counted_at)
      VALUES (here.id, share_name, asker_name, turn_at, turn_at + lead) RETURNING r.id INTO request;
    turn_ms := extract(epoch FROM turn_at) * 1000;
    slot_at := greatest(slot_at, turn_at - slack) + own_slot;
    RETURN NEXT;
    IF request % 512 = 0 THEN
      DELETE FROM ${PACE_SCHEMA}.requests r WHERE r.service = here.id AND r.counted_at <
        CASE WHEN r.share = share_name THEN at - 2 * (SELECT max(w) FROM unnest(own_windows || all_windows) w)
        ELSE at - interval '1 day' END;
    END IF;
  END LOOP;
  UPDATE ${PACE_SCHEMA}.shares s SET next_at = slot_at WHERE s.service = here.id AND s.name = share_name;
END $$;

-- A response arrived, which shows when the request arrived at the latest: more_ms because its way is longer than was
-- known, and late_ms that may have been spent elsewhere, for which there is a budget.
CREATE FUNCTION ${PACE_SCHEMA}.answered(
  service_name text, answered_request bigint, more_ms double precision, late_ms double precision,
  caution_each double precision, most_caution double precision
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  here ${PACE_SCHEMA}.services;
  budget double precision;
  paid double precision;
  own text;
BEGIN
  -- Losing it in a crash of the database costs only a little caution.
  PERFORM set_config('synchronous_commit', 'off', true);
  here := ${PACE_SCHEMA}.lock_service(service_name);
  SELECT r.share, s.caution + caution_each INTO own, budget
    FROM ${PACE_SCHEMA}.requests r JOIN ${PACE_SCHEMA}.shares s ON s.service = r.service AND s.name = r.share
    WHERE r.id = answered_request;
  IF NOT FOUND THEN RETURN; END IF;
  paid := least(late_ms, budget);
  UPDATE ${PACE_SCHEMA}.shares SET caution = least(budget - paid, most_caution)
    WHERE shares.service = here.id AND name = own;
  IF clock_timestamp() < here.careful_until THEN
    paid := least(late_ms, caution_each * ${MOST_CAREFUL});
  END IF;
  UPDATE ${PACE_SCHEMA}.requests SET counted_at = counted_at + make_interval(secs => (more_ms + paid) / 1000)
    WHERE id = answered_request AND more_ms + paid > 0;
END $$;

-- After a 429 nobody sends for so long, and then at half speed. Several 429 to requests from before the first one count
-- once. One within the rate shows that requests arrive later than was paid for: until careful_until, caution has no budget.
CREATE FUNCTION ${PACE_SCHEMA}.penalise(
  service_name text, limited_request bigint, wait_ms double precision
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  here ${PACE_SCHEMA}.services := ${PACE_SCHEMA}.lock_service(service_name);
  at timestamptz := clock_timestamp();
  until timestamptz := at + make_interval(secs => wait_ms / 1000);
BEGIN
  IF limited_request <= here.last_request THEN
    UPDATE ${PACE_SCHEMA}.services SET blocked_until = greatest(blocked_until, until) WHERE id = here.id;
  ELSE
    UPDATE ${PACE_SCHEMA}.services SET braked_at = at, blocked_until = until,
      careful_until = at + interval '${CAREFUL}',
      speed = greatest(1.0 / 16, ${PACE_SCHEMA}.speed_at(here, at) / 2),
      last_request = (SELECT max(r.id) FROM ${PACE_SCHEMA}.requests r WHERE r.service = here.id)
      WHERE id = here.id;
  END IF;
END $$;`,
  },
]

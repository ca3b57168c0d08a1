import type {Database} from '../sqlite/index.ts'

/** What a 429 left behind, for all processes. */
export interface Brake {
  readonly braked_at: number
  readonly blocked_until: number
  /** Part of the full speed right after the block, in (0, 1]. */
  readonly speed: number
  /** The newest request of that moment: a 429 to this or an older one is the same event. */
  readonly last_grant: number
}

const SLOWEST = 1 / 16
/** From standstill to full speed, so from half speed in half of it. */
const RECOVERY_MS = 60_000

export function readBrake(db: Database, now: number): Brake | undefined {
  const brake = db.get<Brake>('SELECT braked_at, blocked_until, speed, last_grant FROM pace_brake')
  // Braked in the future: the clock was set back, and how long to wait is anybody's guess. Wait as long from now.
  if (brake === undefined || brake.braked_at <= now) return brake
  const blocked_until = now + (brake.blocked_until - brake.braked_at)
  db.run('UPDATE pace_brake SET braked_at = ?, blocked_until = ?', [now, blocked_until])
  return {...brake, braked_at: now, blocked_until}
}

/** Rises evenly after the block. */
export function currentSpeed(brake: Brake | undefined, now: number): number {
  if (brake === undefined) return 1
  return Math.min(1, brake.speed + Math.max(0, now - brake.blocked_until) / RECOVERY_MS)
}

export function writeBrake(
  db: Database,
  {now, until, newest, grant}: {now: number; until: number; newest: number; grant: number},
): void {
  const old = readBrake(db, now)
  if (old !== undefined && grant <= old.last_grant) {
    db.run('UPDATE pace_brake SET blocked_until = ?', [Math.max(old.blocked_until, until)])
    return
  }
  const speed = Math.max(SLOWEST, currentSpeed(old, now) / 2)
  db.run('INSERT OR REPLACE INTO pace_brake VALUES (1, ?, ?, ?, ?)', [now, until, speed, newest])
}

import {useMemo} from 'preact/hooks'
import type {Call} from './call.ts'
import {type Bucket, latencyOf, toneOf} from './latency.ts'
import {millisText} from './text.ts'

const WIDTH = 600
const HEIGHT = 56
/** Sorting the times of more calls each time one comes would take too long. */
const MOST = 10_000

/** How long the decisions of the listed calls took, with the deadline in sight. */
export function Overview({
  calls,
  deadlineMs = 2000,
}: {
  calls: readonly Call[]
  deadlineMs: number | undefined
}) {
  const latency = useMemo(() => latencyOf(calls.slice(0, MOST), deadlineMs), [calls, deadlineMs])
  if (latency.count === 0) return null
  const figures = [
    ['p50', latency.p50],
    ['p95', latency.p95],
    ['p99', latency.p99],
    ['max', latency.max],
  ] as const
  return (
    <div class="overview">
      <figure class="histogram">
        <Bars buckets={latency.buckets} deadlineMs={deadlineMs} />
        <figcaption>
          {ticksOf(latency.buckets).map(({ms, at}) => (
            <span key={ms} style={{left: `${at * 100}%`}}>
              {ms < 1000 ? ms : `${ms / 1000} s`}
            </span>
          ))}
          <strong style={{left: `${placeOf(latency.buckets, deadlineMs) * 100}%`}}>
            {millisText(deadlineMs)} ms
          </strong>
        </figcaption>
      </figure>
      <dl class="figures">
        {figures.map(([name, ms]) => (
          <div key={name} data-tone={toneOf(ms / deadlineMs)}>
            <dt>{name}</dt>
            <dd>
              {millisText(ms)} <small>ms</small>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Bars({buckets, deadlineMs}: {buckets: readonly Bucket[]; deadlineMs: number}) {
  const most = Math.max(...buckets.map(({count}) => count))
  const step = WIDTH / buckets.length
  const line = placeOf(buckets, deadlineMs) * WIDTH
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Times of decisions, deadline ${deadlineMs} ms`}
    >
      {buckets.map(({from, to, count}, index) => {
        // The root lets a few late calls be seen beside thousands of quick ones.
        const height = count === 0 ? 0 : Math.max(3, Math.sqrt(count / most) * (HEIGHT - 4))
        return (
          <rect
            key={to}
            data-tone={from >= deadlineMs * 0.99 ? 'bad' : toneOf(from / deadlineMs)}
            x={index * step + 1}
            y={HEIGHT - height}
            width={step - 2}
            height={height}
          >
            <title>{`${millisText(from)} to ${millisText(to)} ms: ${count}`}</title>
          </rect>
        )
      })}
      <path class="deadline" d={`M${line} 0V${HEIGHT}`} />
    </svg>
  )
}

/** Where a time stands in the picture, 0 to 1: its scale is logarithmic. */
function placeOf(buckets: readonly Bucket[], ms: number): number {
  const low = buckets[1]?.from ?? 1
  const high = buckets.at(-1)?.to ?? 1
  const step = 1 / buckets.length
  return step + ((1 - step) * Math.log(ms / low)) / Math.log(high / low)
}

/** Powers of ten that have room beside the deadline. */
function ticksOf(buckets: readonly Bucket[]): readonly {readonly ms: number; readonly at: number}[] {
  const end = buckets.at(-3)?.to ?? 0
  return [1, 10, 100, 1000, 10_000].filter(ms => ms <= end / 5).map(ms => ({ms, at: placeOf(buckets, ms)}))
}

/** Upper bounds of the histogram, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/**
 * Counts requests, for Prometheus. Without the names of tenants: there may be many, and not everyone may know them.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export class Metrics {
  readonly #byStatus = new Map<number, number>()
  readonly #buckets = BUCKETS.map(() => 0)
  #count = 0
  #seconds = 0

  /** @param status 0 for a connection that was closed without a response. */
  add(status: number, durationMs: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
    const seconds = durationMs / 1000
    this.#count++
    this.#seconds += seconds
    const at = BUCKETS.findIndex(bound => seconds <= bound)
    if (at >= 0) this.#buckets[at] = (this.#buckets[at] ?? 0) + 1
  }

  /** @param gauges current values by name, such as the number of connections. */
  text(gauges: Readonly<Record<string, readonly [help: string, value: number]>>): string {
    const lines = [
      '# HELP cardctl_requests_total Requests by status.',
      '# TYPE cardctl_requests_total counter',
    ]
    for (const [status, count] of [...this.#byStatus].sort(([a], [b]) => a - b)) {
      lines.push(`cardctl_requests_total{status="${status}"} ${count}`)
    }
    lines.push(
      '# HELP cardctl_request_seconds Time from the arrival of a request to its response.',
      '# TYPE cardctl_request_seconds histogram',
    )
    let upTo = 0
    for (const [at, bound] of BUCKETS.entries()) {
      upTo += this.#buckets[at] ?? 0
      lines.push(`cardctl_request_seconds_bucket{le="${bound}"} ${upTo}`)
    }
    lines.push(
      `cardctl_request_seconds_bucket{le="+Inf"} ${this.#count}`,
      `cardctl_request_seconds_sum ${this.#seconds}`,
      `cardctl_request_seconds_count ${this.#count}`,
    )
    for (const [name, [help, value]] of Object.entries(gauges)) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`)
    }
    return `${lines.join('\n')}\n`
  }
}

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Stores } from '../../app/tenants/tenants.ts'
import type { Routes } from '../route.ts'
import type { RequestContext, ServerEnv } from './context.ts'
import { runWhenSent } from './when-sent.ts'

/** Seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

type Series = { readonly counts: number[]; sum: number; total: number }

/** Counts requests for Prometheus. A library would be larger. */
export class Metrics {
  readonly #requests = new Map<string, number>()
  readonly #seconds = new Map<string, Series>()
  readonly #stores: Stores
  readonly #loop = monitorEventLoopDelay({ resolution: 20 })
  #running = 0

  constructor(stores: Stores) {
    this.#stores = stores
    this.#loop.enable()
  }

  /** Counts by route, because paths contain ids. */
  createMiddleware(): MiddlewareHandler<ServerEnv> {
    return async (c, next) => {
      const started = performance.now()
      this.#running++
      await next()
      runWhenSent(c, () => {
        this.#running--
        this.#count(c, (performance.now() - started) / 1000)
      })
    }
  }

  readonly routes: Routes = {
    'GET /metrics': {
      summary: 'Get metrics for Prometheus',
      media: ['text/plain'],
      reply: c => this.#writeMetrics(c),
    },
  }

  async #writeMetrics(c: RequestContext): Promise<Response> {
    const { rss, heapUsed } = process.memoryUsage()
    const lines = [
      ...formatHead('passim_http_requests_total', 'counter', 'Requests answered.'),
      ...[...this.#requests].map(
        ([labels, value]) => `passim_http_requests_total{${labels}} ${value}`,
      ),
      ...formatHead(
        'passim_http_request_seconds',
        'histogram',
        'From the request to the last byte of the answer.',
      ),
      ...[...this.#seconds].flatMap(([labels, series]) =>
        formatHistogram('passim_http_request_seconds', labels, series),
      ),
      ...formatGauge('passim_http_requests_running', 'Requests under way.', this.#running),
      ...formatGauge('passim_stores_open', 'Stores that are open.', this.#stores.opened.length),
      ...formatHead(
        'passim_documents',
        'gauge',
        'Documents of the stores that are open, by status.',
      ),
      ...(await this.#countDocuments()).map(
        ([status, count]) => `passim_documents{status="${status}"} ${count}`,
      ),
      ...formatGauge(
        'passim_index_cache_bytes',
        'Memory that caches the indexes of open stores.',
        this.#indexCacheBytes(),
      ),
      ...formatGauge('process_resident_memory_bytes', 'Resident memory.', rss),
      ...formatGauge('nodejs_heap_used_bytes', 'Heap in use.', heapUsed),
      ...formatGauge(
        'nodejs_eventloop_lag_p99_seconds',
        'Delay of the event loop, since the start.',
        this.#loop.percentile(99) / 1e9,
      ),
      ...formatGauge('process_uptime_seconds', 'Since the start.', process.uptime()),
    ]
    return c.body(`${lines.join('\n')}\n`, 200, { 'content-type': TEXT_FORMAT })
  }

  #indexCacheBytes(): number {
    const caches = new Set(this.#stores.opened.map(({ indexCache }) => indexCache))
    return [...caches].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  async #countDocuments(): Promise<readonly (readonly [status: string, count: number])[]> {
    const counts = new Map<string, number>()
    for (const store of this.#stores.opened) {
      for (const [status, count] of Object.entries(await store.collections.countDocuments())) {
        counts.set(status, (counts.get(status) ?? 0) + count)
      }
    }
    return [...counts]
  }

  #count(c: RequestContext, seconds: number): void {
    const route = `method="${c.req.method}",route="${escapeLabel(getRoute(c))}"`
    const labels = `${route},status="${c.res.status}"`
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1)
    const series = this.#seconds.get(route) ?? { counts: BOUNDS.map(() => 0), sum: 0, total: 0 }
    for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) series.counts[index]!++
    series.sum += seconds
    series.total++
    this.#seconds.set(route, series)
  }
}

/** Returns the route pattern; `none` for others, so that probing adds no series. */
export function getRoute(c: RequestContext): string {
  return matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'none'
}

function formatHead(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function formatGauge(name: string, help: string, value: number): readonly string[] {
  return [...formatHead(name, 'gauge', help), `${name} ${value}`]
}

function formatHistogram(
  name: string,
  labels: string,
  { counts, sum, total }: Series,
): readonly string[] {
  const buckets = BOUNDS.map(
    (bound, index) => `${name}_bucket{${labels},le="${bound}"} ${counts[index]}`,
  )
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${total}`,
    `${name}_sum{${labels}} ${sum}`,
    `${name}_count{${labels}} ${total}`,
  ]
}

function escapeLabel(text: string): string {
  return text.replace(/["\\\n]/g, match => (match === '\n' ? '\\n' : `\\${match}`))
}

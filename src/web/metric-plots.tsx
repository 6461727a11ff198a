import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, Refusal, Unreachable } from './connection.ts'
import { formatBytes, formatNumber, t } from './preferences.ts'

type Sample = {
  readonly at: number
  readonly requests: number
  readonly seconds: number
  readonly running: number
  readonly memory: number
  readonly uptime: number
}

/** Refresh interval, so that the plots cover five minutes. */
const REFRESH_MS = 3_000
/** Samples kept, so that the plots cover five minutes. */
const MAX_SAMPLES = 100

/** Kept while another view is open. Undefined if the key may not read metrics. */
const samples = signal<readonly Sample[] | undefined>([])

type PlotName = keyof ReturnType<typeof t>['activity']['plots']

/** Starts with means since the start of the service. */
export function MetricPlots() {
  useEffect(() => {
    void loadSample()
    const timer = setInterval(loadSample, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  const all = samples.value
  const last = all?.at(-1)
  if (!all || !last) return null
  const words = t().activity
  const { requests, seconds, uptime } = last
  const sinceStart = {
    ...last,
    requests: requests / uptime,
    seconds: (seconds / Math.max(1, requests)) * 1_000,
  }
  const plots: readonly (readonly [
    name: PlotName,
    values: readonly number[],
    text: (value: number) => string,
  ])[] = [
    ['requests', computeRates(all, computeRequestRate), words.rate],
    ['seconds', computeRates(all, computeMeanMs), words.milliseconds],
    ['running', all.map(({ running }) => running), formatNumber],
    ['memory', all.map(({ memory }) => memory), formatBytes],
  ]
  return (
    <section aria-label={words.figures} class="stack">
      <dl class="plots">
        {plots.map(([name, values, text]) => (
          <div key={name} class="plot">
            <dt>{words.plots[name]}</dt>
            <dd>{text(values.at(-1) ?? sinceStart[name])}</dd>
            <dd>
              <Plot values={values} />
            </dd>
          </div>
        ))}
      </dl>
      <p class="quiet small">{words.uptime(last.uptime / 3_600)}</p>
    </section>
  )
}

async function loadSample(): Promise<void> {
  if (samples.value === undefined) return
  try {
    const text = await (await call('/metrics')).text()
    samples.value = [...samples.value, parseSample(text)].slice(-MAX_SAMPLES)
  } catch (error) {
    if (error instanceof Refusal) samples.value = undefined
    else if (!(error instanceof Unreachable)) throw error
  }
}

/** Sums each metric of Prometheus's text format over its labels. */
function parseSample(text: string): Sample {
  const sums = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)(?:\{.*\})? (\S+)$/.exec(line) ?? []
    if (name) sums.set(name, (sums.get(name) ?? 0) + Number(value))
  }
  const getSum = (name: string) => sums.get(name) ?? 0
  return {
    at: Date.now(),
    requests: getSum('passim_http_requests_total'),
    seconds: getSum('passim_http_request_seconds_sum'),
    running: getSum('passim_http_requests_running'),
    memory: getSum('process_resident_memory_bytes'),
    uptime: getSum('process_uptime_seconds'),
  }
}

function computeRates(
  all: readonly Sample[],
  rate: (now: Sample, before: Sample) => number,
): readonly number[] {
  return all.slice(1).map((now, index) => {
    const before = all[index] ?? now
    return Math.max(0, rate(now, before)) // negative after a restart
  })
}

function computeRequestRate(now: Sample, before: Sample): number {
  return ((now.requests - before.requests) / (now.at - before.at)) * 1_000
}

function computeMeanMs(now: Sample, before: Sample): number {
  return ((now.seconds - before.seconds) / Math.max(1, now.requests - before.requests)) * 1_000
}

/** Units of the SVG's own coordinates; the style sheet sets the shown size. */
const WIDTH = 100
const HEIGHT = 30
/** Values of a full line; protects against a plot stretched from few values. */
const MIN_STEPS = 20

function Plot({ values }: { readonly values: readonly number[] }) {
  const max = Math.max(...values, Number.MIN_VALUE)
  const step = WIDTH / (Math.max(MIN_STEPS, values.length) - 1)
  const start = WIDTH - (values.length - 1) * step
  const points = values.map(
    (value, index) =>
      `${(start + index * step).toFixed(1)},${(HEIGHT - (value / max) * HEIGHT).toFixed(1)}`,
  )
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && (
        <>
          <polygon
            points={`${start.toFixed(1)},${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`}
            stroke="none"
          />
          <polyline points={points.join(' ')} fill="none" vector-effect="non-scaling-stroke" />
        </>
      )}
    </svg>
  )
}

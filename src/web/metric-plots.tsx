import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call, Refusal, Unreachable } from './connection.ts'
import { bytesText, numberText, t } from './preferences.ts'

/** What the service counted since its start, at one moment. */
type Sample = {
  readonly at: number
  readonly requests: number
  readonly seconds: number
  readonly running: number
  readonly memory: number
  readonly uptime: number
}

const LOOK_MS = 3_000
/** Five minutes of them. */
const KEPT = 100

/** They stay while one is in another view. Undefined where this key may not read them. */
const samples = signal<readonly Sample[] | undefined>([])

type PlotName = keyof ReturnType<typeof t>['activity']['plots']

/** How the service is doing: at first on average since its start, then from look to look. */
export function MetricPlots() {
  useEffect(() => {
    void look()
    const timer = setInterval(look, LOOK_MS)
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
    ['requests', rates(all, requestRate), words.rate],
    ['seconds', rates(all, meanMs), words.milliseconds],
    ['running', all.map(({ running }) => running), numberText],
    ['memory', all.map(({ memory }) => memory), bytesText],
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

async function look(): Promise<void> {
  if (samples.value === undefined) return
  try {
    const text = await (await call('/metrics')).text()
    samples.value = [...samples.value, sampleOf(text)].slice(-KEPT)
  } catch (error) {
    if (error instanceof Refusal) samples.value = undefined
    else if (!(error instanceof Unreachable)) throw error
  }
}

/** Of Prometheus's text format: lines of a name, labels and a value. */
function sampleOf(text: string): Sample {
  const sums = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)(?:\{.*\})? (\S+)$/.exec(line) ?? []
    if (name) sums.set(name, (sums.get(name) ?? 0) + Number(value))
  }
  const of = (name: string) => sums.get(name) ?? 0
  return {
    at: Date.now(),
    requests: of('passim_http_requests_total'),
    seconds: of('passim_http_request_seconds_sum'),
    running: of('passim_http_requests_running'),
    memory: of('process_resident_memory_bytes'),
    uptime: of('process_uptime_seconds'),
  }
}

function rates(
  all: readonly Sample[],
  rate: (now: Sample, before: Sample) => number,
): readonly number[] {
  return all.slice(1).map((now, at) => Math.max(0, rate(now, all[at]!))) // below 0 where the service was restarted
}

function requestRate(now: Sample, before: Sample): number {
  return ((now.requests - before.requests) / (now.at - before.at)) * 1_000
}

function meanMs(now: Sample, before: Sample): number {
  return ((now.seconds - before.seconds) / Math.max(1, now.requests - before.requests)) * 1_000
}

const WIDE = 100
const HIGH = 30
/** With fewer values the line is shorter than the plot. */
const FEW = 20

/** A line from the oldest value to the newest, above 0; the figure beside it says the last one. */
function Plot({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values, Number.MIN_VALUE)
  const step = WIDE / (Math.max(FEW, values.length) - 1)
  const start = WIDE - (values.length - 1) * step
  const points = values.map(
    (value, at) => `${(start + at * step).toFixed(1)},${(HIGH - (value / most) * HIGH).toFixed(1)}`,
  )
  return (
    <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      {points.length > 1 && (
        <>
          <polygon
            points={`${start.toFixed(1)},${HIGH} ${points.join(' ')} ${WIDE},${HIGH}`}
            stroke="none"
          />
          <polyline points={points.join(' ')} fill="none" vector-effect="non-scaling-stroke" />
        </>
      )}
    </svg>
  )
}

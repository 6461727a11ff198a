import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { OwnQuestions } from '../../app/evaluation/own-questions.ts'
import type {
  ComparisonProgress,
  SearchSettings,
  SettingsComparison,
} from '../../app/evaluation/settings-comparison.ts'
import { events, json } from '../connection.ts'
import type { StoreDocument } from '../documents/stored-document.ts'
import { listStores, stores } from '../documents/stores.ts'
import { useLoaded } from '../loaded.ts'
import { t } from '../preferences.ts'
import { SEARCH_MODES } from '../search.tsx'
import { Problem, type Told, toldOf } from '../told.tsx'
import { OwnQuestionList, written } from './questions.tsx'
import { Results } from './results.tsx'

type Kind = 'own' | OwnQuestions
const KINDS: readonly Kind[] = ['own', 'sentences', 'titles']

type Run = {
  readonly progress?: ComparisonProgress
  readonly result?: SettingsComparison
  readonly problem?: Told
  readonly isOver: boolean
}

/** Measures how well documents are found, by questions whose answers are known, under one or two settings. */
export function Evaluate() {
  const collection = useSignal('')
  const kind = useSignal<Kind>('own')
  const first = useSignal<SearchSettings>({ mode: 'hybrid' })
  const second = useSignal<SearchSettings | undefined>({ mode: 'keyword' })
  const { run, start, stop } = useRun()
  const { value: names = [] } = useLoaded(
    signal => namesIn(collection.value, signal),
    [collection.value],
  ).value
  useEffect(() => {
    void listStores().catch(() => {}) // measuring itself says what is wrong
  }, [])
  const measure = (event: Event) => {
    event.preventDefault()
    const questions = kind.value === 'own' ? written() : kind.value
    if (questions.length === 0) return
    const settings = second.value ? [first.value, second.value] : [first.value]
    void start({ questions, settings, ...(collection.value && { collection: collection.value }) })
  }
  const { result, problem } = run.value
  return (
    <section class="page">
      <div>
        <h1>{t().evaluate.title}</h1>
        <p class="quiet">{t().evaluate.intro}</p>
      </div>
      <form class="stack" onSubmit={measure}>
        <Where collection={collection} kind={kind} />
        {kind.value === 'own' ? (
          <OwnQuestionList names={names} />
        ) : (
          <p class="quiet">{t().evaluate.hints[kind.value]}</p>
        )}
        <SettingsPair first={first} second={second} />
        <RunRow
          run={run.value}
          stop={stop}
          isReady={kind.value !== 'own' || written().length > 0}
        />
      </form>
      <Problem told={problem} />
      {result && <Results result={result} collection={collection.value} />}
    </section>
  )
}

type RunRowProps = { readonly run: Run; readonly stop: () => void; readonly isReady: boolean }

function RunRow({ run: { progress, isOver }, stop, isReady }: RunRowProps) {
  return (
    <p class="run-row">
      {isOver ? (
        <button type="submit" class="primary" disabled={!isReady}>
          {t().evaluate.run}
        </button>
      ) : (
        <button type="button" class="secondary" onClick={stop}>
          {t().ask.stop}
        </button>
      )}
      {!isOver && (
        <progress
          aria-label={t().evaluate.title}
          max={progress?.total ?? 1}
          {...(progress && { value: progress.done })}
        />
      )}
      {!isOver && progress && (
        <span class="quiet small">{t().documents.progress(progress.done, progress.total)}</span>
      )}
    </p>
  )
}

/** One measurement at a time; leaving the view ends it. */
function useRun() {
  const run = useSignal<Run>({ isOver: true })
  const controller = useRef<AbortController>()
  useEffect(() => () => controller.current?.abort(), [])
  const stop = () => {
    controller.current?.abort()
    run.value = { isOver: true }
  }
  const start = async (body: object) => {
    const current = new AbortController()
    const { signal } = current
    controller.current = current
    run.value = { isOver: false }
    try {
      for await (const { event, data } of events('/api/evaluations', {
        method: 'POST',
        body: { ...body, stream: true },
        signal,
      })) {
        run.value = runAfter(event, data)
      }
      if (!run.value.isOver) run.value = { isOver: true, problem: { message: t().ask.interrupted } }
    } catch (error) {
      if (!signal.aborted)
        run.value = { isOver: true, problem: toldOf(error) ?? { message: t().ask.interrupted } }
    }
  }
  return { run, start, stop }
}

function runAfter(event: string, data: unknown): Run {
  if (event === 'progress') return { isOver: false, progress: data as ComparisonProgress } // as the route sends them
  if (event === 'result') return { isOver: true, result: data as SettingsComparison }
  return { isOver: true, problem: (data as { error: Told }).error }
}

function Where({
  collection,
  kind,
}: {
  readonly collection: Signal<string>
  readonly kind: Signal<Kind>
}) {
  const names = (stores.value ?? []).map(store => store.name).filter(Boolean)
  return (
    <div class="search-options">
      <div class="segments">
        {KINDS.map(one => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind.value}
            onClick={() => {
              kind.value = one
            }}
          >
            {t().evaluate.kinds[one]}
          </button>
        ))}
      </div>
      {names.length > 1 && (
        <label class="inline-field">
          <span>{t().documents.collection}</span>
          <select
            value={collection.value}
            onChange={event => {
              collection.value = event.currentTarget.value
            }}
          >
            <option value="">{t().ask.everywhere}</option>
            {names.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

type PairProps = {
  readonly first: Signal<SearchSettings>
  readonly second: Signal<SearchSettings | undefined>
}

function SettingsPair({ first, second }: PairProps) {
  return (
    <div class="settings-pair">
      <fieldset>
        <legend>{t().evaluate.first}</legend>
        <SettingsFields
          settings={first.value}
          choose={settings => {
            first.value = settings ?? first.value
          }}
        />
      </fieldset>
      <fieldset>
        <legend>{t().evaluate.second}</legend>
        <SettingsFields
          settings={second.value}
          isOptional
          choose={settings => {
            second.value = settings
          }}
        />
      </fieldset>
    </div>
  )
}

type SettingsProps = {
  readonly settings: SearchSettings | undefined
  readonly isOptional?: boolean
  readonly choose: (settings: SearchSettings | undefined) => void
}

function SettingsFields({ settings, isOptional = false, choose }: SettingsProps) {
  return (
    <>
      <select
        value={settings?.mode ?? ''}
        aria-label={t().search.mode}
        onChange={event => {
          const mode = SEARCH_MODES.find(one => one === event.currentTarget.value)
          choose(mode && { ...settings, mode })
        }}
      >
        {isOptional && <option value="">{t().evaluate.nothing}</option>}
        {SEARCH_MODES.map(mode => (
          <option key={mode} value={mode}>
            {t().search.modes[mode]}
          </option>
        ))}
      </select>
      <label class="inline-field">
        <input
          type="checkbox"
          checked={settings?.precise ?? false}
          disabled={settings === undefined}
          onChange={event =>
            settings && choose({ ...settings, precise: event.currentTarget.checked })
          }
        />
        <span>{t().search.precise}</span>
      </label>
    </>
  )
}

/** Names to choose an expected document from. */
const NAMES = 300

async function namesIn(collection: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = new URLSearchParams({ ...(collection && { collection }), limit: String(NAMES) })
  const { documents } = await json<{ documents: readonly StoreDocument[] }>(
    `/api/documents?${query}`,
    { signal },
  )
  return [...new Set(documents.map(({ name }) => name))]
}

import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { HitJson, LegPlaceJson, SearchJson } from '../wire/hit.ts'
import { fetchJson } from './connection.ts'
import { hasDefaultStore, listStores, stores } from './documents/stores.ts'
import { LitWords } from './lit-words.tsx'
import { type Notice, NoticeText, Problem, toNotice } from './notice.tsx'
import { t } from './preferences.ts'
import { linkTo, openView, route } from './route.ts'

const SEARCH_MODES = ['hybrid', 'keyword', 'vector', 'front-page'] as const
/** Hits, so that the list can be read. */
const MAX_HITS = 20

/** Searches by the query of the address, so that a search can be shared as a link. */
export function Search() {
  const { query } = route.value
  const found = useSignal<SearchJson | undefined>(undefined)
  const problem = useSignal<Notice | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    void listStores().catch(() => {}) // searching itself says what is wrong
  }, [])
  useEffect(() => {
    if (!query.get('q')) return
    const controller = new AbortController()
    isBusy.value = true
    fetchJson<SearchJson>('/api/search', {
      method: 'POST',
      body: buildRequest(query),
      signal: controller.signal,
    }).then(
      value => {
        found.value = value
        problem.value = undefined
        isBusy.value = false
      },
      error => {
        if (controller.signal.aborted) return
        problem.value = toNotice(error)
        isBusy.value = false
      },
    )
    return () => controller.abort()
  }, [query.toString()])
  return (
    <section class="page">
      <h1>{t().search.title}</h1>
      <SearchForm query={query} />
      <Problem notice={problem.value} />
      {!query.get('q') && <p class="quiet">{t().search.intro}</p>}
      {isBusy.value && <p class="quiet working">{t().loading}</p>}
      {query.get('q') && found.value && !isBusy.value && <Hits found={found.value} query={query} />}
    </section>
  )
}

function buildRequest(query: URLSearchParams): object {
  const [collection, filter, why] = ['in', 'filter', 'why'].map(name => query.get(name))
  return {
    query: query.get('q'),
    mode: query.get('mode') ?? 'hybrid',
    explain: true,
    limit: MAX_HITS,
    ...(collection && { collections: [collection] }),
    ...(filter && { filter }),
    ...(why && { why }),
    ...(query.get('precise') && { precise: true }),
  }
}

function SearchForm({ query }: { readonly query: URLSearchParams }) {
  const search = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const fields = [...form].map(([name, value]) => [name, String(value).trim()] as const)
    openView(
      'search',
      Object.fromEntries(
        fields.filter(([name, value]) => value !== '' && value !== DEFAULTS[name]),
      ),
    )
  }
  return (
    <search>
      <form class="search-form" onSubmit={search}>
        <div class="search-row">
          <input
            type="search"
            name="q"
            defaultValue={query.get('q') ?? ''}
            aria-label={t().search.label}
            placeholder={t().search.placeholder}
            dir="auto"
            required
          />
          <button type="submit" class="primary">
            {t().search.button}
          </button>
        </div>
        <Options query={query} />
      </form>
    </search>
  )
}

function Options({ query }: { readonly query: URLSearchParams }) {
  const names = (stores.value ?? []).map(store => store.name).filter(Boolean)
  return (
    <div class="search-options">
      <label class="inline-field">
        <span>{t().search.mode}</span>
        <select name="mode">
          {SEARCH_MODES.map(mode => (
            <option key={mode} value={mode} selected={mode === (query.get('mode') ?? 'hybrid')}>
              {t().search.modes[mode]}
            </option>
          ))}
        </select>
      </label>
      {names.length > 1 && (
        <label class="inline-field">
          <span>{t().documents.collection}</span>
          <select name="in">
            <option value="">{hasDefaultStore() ? t().ask.byDefault : t().ask.everywhere}</option>
            {names.map(name => (
              <option key={name} value={name} selected={name === query.get('in')}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="inline-field">
        <span>{t().search.filter}</span>
        <input
          name="filter"
          defaultValue={query.get('filter') ?? ''}
          placeholder={t().search.filterHint}
        />
      </label>
      <label class="inline-field">
        <input
          type="checkbox"
          name="precise"
          value="yes"
          defaultChecked={query.get('precise') !== null}
        />
        <span>{t().search.precise}</span>
      </label>
    </div>
  )
}

const DEFAULTS: Readonly<Record<string, string>> = { mode: 'hybrid' }

function Hits({ found, query }: { readonly found: SearchJson; readonly query: URLSearchParams }) {
  return (
    <>
      {found.warnings?.map(warning => (
        <p key={warning.message} class="note">
          <NoticeText notice={warning} />
        </p>
      ))}
      {found.hits[0]?.corrected?.map(({ from, to }) => (
        <p key={from} class="note">
          {t().search.corrected(from, to)}
        </p>
      ))}
      <p class="quiet" aria-live="polite">
        {found.hits.length > 0
          ? t().search.found(found.hits.length, found.seconds)
          : t().search.none}
      </p>
      <ol class="hits">
        {found.hits.map(hit => (
          <HitView key={`${hit.documentId}:${hit.chunkId}`} hit={hit} query={found.query} />
        ))}
      </ol>
      <WhyNot found={found} query={query} />
    </>
  )
}

function HitView({ hit, query }: { readonly hit: HitJson; readonly query: string }) {
  const { documentId, page, charStart, charEnd, headings, text, confidence, weak, explain } = hit
  const { tableHeader } = hit
  const span = { start: String(charStart), end: String(charEnd) }
  const place = page === undefined ? headings.join(' › ') : t().ask.page(page)
  const terms = explain?.terms.map(({ term }) => term) ?? []
  return (
    <li class="hit">
      <p class="hit-head">
        <a
          href={linkTo('documents', documentId, {
            ...(page !== undefined && { page: String(page) }),
            ...span,
          })}
          dir="auto"
        >
          {getFileName(hit)}
        </a>
        <span class="quiet">{place}</span>
        {confidence !== undefined && (
          <span class="quiet">{t().search.confidence(confidence.toFixed(2))}</span>
        )}
        {weak && (
          <span class="badge" title={t().search.weakHint}>
            {t().search.weak}
          </span>
        )}
      </p>
      {tableHeader && (
        <p class="hit-text quiet" dir="auto">
          {tableHeader}
        </p>
      )}
      <p class="hit-text" dir="auto">
        <LitWords text={text} query={query} terms={terms} />
      </p>
      {explain && <Why hit={hit} explain={explain} />}
    </li>
  )
}

function getFileName({ title, source }: HitJson): string {
  const name = source.replace(/^upload:/, '')
  return name.slice(name.lastIndexOf('/') + 1) || title || source
}

function Why({
  hit,
  explain,
}: {
  readonly hit: HitJson
  readonly explain: NonNullable<HitJson['explain']>
}) {
  const words = t().search
  const formatPlace = (place: LegPlaceJson | undefined) => {
    if (!place) return '–'
    const rank = place.rank === undefined ? words.unranked : words.rank(place.rank)
    return `${rank} (${place.score.toFixed(3)})`
  }
  return (
    <details class="why">
      <summary>{words.why}</summary>
      <dl class="facts">
        <div>
          <dt>{words.score}</dt>
          <dd>{hit.score.toFixed(3)}</dd>
        </div>
        <div>
          <dt>{words.words}</dt>
          <dd>
            {formatPlace(explain.keyword)}
            {explain.terms.length > 0 && ` · ${explain.terms.map(({ term }) => term).join(', ')}`}
          </dd>
        </div>
        <div>
          <dt>{words.meaning}</dt>
          <dd>{formatPlace(explain.vector)}</dd>
        </div>
      </dl>
    </details>
  )
}

function WhyNot({ found, query }: { readonly found: SearchJson; readonly query: URLSearchParams }) {
  const ask = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const why = String(new FormData(event.currentTarget).get('why') ?? '').trim()
    if (why) openView('search', { ...Object.fromEntries(query), why })
  }
  return (
    <section class="why-not">
      <h2>{t().search.whyNot}</h2>
      <form class="search-row" onSubmit={ask}>
        <input
          name="why"
          defaultValue={query.get('why') ?? ''}
          aria-label={t().search.whyNotLabel}
          placeholder={t().search.whyNotLabel}
          required
        />
        <button type="submit" class="secondary">
          {t().search.whyNotButton}
        </button>
      </form>
      {found.why && (
        <p class="note" role="status">
          <NoticeText notice={found.why} />
        </p>
      )}
    </section>
  )
}

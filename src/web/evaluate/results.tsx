import type { SettingsComparison } from '../../app/evaluation/settings-comparison.ts'
import { t } from '../preferences.ts'
import { href } from '../route.ts'

type Result = SettingsComparison['results'][number]
type ResultProps = { readonly result: SettingsComparison; readonly collection: string }

/** What was measured: figures with their intervals side by side, what the difference is worth, and every question. */
export function Results({ result, collection }: ResultProps) {
  const { results, questions, comparison } = result
  const words = t().evaluate
  return (
    <section class="stack" aria-label={words.results}>
      <h2>{words.results}</h2>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.count(questions.length)}</th>
              {results.map((one, at) => (
                <th key={at} scope="col">
                  {settingsText(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Measure
              label={words.inTen}
              results={results}
              value={one => share(one.recall10, one.ci95.recall10)}
            />
            <Measure
              label={words.reciprocal}
              results={results}
              value={one => decimal(one.mrr10, one.ci95.mrr10)}
            />
            <Measure
              label={words.time}
              results={results}
              value={one => `${one.p50Ms.toFixed(0)} ms`}
            />
          </tbody>
        </table>
      </div>
      <p class="quiet small">{words.intervals}</p>
      {comparison && (
        <p class="verdict" role="status">
          {words.verdict(comparison.difference, comparison.ci95, comparison.p)}
        </p>
      )}
      <Places result={result} collection={collection} />
    </section>
  )
}

type MeasureProps = {
  readonly label: string
  readonly results: readonly Result[]
  readonly value: (one: Result) => string
}

function Measure({ label, results, value }: MeasureProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {results.map((one, at) => (
        <td key={at}>{value(one)}</td>
      ))}
    </tr>
  )
}

/** So many questions are shown; those that were not found come first. */
const SHOWN = 200

function Places({ result: { results, questions }, collection }: ResultProps) {
  const words = t().evaluate
  const worst = questions.toSorted((a, b) => worstOf(b.places) - worstOf(a.places)).slice(0, SHOWN)
  return (
    <div class="table-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.question}</th>
            {results.map((one, at) => (
              <th key={at} scope="col">
                {words.placeIn(settingsText(one))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {worst.map(({ question, document, words: expected, places }, at) => (
            <tr key={at}>
              <td dir="auto">
                <a
                  href={href('search', {
                    q: question,
                    in: collection,
                    mode: results[0]?.mode,
                    why: document,
                  })}
                >
                  {question}
                </a>
                {(document || expected) && (
                  <span class="expected quiet">
                    {[document, expected].filter(Boolean).join(' · ')}
                  </span>
                )}
              </td>
              {places.map((place, which) => (
                <td key={which}>
                  {place === null ? (
                    <span class="badge failed">{words.missed}</span>
                  ) : (
                    words.place(place)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function worstOf(places: readonly (number | null)[]): number {
  return Math.max(...places.map(place => place ?? Number.POSITIVE_INFINITY))
}

function settingsText({ mode, precise }: Result): string {
  return precise ? `${t().search.modes[mode]}, ${t().search.precise}` : t().search.modes[mode]
}

function share(value: number, [low, high]: readonly [number, number]): string {
  return `${(100 * value).toFixed(0)} % [${(100 * low).toFixed(0)}, ${(100 * high).toFixed(0)}]`
}

function decimal(value: number, [low, high]: readonly [number, number]): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`
}

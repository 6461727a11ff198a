import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ModelContext } from '../../app/model-context.ts'
import { readTableHeader, toHitJson } from '../../app/searching/hit-json.ts'
import type { Filter } from '../../search/filter.ts'
import { readFilter } from '../../search/filter-text.ts'
import type { Reason } from '../../search/reasons.ts'
import {
  type Hit,
  type LegPlace,
  type Reranking,
  SEARCH_MODES,
  type SearchMode,
} from '../../search/searcher.ts'
import { Analyzer } from '../../text/analyzer.ts'
import type { SearchJson } from '../../wire/hit.ts'
import {
  type AddCommand,
  collectValues,
  formatExample,
  getAllOptions,
  PRECISE,
  parsePositiveInteger,
} from '../command.ts'
import { findExcerpt } from '../excerpt.ts'
import { Output } from '../output.ts'
import type { Sentences } from '../sentences/en.ts'
import { getUserSentences } from '../sentences/sentences.ts'
import { withSearch } from '../session.ts'
import { createSourceNames } from '../source-names.ts'

type Options = {
  readonly collection?: readonly string[]
  readonly document?: readonly string[]
  readonly filter?: readonly string[]
  readonly pages?: readonly [number, number]
  readonly mode: SearchMode
  readonly hits: number
  readonly limit?: number
  readonly precise?: boolean
  readonly context?: number
  readonly explain?: boolean
  readonly why?: string
}

export const addSearch: AddCommand = program => {
  program
    .command('search')
    .description('find passages')
    .argument('<query>')
    .option('-c, --collection <name>', 'collection to search (may be repeated)', collectValues)
    .addOption(new Option('--mode <mode>', 'search mode').choices(SEARCH_MODES).default('hybrid'))
    .option(
      '-d, --document <document>',
      'search only this document or folder: id, path or base name (may be repeated)',
      collectValues,
    )
    .option(
      '--filter <expression>',
      'search only documents that match (may be repeated)',
      collectValues,
    )
    .option('--pages <range>', 'search only these pages, for example 7 or 3-9', pageRange)
    .option('--precise', PRECISE)
    .option(
      '--context <tokens>',
      'print passages as context for a model, up to this many tokens',
      parsePositiveInteger,
    )
    .option(
      '--explain',
      'show for each hit its matching terms and its ranks by keyword and by vector',
    )
    .option('--why <document>', 'explain why this document is or is not among the hits')
    .option('-n, --hits <number>', 'maximum number of hits', parsePositiveInteger, 10)
    .addOption(new Option('--limit <number>', 'same as --hits').argParser(parsePositiveInteger))
    .addHelpText('after', getUserSentences().notes.filters)
    .addHelpText(
      'after',
      formatExample(
        'passim search "travel allowance" -c policies',
        'passim search 住宿标准 --mode keyword --json',
      ),
    )
    .action(async (query: string, _options, command: Command) =>
      run(query, getAllOptions<Options>(command)),
    )
}

async function run(
  query: string,
  options: ReturnType<typeof getAllOptions<Options>>,
): Promise<void> {
  const started = performance.now()
  const {
    collection: collections,
    document: documents,
    pages,
    mode,
    precise,
    hits: maxHits,
    limit = maxHits,
  } = options
  const filter = listAll(options.filter)
  const where = {
    collections,
    documents,
    filter,
    pages,
    mode,
    precise,
    limit,
  }
  const { hits, warnings, reason, context } = await withSearch(options, async (store, signal) => {
    const request = { query, ...where, explain: options.explain, signal }
    const hits = await store.search(request)
    return {
      hits,
      warnings: await store.listWarnings(request),
      reason: options.why ? await store.explainDocument(options.why, request) : undefined,
      context: options.context ? await store.packContext(hits, options.context) : undefined,
    }
  })
  const seconds = (performance.now() - started) / 1000
  const output = new Output(options)
  const words = output.sentences.search
  const [{ notReranked, corrected = [], synonyms = [] } = {}] = hits
  for (const { from, to } of corrected) output.writeMessage(words.corrected(from, to))
  if (options.explain)
    for (const { from, to } of synonyms) output.writeMessage(words.synonyms(from, to))
  if (notReranked) output.writeMessage(words.notReranked(notReranked))
  for (const warning of warnings) output.writeMessage(output.sentences.describe(warning))
  const details = {
    ...(reason && { why: reason }),
    ...(warnings.length > 0 && { warnings }),
    ...(context && { context }),
  }
  const result = { query, mode, hits: hits.map(toHitJson), ...details, seconds }
  if (context) for (const line of formatOmissions(context, words)) output.writeMessage(line)
  const formatFound = () => context?.text ?? formatHit(hits, query, words)
  output.writeResult<SearchJson>(result, () =>
    [formatFound(), ...(reason ? [formatReason(reason, output.sentences)] : [])].join('\n\n'),
  )
}

function formatOmissions({ omitted }: ModelContext, words: SearchWords): readonly string[] {
  const omittedCount = omitted.filter(({ reason }) => reason === 'budget').length
  return omittedCount > 0 ? [words.omitted(omittedCount)] : []
}

function listAll(expressions: readonly string[] = []): Filter | undefined {
  const filters = expressions.map(readFilter)
  return filters.length > 1 ? { type: 'and', filters } : filters[0]
}

function pageRange(value: string): readonly [number, number] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? []
  if (first) return [Number(first), Number(last)]
  throw new InvalidArgumentError(getUserSentences().usage.pages)
}

function formatHit(hits: readonly Hit[], query: string, words: SearchWords): string {
  if (hits.length === 0) return words.nothing
  const analyzer = new Analyzer()
  const nameOf = createSourceNames(hits.flatMap(hit => [hit, ...(hit.copies ?? [])]))
  const formatExcerpt = (text: string) => findExcerpt(text, query, analyzer)
  return hits
    .map((hit, index) =>
      formatPassage(hit, { nameOf, words, excerpt: formatExcerpt, number: index + 1 }),
    )
    .join('\n\n')
}

type SearchWords = Sentences['search']

type HitFormat = {
  readonly words: SearchWords
  readonly nameOf: (hit: Pick<Hit, 'name' | 'source'>) => string
  readonly excerpt: (text: string) => string
  readonly number: number
}

function formatPassage(hit: Hit, { nameOf, words, excerpt, number }: HitFormat): string {
  const { pages, headings, score, confidence, weak, isListing, text } = hit
  const range = pages && (pages[0] === pages[1] ? String(pages[0]) : pages.join('–'))
  const page = range ? `, ${words.page(range)}` : ''
  const path = headings.length > 0 ? ` › ${headings.join(' › ')}` : ''
  const sure = confidence === undefined ? '' : `, ${words.confidence(confidence.toFixed(2))}`
  const lines = `[${number}] ${nameOf(hit)}${page}${path}  (${score.toFixed(3)}${sure}${weak ? `, ${words.weak}` : ''}${isListing ? `, ${words.listing}` : ''})`
  const excerptText = excerpt(text)
  const header = readTableHeader(hit)
  const copies = hit.copies ? [words.sameText(hit.copies.map(nameOf))] : []
  const explanation = formatExplanation(hit, words)
  const rows = [...(header ? [header] : []), excerptText.replace(/\s*\n\s*/g, '\n')]
  return [lines, ...copies, ...explanation, ...rows].join('\n').replaceAll('\n', '\n    ')
}

function formatExplanation({ explain, reranked }: Hit, words: SearchWords): readonly string[] {
  if (!explain) return []
  const { terms, keyword, vector, fusion, filter } = explain
  return [
    ...(reranked ? [formatReranking(reranked, words)] : []),
    ...(fusion
      ? [`= ${formatSum({ [words.byKeyword]: fusion.keyword, [words.byVector]: fusion.vector })}`]
      : []),
    `= ${placeText('keyword', keyword, words)}; ${placeText('vector', vector, words)}`,
    ...(filter
      ? [
          `= ${words.filter(
            Object.entries(filter)
              .map(pair => pair.join('='))
              .join(', ') || words.noAttribute,
          )}`,
        ]
      : []),
    `= ${terms.map(({ term, weight }) => `${term} ${weight.toFixed(2)}`).join(', ') || words.noTerm}`,
  ]
}

function formatReranking({ rank, score, parts }: Reranking, words: SearchWords): string {
  const sum = parts
    ? `: ${formatSum({ [words.firstSearch]: parts.search, [words.reranker]: parts.reranker })}`
    : ''
  return `= ${words.reranked(rank, score.toFixed(3))}${sum}`
}

function formatSum(parts: Readonly<Record<string, number>>): string {
  const sum = Object.values(parts).reduce((total, part) => total + part, 0)
  const named = Object.entries(parts).map(([name, part]) => `${part.toFixed(3)} ${name}`)
  return `${sum.toFixed(3)} = ${named.join(' + ')}`
}

function placeText(
  leg: 'keyword' | 'vector',
  place: LegPlace | undefined,
  { legs, notByLeg }: SearchWords,
): string {
  return place
    ? `${legs[leg]} ${place.rank ? `#${place.rank} ` : ''}${place.score.toFixed(3)}`
    : notByLeg(legs[leg])
}

function formatReason(reason: Reason, { describe, search }: Sentences): string {
  const message = describe(reason)
  const { missingTerms } = reason
  return missingTerms.length > 0 ? search.missingTerms(message, missingTerms) : message
}

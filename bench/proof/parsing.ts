import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Interval, pairedBootstrap, wilson } from '../cite-check/intervals.ts'
import { halfOf, readQuestionSet } from '../cite-check/question-set.ts'
import { markdownTable } from '../cite-check/report.ts'
import { CASE_KINDS, type ParsingCase, parsingCases } from '../parsing/cases.ts'
import { type Fact, holds } from '../parsing/facts.ts'
import { readBy } from '../parsing/readers.ts'
import { CITE_CHECK, type ProofOptions } from './options.ts'

/** Whether each fact of each case was found. */
type Read = { readonly reader: string; readonly found: readonly (readonly boolean[])[] }

/** Parsing: facts that have to be found in files of every kind. Gives the tables, and writes them with what was missed. */
export async function proveParsing(options: ProofOptions): Promise<string> {
  const out = path.join(options.out, 'parsing')
  const folder = path.join(options.scratch, 'parsing')
  mkdirSync(out, { recursive: true })
  mkdirSync(folder, { recursive: true })
  const { documents } = readQuestionSet(CITE_CHECK)
  const ids = [...documents.keys()]
  const own = [...documents.values()].filter(({ id }) => halfOf(id, ids) === options.half)
  const all = await parsingCases(own, new URL('files/', CITE_CHECK))
  const cases = all.filter((_, index) => index % options.every === 0)
  const files = cases.map(({ name }) => path.join(folder, name))
  for (const [index, file] of files.entries()) writeFileSync(file, cases[index]!.bytes) // a file each
  const read: Read[] = []
  for (const name of options.peers ?? ['passim']) {
    const texts = await readBy(name, files, path.join(options.scratch, 'home'), options.signal)
    read.push({
      reader: name,
      found: cases.map(({ facts }, at) => facts.map(fact => holds(fact, texts[at]!))),
    }) // one each
  }
  const tables = [kindsTable(cases, read), formatsTable(cases, read), ...gains(cases, read)].join(
    '\n\n',
  )
  writeFileSync(path.join(out, 'report.md'), `${tables}\n`)
  writeFileSync(path.join(out, 'missed.txt.gz'), gzipSync(missed(cases, read)))
  return tables
}

type Wanted = (one: ParsingCase, fact: Fact) => boolean

function shareOf(cases: readonly ParsingCase[], { found }: Read, wanted: Wanted): string {
  const asked = cases.flatMap((one, at) =>
    one.facts.flatMap((fact, place) => (wanted(one, fact) ? [found[at]![place]!] : [])),
  ) // one each
  if (asked.length === 0) return ''
  return `${percentage(wilson(asked.filter(Boolean).length, asked.length))} of ${asked.length}`
}

const percentage = ({ value, low, high }: Interval): string => {
  const per = (share: number) => (100 * share).toFixed(1)
  return `${per(value)} [${per(low)}, ${per(high)}] %`
}

function kindsTable(cases: readonly ParsingCase[], read: readonly Read[]): string {
  const rows = CASE_KINDS.map(kind => {
    const own = (one: ParsingCase) => one.kind === kind
    const files = cases.filter(own).length
    const cells = read.flatMap(reader => [
      shareOf(
        cases,
        reader,
        (one, fact) => own(one) && fact.kind !== 'cell' && fact.kind !== 'told',
      ),
      shareOf(cases, reader, (one, fact) => own(one) && fact.kind === 'cell'),
    ])
    return [
      kind,
      String(files),
      ...cells,
      ...read.map(reader =>
        shareOf(cases, reader, (one, fact) => own(one) && fact.kind === 'told'),
      ),
    ]
  })
  const columns = read.flatMap(({ reader }) => [`${reader}: sentences`, `${reader}: cells`])
  return markdownTable(
    ['Found', 'files', ...columns, ...read.map(({ reader }) => `${reader}: says what is missing`)],
    rows,
  )
}

/** By language and format, of all kinds. */
function formatsTable(cases: readonly ParsingCase[], read: readonly Read[]): string {
  const by = (title: string, nameOf: (one: ParsingCase) => string) => {
    const names = [...new Set(cases.map(nameOf))].sort()
    const rows = names.map(name => [
      name,
      ...read.map(reader => shareOf(cases, reader, one => nameOf(one) === name)),
    ])
    return markdownTable([title, ...read.map(({ reader }) => reader)], rows)
  }
  return [
    by('By language', ({ language }) => language),
    by('By format', ({ name }) => path.extname(name).slice(1)),
  ].join('\n\n')
}

/** What the first finds more than each other, in points, by the same facts, files drawn whole. */
function gains(cases: readonly ParsingCase[], [first, ...others]: readonly Read[]): string[] {
  if (!first || others.length === 0) return []
  const rows = others.map(other => {
    const differences = cases.map(({ name }, at) => {
      const ones = first.found[at]!.map(
        (found, place) => Number(found) - Number(other.found[at]![place]),
      ) // one each
      return [name, ones] as const
    })
    const { value, low, high } = pairedBootstrap(new Map(differences))
    return [other.reader, [value, low, high].map(share => (100 * share).toFixed(1)).join(' / ')]
  })
  return [
    markdownTable([`${first.reader}, in points more than`, 'facts found: mean / low / high'], rows),
  ]
}

const missed = (cases: readonly ParsingCase[], read: readonly Read[]): string =>
  read
    .flatMap(({ reader, found }) =>
      cases.flatMap(
        ({ name, facts }, at) =>
          facts.flatMap((fact, place) =>
            found[at]![place] ? [] : [`${reader}\t${name}\t${JSON.stringify(fact)}\n`],
          ), // one each
      ),
    )
    .join('')

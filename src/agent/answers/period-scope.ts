import type { Document, DocumentReader } from '../../ingest/catalog/document.ts'
import type { Hit } from '../../search/searcher.ts'
import { isToDecide } from '../language/decisions.ts'
import { hasYear, namesYear, yearPartsIn, yearPartsTold, yearsAsked } from '../language/periods.ts'

/** What a document or a passage has to do with the time that a question names. */
type Scope = 'asked' | 'other' | 'unknown'

/** The years and the quarters or halves that a question names; either may be empty. */
type Asked = { readonly years: readonly string[]; readonly parts: readonly string[] }

/** A document says what it is about in so many lines and characters at its beginning. */
const FRONT_LINES = 4
const FRONT_CHARACTERS = 400

/** The rows of a table name times of their own. */
const CELL = ' | '

/** In so many documents of the time that is asked for more is looked for. */
const MAX_DOCUMENTS = 100

type Sources = {
  readonly reader: DocumentReader
  /** Those that are asked. */
  readonly documents: () => readonly Pick<Document, 'id' | 'title' | 'name'>[]
  readonly search: (documentIds: readonly string[]) => Promise<readonly Hit[]>
}

/** The hits of documents of the time that a question names and of no time, and all but those that tell of another time. */
type PeriodHits = { readonly first: readonly Hit[]; readonly all: readonly Hit[] }

/**
 * What is found for a question by the time that it names: of two reports of one company, in the one of its year and quarter,
 * then in what else names that time. A document of another time is left out where its text does not name the one asked for.
 */
export async function inPeriod<Found>(
  question: string,
  hits: readonly Hit[],
  sources: Sources,
  { find, answers }: { find: (hits: readonly Hit[]) => Promise<Found>; answers: (found: Found) => boolean },
): Promise<Found> {
  const asked = { years: isToDecide(question) ? [] : yearsAsked(question), parts: [...yearPartsIn(question)] }
  if (asked.years.length === 0 && asked.parts.length === 0) return find(hits)
  const { first, all } = await periodHits(asked, hits, sources)
  const found = await find(first)
  return answers(found) || first.length === all.length ? found : find(all)
}

async function periodHits(
  asked: Asked,
  hits: readonly Hit[],
  { reader, documents, search }: Sources,
): Promise<PeriodHits> {
  const place = async (found: readonly Hit[]) => {
    const fronts = await frontsOf(found, reader)
    return found.map(hit => placed(hit, asked, fronts.get(hit.documentId) ?? ''))
  }
  const all = await place(hits)
  if (all.every(({ scope }) => scope !== 'other')) return { first: hitsOf(all), all: hitsOf(all) }
  const named = documents().filter(({ title, name }) => scopeOf(asked, `${title}\n${name}`, '') === 'asked')
  const ids = [
    ...all.filter(({ scope }) => scope === 'asked').map(({ hit }) => hit.documentId),
    ...named.map(({ id }) => id),
  ]
  const own = [...new Set(ids)].slice(0, MAX_DOCUMENTS)
  const more = own.length > 0 ? await place(await search(own)) : []
  const known = new Set(all.map(({ hit }) => hit.chunkId))
  const every = [...all, ...more.filter(({ hit }) => !known.has(hit.chunkId))].filter(({ isTold }) => isTold)
  const first = every.filter(({ scope }) => scope !== 'other')
  return { first: hitsOf(own.length > 0 ? first : every), all: hitsOf(every) }
}

type Placed = { readonly hit: Hit; readonly scope: Scope; readonly isTold: boolean }

/** What only the first lines of a document say goes with each of its hits. */
function placed(hit: Hit, asked: Asked, front: string): Placed {
  const name = `${hit.title}\n${hit.name}`
  const scope = scopeOf(asked, name, front)
  const isTold = scope !== 'other' || holds(asked, [name, front, hit.text].join('\n'))
  const isUnnamed =
    (asked.years.length > 0 && !namesYear(name)) || (asked.parts.length > 0 && yearPartsTold(name).size === 0)
  return { hit: isUnnamed ? { ...hit, context: `${front}\n${hit.context}` } : hit, scope, isTold }
}

function hitsOf(placed: readonly Placed[]): readonly Hit[] {
  return placed.map(({ hit }) => hit)
}

/** By the name of the document; what that does not tell, its first lines may. They name years of other things, too. */
function scopeOf({ years, parts }: Asked, name: string, front: string): Scope {
  const isOfYear = years.length === 0 || years.some(year => hasYear(namesYear(name) ? name : front, year))
  const told = [name, front].map(yearPartsTold).find(({ size }) => size > 0)
  const isOfPart = parts.length === 0 || parts.some(part => told?.has(part))
  if (isOfYear && isOfPart) return 'asked'
  const isOther = (!isOfYear && namesYear(name)) || (!isOfPart && told !== undefined)
  return isOther ? 'other' : 'unknown'
}

function holds({ years, parts }: Asked, text: string): boolean {
  const told = yearPartsTold(text)
  return (
    (years.length === 0 || years.some(year => hasYear(text, year))) &&
    (parts.length === 0 || parts.some(part => told.has(part)))
  )
}

async function frontsOf(hits: readonly Hit[], reader: DocumentReader): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(hits.map(({ documentId }) => documentId))]
  const fronts = await Promise.all(
    ids.map(async id => {
      const text = await reader.read(id, 0, FRONT_CHARACTERS)
      const lines = text.split('\n').filter(line => line.trim() !== '' && !line.includes(CELL))
      return [id, lines.slice(0, FRONT_LINES).join('\n')] as const
    }),
  )
  return new Map(fronts)
}

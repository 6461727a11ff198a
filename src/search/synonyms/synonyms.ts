import { RecentMap } from '../../system/recent-map.ts'
import type { Analyzer } from '../../text/analyzer.ts'
import { parseSynonyms } from './synonym-file.ts'

/** A term of the query and its synonyms, as the list writes them. */
export type AppliedSynonym = { readonly from: string; readonly to: readonly string[] }

export type SynonymTerm = {
  readonly text: string
  readonly sequence: readonly string[]
  readonly terms: readonly string[]
}

export type SynonymConcept = {
  readonly written: SynonymTerm
  readonly others: readonly SynonymTerm[]
}

/** Keeps stop words, because the sequence must match. A percentage is one term, as in the index. */
export function toSynonymTerm(text: string, analyzer: Analyzer): SynonymTerm {
  const sequence = text.endsWith('%') ? [text.replace(' ', '')] : analyzer.listSequence(text)
  return { text, sequence, terms: [...new Set(sequence)] }
}

/** Maximum further searches per query. */
const MAX_OTHERS = 32
/** Protects memory if many collections are searched. */
const MAX_LISTS = 16

/** Returns a collection's list; empty if it has none. */
type ReadSynonyms = (collectionId: string) => Promise<string>

/** Keyed by the first term of their sequence, the longest first. */
type Lookup = ReadonlyMap<string, readonly SynonymConcept[]>

export class Synonyms {
  readonly #analyzer: Analyzer
  readonly #read: ReadSynonyms
  readonly #lookups = new RecentMap<string, Lookup>(MAX_LISTS)

  constructor(analyzer: Analyzer, read: ReadSynonyms) {
    this.#analyzer = analyzer
    this.#read = read
  }

  /**
   * Finds terms with synonyms in any collection. Of overlapping ones the earlier, then the longer
   * counts.
   */
  async find(text: string, collectionIds: readonly string[]): Promise<readonly SynonymConcept[]> {
    const lists = await Promise.all(collectionIds.map(id => this.#read(id)))
    const lookups = [...new Set(lists.filter(list => list !== ''))].map(list => this.#open(list))
    if (lookups.length === 0) return []
    return limitOthers(findConcepts(this.#analyzer.listSequence(text), lookups))
  }

  #open(list: string): Lookup {
    const lookup = this.#lookups.get(list) ?? this.#build(list)
    this.#lookups.set(list, lookup)
    return lookup
  }

  #build(list: string): Lookup {
    const others = new Map<string, { written: SynonymTerm; others: Map<string, SynonymTerm> }>()
    for (const { from, to } of parseSynonyms(list)) {
      const targets = to.map(text => this.#analyze(text))
      for (const written of from.map(text => this.#analyze(text))) {
        const key = getKey(written)
        const group = others.get(key) ?? { written, others: new Map() }
        others.set(key, group)
        for (const target of targets)
          if (getKey(target) !== key) group.others.set(getKey(target), target)
      }
    }
    const concepts = [...others.values()].map(({ written, others }) => ({
      written,
      others: [...others.values()],
    }))
    const byFirst = new Map<string, SynonymConcept[]>()
    const sorted = concepts.toSorted((a, b) => countTerms(b) - countTerms(a))
    for (const concept of sorted) {
      const [first = ''] = concept.written.sequence
      const sameFirst = byFirst.get(first)
      if (sameFirst) sameFirst.push(concept)
      else byFirst.set(first, [concept])
    }
    return byFirst
  }

  #analyze(text: string): SynonymTerm {
    const terms = [...new Set(this.#analyzer.listQueryTerms(text))]
    return { text, sequence: this.#analyzer.listSequence(text), terms }
  }
}

function countTerms({ written }: SynonymConcept): number {
  return written.sequence.length
}

function getKey({ sequence }: SynonymTerm): string {
  return sequence.join(' ')
}

function findConcepts(
  sequence: readonly string[],
  lookups: readonly Lookup[],
): readonly SynonymConcept[] {
  const found = new Map<string, SynonymConcept>()
  for (let index = 0; index < sequence.length; ) {
    const here = lookups.flatMap(lookup => findLongest(sequence, index, lookup))
    const longest = Math.max(1, ...here.map(({ written }) => written.sequence.length))
    for (const { written, others } of here) {
      if (written.sequence.length < longest) continue
      const before = found.get(getKey(written))?.others ?? []
      const all = new Map([...before, ...others].map(term => [getKey(term), term]))
      found.set(getKey(written), { written, others: [...all.values()] })
    }
    index += longest
  }
  return [...found.values()]
}

function findLongest(
  sequence: readonly string[],
  index: number,
  lookup: Lookup,
): readonly SynonymConcept[] {
  const concept = lookup
    .get(sequence[index] ?? '')
    ?.find(({ written }) =>
      written.sequence.every((term, offset) => sequence[index + offset] === term),
    )
  return concept ? [concept] : []
}

function limitOthers(concepts: readonly SynonymConcept[]): readonly SynonymConcept[] {
  let remaining = MAX_OTHERS
  return concepts.flatMap(({ written, others }) => {
    const limited = others.slice(0, remaining)
    remaining -= limited.length
    return limited.length > 0 ? [{ written, others: limited }] : []
  })
}

export function toApplied(concepts: readonly SynonymConcept[]): readonly AppliedSynonym[] {
  return concepts.map(({ written, others }) => ({
    from: written.text,
    to: others.map(({ text }) => text),
  }))
}

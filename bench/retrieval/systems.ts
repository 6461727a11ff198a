import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Passim } from '../../src/app/passim.ts'
import { open } from '../../src/app.ts'
import { setting } from '../peers/settings.ts'
import type { JudgedSet } from './judged-sets.ts'
import { LuceneLike } from './lucene-like.ts'

/** The passages that a system found for each query, best first. */
export type Rankings = ReadonlyMap<string, readonly string[]>

/** How many passages a system may name for a query. */
const DEPTH = 100

/** So many texts are embedded in one call. */
const BATCH = 64

export type Surroundings = {
  /** A folder for stores and files, which is removed afterwards. */
  readonly scratch: string
  /** The file with the settings of Passim that stand behind `@` in the system's name. */
  readonly configFile?: string
  readonly signal: AbortSignal
}

type System = (set: JudgedSet, surroundings: Surroundings) => Promise<Rankings>

/** By the names that the command line gives them. */
const SYSTEMS: Readonly<Record<string, System>> = {
  passim: (set, around) => passimRankings(set, 'hybrid', around),
  keyword: (set, around) => passimRankings(set, 'keyword', around),
  vector: (set, around) => passimRankings(set, 'vector', around),
  precise: (set, around) => passimRankings(set, 'hybrid', around, true),
  cosine: cosineRankings,
  lucene: async ({ passages, queries }) => {
    const search = new LuceneLike(passages)
    return new Map(queries.map(({ id, query }) => [id, search.search(query, DEPTH)]))
  },
  bm25s: bm25sRankings,
}

/** `NAME` or, of those that embed, `NAME@FILE`: with the settings of a file, so that two embedders can be held side by side. */
export async function rankingsOf(
  name: string,
  set: JudgedSet,
  around: Omit<Surroundings, 'configFile'>,
): Promise<Rankings> {
  const [base = '', configFile] = name.split('@')
  const system = SYSTEMS[base]
  if (!system)
    throw new Error(`No system is called ${name}. There are: ${Object.keys(SYSTEMS).join(', ')}.`)
  return await system(set, {
    ...around,
    ...(configFile && { configFile: path.resolve(configFile) }),
  })
}

async function passimRankings(
  { folder, name, passages }: JudgedSet,
  mode: 'keyword' | 'vector' | 'hybrid',
  around: Surroundings,
  precise = false,
): Promise<Rankings> {
  return await withPassim(around, async passim => {
    const runPrefix = path.join(around.scratch, `run-${name}${precise ? '-precise' : ''}`)
    await passim.evaluations.search(folder, {
      modes: [mode],
      precise,
      runPrefix,
      signal: around.signal,
    })
    const known = new Set(passages.map(({ id }) => id))
    const found = new Map<string, string[]>()
    for (const line of readFileSync(`${runPrefix}.${mode}.tsv`, 'utf8').split('\n')) {
      const [query, passage] = line.split('\t')
      if (query && passage && known.has(passage))
        found.set(query, [...(found.get(query) ?? []), passage])
    }
    return found
  })
}

/** The cosine of question and passage as the model gives it, title before text; what is longer than it reads is cut off. */
async function cosineRankings(
  { passages, queries }: JudgedSet,
  around: Surroundings,
): Promise<Rankings> {
  return await withPassim(around, async ({ texts }) => {
    const embedded = async (all: readonly string[], role: 'query' | 'passage') => {
      const vectors: Float32Array[] = []
      for (let at = 0; at < all.length; at += BATCH)
        vectors.push(...(await texts.embed(all.slice(at, at + BATCH), role, around.signal)).vectors)
      return vectors
    }
    const corpus = await embedded(
      passages.map(({ title, text }) => [title, text].filter(Boolean).join('\n')),
      'passage',
    )
    const asked = await embedded(
      queries.map(({ query }) => query),
      'query',
    )
    return new Map(
      queries.map(({ id }, at) => {
        const scored = corpus.map((vector, passage) => ({
          passage,
          score: dot(vector, asked[at]!),
        })) // one each
        const best = scored.toSorted((a, b) => b.score - a.score).slice(0, DEPTH)
        return [id, best.map(({ passage }) => passages[passage]!.id)] // a place in the list
      }),
    )
  })
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]! // of the same length
  return sum
}

/** A store for each file of settings: what one system has embedded the next need not. */
async function withPassim<T>(
  { scratch, configFile }: Surroundings,
  use: (passim: Passim) => Promise<T>,
): Promise<T> {
  const home = path.join(
    scratch,
    `store-${configFile ? configFile.replace(/\W+/g, '-') : 'default'}`,
  )
  mkdirSync(home, { recursive: true })
  const passim = await open({ home, ...(configFile && { configFile }) })
  try {
    return await use(passim)
  } finally {
    await passim.close()
  }
}

const FOUND = z.object({ id: z.string(), found: z.array(z.string()) })

async function bm25sRankings(
  { folder, queries }: JudgedSet,
  { signal }: Surroundings,
): Promise<Rankings> {
  const program = fileURLToPath(new URL('rank-bm25s.py', import.meta.url))
  const args = [program, folder, String(DEPTH)]
  const { stdout } = await promisify(execFile)(setting('PROOF_BM25S_PYTHON'), args, {
    signal,
    maxBuffer: 2 ** 28,
  })
  const found = stdout
    .trim()
    .split('\n')
    .map(line => FOUND.parse(JSON.parse(line)))
  const asked = new Set(queries.map(({ id }) => id))
  return new Map(found.filter(({ id }) => asked.has(id)).map(({ id, found }) => [id, found]))
}

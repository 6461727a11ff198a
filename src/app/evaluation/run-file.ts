import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { AppError } from '../../errors.ts'

/** The rankings of a run by query: ids, best first. Lines are `query <tab> document <tab> rank <tab> score`. */
export async function readRunFile(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!existsSync(file)) {
    throw new AppError('not_found', `There is no run ${file}: write one first, with passim eval DIR --run PREFIX.`)
  }
  const ranked = new Map<string, { readonly id: string; readonly rank: number }[]>()
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue
    const [query, id, rank] = line.split('\t')
    if (!query || !id || !(Number(rank) >= 1)) {
      throw new AppError('invalid_input', `${file}, line ${index + 1}: expected query, document, rank and score.`)
    }
    const known = ranked.get(query) ?? []
    known.push({ id, rank: Number(rank) })
    ranked.set(query, known)
  }
  return new Map(
    [...ranked].map(([query, entries]) => [query, entries.toSorted((a, b) => a.rank - b.rank).map(({ id }) => id)]),
  )
}

/**
 * The lift of the nearest neighbour, for questions that the shipped samples answer and for some that they do not: where
 * a neighbour stops being nearer than chance (WEAK_LIFT in src/search/rank/vector.ts).
 * usage: npx tsx bench/weak-margin.ts
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { open } from '../src/app.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** Far from every sample. */
const FOREIGN = [
  'What is the boiling point of ethanol?',
  'Who won the football world cup in 1998?',
  'How do I prune an apple tree in winter?',
  '红烧肉怎么做？',
  '感冒了应该吃什么药？',
  '从上海到东京的航班要飞多久？',
]

const home = await mkdtemp(path.join(tmpdir(), 'passim-margin-'))
const passim = await open({ home, environment: {} })
await passim.index([path.join(ROOT, 'data/samples')], { exclude: ['LICENSES', 'README.md'] })
const lines = (await readFile(path.join(ROOT, 'test/eval/samples-questions.jsonl'), 'utf8'))
  .trim()
  .split('\n')
const questions = lines.map(line => JSON.parse(line) as { question: string; answerable: boolean })
await print(
  'answered by the samples',
  questions.filter(one => one.answerable).map(one => one.question),
)
await print(
  'near them, but not answered',
  questions.filter(one => !one.answerable).map(one => one.question),
)
await print('about something else', FOREIGN)
await passim.close()
await rm(home, { recursive: true })

async function print(title: string, asked: readonly string[]): Promise<void> {
  const lifts: number[] = []
  for (const query of asked)
    lifts.push((await passim.search({ query, mode: 'vector', limit: 1 }))[0]?.score ?? 0)
  console.log(
    `${title}: ${lifts
      .toSorted((a, b) => a - b)
      .map(lift => lift.toFixed(3))
      .join(' ')}`,
  )
}

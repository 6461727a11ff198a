import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_EMBEDDER, MODELS_FOLDER } from '../../../src/app/embedding.ts'
import { readSmallTalk } from '../../../src/app/searching/priors.ts'
import { LocalEmbedder } from '../../../src/ingest/embed/local.ts'
import { VectorMeaning } from '../../../src/search/meaning.ts'
import { SentenceVectors } from '../../../src/search/rerankers/sentence-vectors.ts'
import { HashingEmbedder } from '../../fakes/hashing-embedder.ts'

let embedder: LocalEmbedder
beforeAll(async () => {
  embedder = await LocalEmbedder.open({ modelPath: path.join(MODELS_FOLDER, DEFAULT_EMBEDDER) })
})
afterAll(() => embedder.close())

/** Which of them the embedder takes for small talk. */
async function talkBy(by: LocalEmbedder | HashingEmbedder, texts: readonly string[]) {
  const meaning = new VectorMeaning(
    by,
    new SentenceVectors(by, async () => undefined),
    {},
    await readSmallTalk(by),
  )
  const areTalk = await meaning.areSmallTalk(texts)
  return texts.filter((_, at) => areTalk[at])
}

const TALK = [
  'I am happy to help!',
  'Let me know if you need anything else.',
  '不客气，很高兴能帮到您！',
  '希望以上信息对您有所帮助。',
]
const CLAIMS = [
  'You may bring a dog to the office.',
  'Employees receive leave.',
  '您可以带宠物上班。',
  '迟到的人会被罚款。',
]

test('the embedder that ships tells small talk from claims, addressed to the reader or not', async () => {
  expect(await talkBy(embedder, [...CLAIMS, ...TALK])).toEqual(TALK)
})
test('another embedder, of which it is not known, takes nothing for small talk', async () => {
  expect(await talkBy(new HashingEmbedder(), TALK)).toEqual([])
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { passimOverHttp } from '../../bench/peers/passim-http.ts'
import type { Peer } from '../../bench/peers/peer.ts'
import { type ScriptedModel, startScriptedModel } from '../../bench/peers/scripted-model.ts'

/** Sentences of a model, and what comes of them over HTTP: true ones keep their marker, one with another number loses it. */
const FOLDER = mkdtempSync(path.join(process.env.TMPDIR ?? '/tmp', 'passim-scripted-'))
const FILE = path.join(FOLDER, 'en-pool.md')
writeFileSync(FILE, '# Pool\n\nThe pool in Droitby is 25 metres long and is closed on Mondays.\n')
const SIGNAL = new AbortController().signal

let model: ScriptedModel
let peer: Peer
beforeAll(async () => {
  model = await startScriptedModel()
  peer = await passimOverHttp(path.join(FOLDER, 'home'), model.url)
  await peer.prepare([FILE], SIGNAL)
})
afterAll(async () => {
  await peer.close()
  await model.close()
})

const cited = async (sentence: string) => {
  model.say(sentence, 'en-pool')
  const { sentences } = await peer.answer('How long is the pool in Droitby?', SIGNAL)
  return sentences.flatMap(({ citations }) =>
    citations.map(({ document, quote }) => [document, quote]),
  )
}

test('a true sentence cites the words that state it', async () => {
  expect(await cited('The pool in Droitby is 25 metres long.')).toEqual([
    ['en-pool', expect.stringContaining('25 metres long')],
  ])
})
test('one with another number cites nothing', async () => {
  expect(await cited('The pool in Droitby is 50 metres long.')).toEqual([])
})

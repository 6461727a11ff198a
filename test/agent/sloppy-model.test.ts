import { afterAll, beforeAll, expect, test } from 'vitest'
import { Agent } from '../../src/agent/agent.ts'
import { CitedKnowledge } from '../../src/agent/groundings/cited.ts'
import { OpenAIModel } from '../../src/agent/models/openai/openai.ts'
import type { Meaning } from '../../src/search/meaning.ts'
import { findMarkers } from '../../src/text/markers.ts'
import { type Answer, collectAnswer } from '../fakes/answers.ts'
import { MemorySearcher } from '../fakes/memory-searcher.ts'
import { type ScriptedModel, startScriptedModel } from '../fakes/scripted-model-server.ts'
import { wordCounter } from '../fakes/word-counter.ts'

/** Found in this order for the question: sources 1, 2 and 3. */
const QUESTION = 'paid leave of employees a year, and the pump, and 图书'
const DOCUMENTS = [
  {
    name: 'leave.md',
    text: 'Employees receive 24 days of paid leave a year. Unused leave expires on 31 March, because the payroll closes.',
  },
  {
    name: 'pump.md',
    text: 'The pump must never run dry. The warranty of the pump is 36 months and excludes seals.',
  },
  {
    name: '图书.md',
    text: '图书遗失的，按照原价的三倍赔偿。儿童读者每次最多可借六册，借期四十五天。',
  },
]

/** How a model cites badly, what it says then, and the words of documents that it has quoted or told truly. */
const WAYS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'no markers',
    'It is "24 days of paid leave a year". And “the warranty of the pump is 36 months”. 规则写明“按照原价的三倍赔偿”。',
    ['24 days of paid leave a year', 'The warranty of the pump is 36 months', '按照原价的三倍赔偿'],
  ],
  [
    'wrong markers',
    'It is "24 days of paid leave a year" [3]. "The pump must never run dry" [1]. “按照原价的三倍赔偿”[2]。',
    ['24 days of paid leave a year', 'The pump must never run dry', '按照原价的三倍赔偿'],
  ],
  [
    'markers of no source',
    'It is "24 days of paid leave a year" [7]. "The pump must never run dry" [0][12]. “按照原价的三倍赔偿”[99]。',
    ['24 days of paid leave a year', 'The pump must never run dry', '按照原价的三倍赔偿'],
  ],
  [
    'one marker for a paragraph',
    'Employees receive 24 days of paid leave a year. The pump must never run dry. 儿童读者每次最多可借六册。[1]',
    [
      'Employees receive 24 days of paid leave a year.',
      'The pump must never run dry.',
      '儿童读者每次最多可借六册，借期四十五天。',
    ],
  ],
  [
    'all markers heaped at the end, and ranges',
    'Unused leave expires on 31 March [1-3]. The pump must never run dry [1, 2, 3]. 儿童读者每次最多可借六册[1][2][3]。',
    [
      'Unused leave expires on 31 March, because the payroll closes.',
      'The pump must never run dry.',
      '儿童读者每次最多可借六册，借期四十五天。',
    ],
  ],
  [
    'brackets of other tools',
    'It is "24 days of paid leave a year"【1†source】. "The pump must never run dry"【2†L5-L9】. “按照原价的三倍赔偿”【4:2†图书.md】。',
    ['24 days of paid leave a year', 'The pump must never run dry', '按照原价的三倍赔偿'],
  ],
  [
    'round brackets, raised and full-width numbers',
    'It is "24 days of paid leave a year" (1). "The pump must never run dry".² “按照原价的三倍赔偿”［３］。',
    ['24 days of paid leave a year', 'The pump must never run dry', '按照原价的三倍赔偿'],
  ],
  [
    'markers with words, and links',
    'It is "24 days of paid leave a year" [Source 1]. "The pump must never run dry" [[2]](https://example.org/2). “按照原价的三倍赔偿”（来源3）。',
    ['24 days of paid leave a year', 'The pump must never run dry', '按照原价的三倍赔偿'],
  ],
  [
    'footnotes and a list of sources',
    'It is "24 days of paid leave a year".[^1] "The pump must never run dry".[^2]\n\nSources:\n[^1]: leave.md, p. 1\n[^2]: pump.md',
    ['24 days of paid leave a year', 'The pump must never run dry'],
  ],
  [
    'other quotation marks, quoted blocks, slips, and words left out',
    'It is «24 days of paid leave a year».\n\n> The pump must never\n> run dry.\n\nIt says „Unused leave expirs on 31 March“, ‘The warranty … is 36 months’ and 『儿童读者每次最多可借六册』。',
    [
      '24 days of paid leave a year',
      'The pump must never run dry.',
      'Unused leave expires on 31 March',
      'The warranty',
      'is 36 months',
      '儿童读者每次最多可借六册',
    ],
  ],
  [
    'markers in front of what they are for',
    'What is known:\n- [1] Unused leave expires on 31 March.\n- [2] The pump must never run dry.',
    [
      'Unused leave expires on 31 March, because the payroll closes.',
      'The pump must never run dry.',
    ],
  ],
  [
    'true, false and changed words side by side, all with markers',
    'It is "24 days of paid leave a year" [1]. It is "25 days of paid leave a year" [1]. "The pump must run dry" [2]. The chairman owns three yellow submarines [3].',
    ['24 days of paid leave a year', '图书遗失的，按照原价的三倍赔偿。'],
  ],
]

/** What is in different languages here has nothing to do with each other. */
const UNRELATED: Meaning = {
  measureNearness: async (_, sentences) => ({
    cosines: sentences.map(() => 0.2),
    unrelated: { zh: 0.2, en: 0.2 },
  }),
  areSmallTalk: async sentences => sentences.map(() => false),
}

let server: ScriptedModel
beforeAll(async () => {
  server = await startScriptedModel(
    WAYS.map(([, text]) => ({ text: text.match(/[\s\S]{1,5}/g) ?? [] })),
  )
})
afterAll(() => server.close())

for (const [way, , quotes] of WAYS) {
  test(`a model that cites badly, ${way}: what is shown is true, and what is true is found`, async () => {
    const { answer, streamed } = await answered()
    const { citations } = answer
    const cited = citations.map(({ text }) => text)
    expect(cited.toSorted()).toEqual([...quotes].toSorted())
    for (const { verified, text, doc, charStart, charEnd } of citations) {
      const document = DOCUMENTS.find(({ name }) => name === doc)
      expect([verified, document?.text.slice(charStart, charEnd)]).toEqual([true, text])
    }
    const markers = new Set(citations.map(({ marker }) => marker))
    expect(new Set(findMarkers(answer.answer).map(({ id }) => id))).toEqual(markers)
    expect(findMarkers(streamed).filter(({ id }) => id < 1 || id > DOCUMENTS.length)).toEqual([])
  })
}

async function answered(): Promise<{ readonly answer: Answer; readonly streamed: string }> {
  const memory = new MemorySearcher(DOCUMENTS)
  const model = new OpenAIModel({ url: server.url, name: 'scripted' })
  const resolveScope = async () => ({
    collectionIds: ['default'],
    documents: async () => memory.documents,
  })
  const documents = {
    searcher: memory,
    reader: memory,
    counter: async () => wordCounter,
    meaning: UNRELATED,
    resolveScope,
  }
  const run = new Agent({ model, grounding: new CitedKnowledge({ ...documents, model }) }).run(
    QUESTION,
  )
  let streamed = ''
  for await (const text of run.textStream) streamed += text
  return { answer: await collectAnswer(run), streamed }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Support } from '../../src/answer/citations/citation.ts'
import { type Interval, wilson } from '../cite-check/intervals.ts'
import { type ClaimPair, halfOf, readQuestionSet } from '../cite-check/question-set.ts'
import { markdownTable } from '../cite-check/report.ts'
import { passimOverHttp } from '../peers/passim-http.ts'
import type { RawAnswer } from '../peers/peer.ts'
import { startScriptedModel } from '../peers/scripted-model.ts'
import { CITE_CHECK, type ProofOptions } from './options.ts'

/** A sentence that the model was told to say, and what Passim made of it. */
type Said = {
  readonly id: string
  readonly language: string
  readonly change: string
  readonly isTrue: boolean
  readonly sentence: string
  readonly support: Support
  readonly text: string
}

/**
 * What Passim's check does with what a model writes: a scripted one says true sentences about the documents, and each of them with a small
 * change, under the number of the right document. It tells nothing of any model's answers.
 */
export async function proveModelChecks(options: ProofOptions): Promise<string> {
  const { documents, claims } = readQuestionSet(CITE_CHECK)
  const ids = [...documents.keys()]
  const own = claims.filter(({ document }) => halfOf(document, ids) === options.half)
  const pairs = own.filter((_, index) => index % options.every === 0)
  const asked = [...new Set(pairs.map(({ document }) => document))].map(id => documents.get(id)!)
  const model = await startScriptedModel()
  const peer = await passimOverHttp(path.join(options.scratch, 'passim-model'), model.url)
  try {
    const files = asked.map(({ id, format }) =>
      fileURLToPath(new URL(`files/${id}.${format}`, CITE_CHECK)),
    )
    await peer.prepare(files, options.signal)
    const said: Said[] = []
    for (const pair of pairs) {
      for (const isTrue of [true, false]) {
        model.say(isTrue ? pair.stated : pair.changed, pair.document)
        said.push(saidOf(pair, isTrue, await peer.answer(questionOf(pair), options.signal)))
      }
    }
    return written(said, options)
  } finally {
    await peer.close()
    await model.close()
  }
}

/** The same for both sentences of a pair: what the section of the evidence says. */
function questionOf({ evidence, document }: ClaimPair): string {
  const [title = document, ...headings] = evidence[0]?.headings ?? []
  const about = [...new Set([headings.at(-1) ?? title, title])].join(', ')
  return document.startsWith('zh')
    ? `${about}：${evidence[0]?.text ?? ''}，是怎么规定的？`
    : `What is said of “${evidence[0]?.text ?? ''}” in ${about}?`
}

function saidOf(
  { id, document, change, stated, changed }: ClaimPair,
  isTrue: boolean,
  { text, sentences, contradicted = 0 }: RawAnswer,
): Said {
  const isStated = sentences.some(({ citations }) =>
    citations.some(({ support }) => support === 'stated'),
  )
  return {
    id,
    language: document.slice(0, 2),
    change,
    isTrue,
    sentence: isTrue ? stated : changed,
    text,
    support: isStated ? 'stated' : contradicted > 0 ? 'not-stated' : 'unknown',
  }
}

function written(said: readonly Said[], options: ProofOptions): string {
  const out = path.join(options.out, 'model')
  mkdirSync(out, { recursive: true })
  const languages = markdownTable(
    [
      'Sentences of a scripted model',
      'true: stated',
      'true: not-stated',
      'false: stated',
      'false: not-stated',
    ],
    (['en', 'zh', ''] as const).map(language => {
      const own = said.filter(one => one.language.startsWith(language))
      const right = own.filter(({ isTrue }) => isTrue)
      const wrong = own.filter(({ isTrue }) => !isTrue)
      return [
        { en: 'English documents', zh: 'Chinese documents', '': 'both' }[language],
        share(right, ({ support }) => support === 'stated'),
        share(right, ({ support }) => support === 'not-stated'),
        share(wrong, ({ support }) => support === 'stated'),
        share(wrong, ({ support }) => support === 'not-stated'),
      ]
    }),
  )
  const changes = [...new Set(said.map(({ change }) => change))].sort()
  const kinds = markdownTable(
    ['What was changed', 'false: stated'],
    changes.map(change => [
      change,
      share(
        said.filter(one => one.change === change && !one.isTrue),
        one => one.support === 'stated',
      ),
    ]),
  )
  const tables = `${languages}\n\n${kinds}`
  writeFileSync(path.join(out, 'report.md'), `${tables}\n`)
  writeFileSync(
    path.join(out, 'passim-http.jsonl.gz'),
    gzipSync(`${said.map(one => JSON.stringify(one)).join('\n')}\n`),
  )
  return tables
}

const share = (said: readonly Said[], holds: (one: Said) => boolean): string => {
  const interval: Interval = wilson(said.filter(holds).length, said.length)
  const [value, low, high] = [interval.value, interval.low, interval.high].map(part =>
    (100 * part).toFixed(1),
  )
  return `${value} [${low}, ${high}] % of ${said.length}`
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { O200kTokens } from '../../src/agent/tokens/o200k.ts'
import { callTool } from '../../src/agent/tool.ts'
import { extractSearchWords } from '../../src/agent/tools/retrieval.ts'
import type { ToolSpec } from '../../src/agent/tools/tool-registry.ts'
import type { Passim } from '../../src/app/passim.ts'
import { Analyzer } from '../../src/text/analyzer.ts'
import { GOLDEN_TEXTS, RANKING_DOCUMENTS } from '../fakes/golden-texts.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'

type Chunking = {
  readonly case: string
  readonly max_ref_token: number
  readonly page_size: number
  readonly sha256: string
  readonly tokens: readonly number[]
  readonly is_whole: boolean
}
type Ranked = readonly (readonly [source: string, chunk: number, score: number | string])[]

/** Outputs of Qwen-Agent 0.0.34 in reading, cutting and searching; the texts are made in golden-texts.ts. */
const golden = json('../fixtures/golden-retrieval.json') as {
  readonly tokens: readonly { text: string; count: number }[]
  readonly parse_keyword: readonly { query: string; terms: readonly string[] }[]
  readonly clean_paragraph: readonly [string, string][]
  readonly chunking: readonly Chunking[]
  readonly ranking_sha256: Readonly<Record<string, string>>
  readonly ranking: readonly { query: string; docs: number; hybrid: Ranked; bm25: Ranked }[]
}
const agent = json('../fixtures/golden-agent.json') as Readonly<Record<string, readonly unknown[]>>
const shared = path.join(process.env.PASSIM_SHARED ?? '../shared', 'spec/golden.json')

function json(place: string): unknown {
  return JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'))
}

/** The cases that we pass, and those where we differ on purpose; every key of `different` is that of a case. */
function listed<Case>(
  cases: readonly Case[],
  keyOf: (one: Case) => string,
  different: Readonly<Record<string, string>>,
) {
  const keys = cases.map(keyOf)
  const strays = Object.keys(different).filter(key => !keys.includes(key))
  if (strays.length > 0 || new Set(keys).size < keys.length)
    throw new Error(`No such case, or two: ${strays}`)
  return {
    same: cases.filter(one => !(keyOf(one) in different)),
    different: cases
      .filter(one => keyOf(one) in different)
      .map(one => [different[keyOf(one)]!, one] as const),
  }
}

const COUNTS = { tokens: 12, parse_keyword: 23, chunking: 21, ranking: 9, clean_paragraph: 4 }
const AGENT_COUNTS = { truncate: 12, truncate_messages: 5, basename: 5, nous_parse: 7 }

test('every case is here or in golden.test.ts of the agents: 98', () => {
  const counted = (of: object, names: object) =>
    Object.fromEntries(
      Object.keys(names).map(name => [
        name,
        (of as Record<string, readonly unknown[]>)[name]?.length,
      ]),
    )
  expect([counted(golden, COUNTS), counted(agent, AGENT_COUNTS)]).toEqual([COUNTS, AGENT_COUNTS])
  const all = [...Object.values(COUNTS), ...Object.values(AGENT_COUNTS)]
  expect(all.reduce((sum, count) => sum + count, 0)).toBe(98)
})

test.skipIf(!existsSync(shared))(
  'the cases are those of the peer (needs ../shared/spec or $PASSIM_SHARED)',
  () => {
    const theirs = JSON.parse(readFileSync(shared, 'utf8'))
    for (const name of ['tokens', 'parse_keyword', 'clean_paragraph', 'ranking'] as const)
      expect(golden[name]).toEqual(theirs[name])
    for (const name of Object.keys(AGENT_COUNTS)) expect(agent[name]).toEqual(theirs[name])
    for (const [at, { text, chunks, ...about }] of theirs.chunking.entries()) {
      const is_whole = chunks.length === 1 && chunks[0].content === text
      const tokens = chunks.map((chunk: { token: number }) => chunk.token)
      expect(golden.chunking[at]).toEqual({ ...about, sha256: digest(text), tokens, is_whole })
    }
    expect(theirs.ranking_docs).toEqual(RANKING_DOCUMENTS)
  },
)

test('the texts are those of the peer', () => {
  for (const one of golden.chunking) expect(digest(GOLDEN_TEXTS[one.case]!)).toBe(one.sha256)
  for (const [name, text] of Object.entries(RANKING_DOCUMENTS))
    expect(digest(text)).toBe(golden.ranking_sha256[name])
})

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

describe('tokens: a budget that we count is no larger than one that the peer counts', () => {
  const tokens = new O200kTokens('qwen3')
  const { same, different } = listed(golden.tokens, one => one.text, {
    '12345':
      "Qwen's vocabulary makes every digit a token; it does not ship with us, and o200k joins three of them",
  })
  test.each(same)('$text', async ({ text, count }) => {
    expect(await tokens.count(text)).toBeGreaterThanOrEqual(count)
  })
  test.each(different)('but: %s', async (_, { text, count }) => {
    expect(await tokens.count(text)).toBeLessThan(count)
  })
})

/** What we make of a query; the peer's terms are in it, or else every term that we make of them is. */
describe('keywords: what the peer looks for is looked for', () => {
  const analyzer = new Analyzer()
  const ours = (query: string) => analyzer.listQueryTerms(extractSearchWords(query))
  const { same, different } = listed(golden.parse_keyword, one => one.query, {
    'What is the BM25 score of U.S.A. e-mail john@x.com at 3.14% in 2024?':
      'identifiers are terms whole and in parts (u.s.a, john@x.com), words with a hyphen are their parts, % is no term',
    東京は日本の首都です:
      'scripts without blanks are characters and pairs, Traditional folded to Simplified',
    'café naïve résumé': 'accents go: cafe finds café',
    '한국어 문서':
      'scripts without blanks between all words are characters and pairs: 한국 finds 한국어',
    這是繁體中文檢索: 'Traditional is folded to Simplified: 检索 finds 檢索',
    'error E11000 duplicate key index: foo.bar_1':
      'a dotted name is a term whole, and its parts are',
    "don't can't John's": 'apostrophes go: dont finds don’t, which the peer drops',
    总结一下这篇文章: 'pairs of characters need no dictionary; 总结 and 文章 are words like others',
    'summarize the article':
      'summary and article may be what is looked for: the peer drops both and finds nothing',
    '北京大学成立于哪一年？':
      'pairs of characters need no dictionary: 北大 is not lost in 北京大学; 于 and 哪 are grammar',
    机器学习与深度学习的区别: '与 is grammar, and only counts where a query has nothing else',
    'state-of-the-art well-known':
      'words with a hyphen are their parts: state of the art finds state-of-the-art',
    '50% of 1,000.50 users': 'a number is a term whole, 1000.50, and % is none',
    '{"keywords_zh":["检索","参数配置"],"keywords_en":["retrieval settings","Running"],"text":"怎么配置"}':
      'keywords of several words are words: as one term, as in the peer, they never match',
    '{"keywords_en":["x"]}':
      'keywords without a text are keywords; the peer reads the JSON itself as text',
  })
  test.each(same)('$query', ({ query, terms }) =>
    expect(ours(query)).toEqual(expect.arrayContaining([...terms])),
  )
  /** Grammar, and pieces that the peer breaks off. */
  const NOT_OURS = new Set(['keywords_en', '于', '与', 'bar_1', '000.50'])
  test.each(different)('but: %s', (_, { query, terms }) => {
    expect([
      terms.length > 0 && terms.every(term => ours(query).includes(term)),
      ours(query).length > 0,
    ]).toEqual([false, true])
    const kept = terms
      .filter(term => !NOT_OURS.has(term))
      .flatMap(term => analyzer.listQueryTerms(term))
    expect(ours(query)).toEqual(expect.arrayContaining(kept.filter(term => !'哪'.includes(term))))
  })
})

describe('over a store', () => {
  let sandbox: Sandbox
  let passim: Passim
  beforeAll(async () => {
    sandbox = await Sandbox.make()
    passim = await sandbox.open()
    await sandbox.write(RANKING_DOCUMENTS)
    await passim.index(Object.keys(RANKING_DOCUMENTS).map(name => sandbox.path(name)))
  })
  afterAll(() => sandbox.remove())

  const call = async (spec: ToolSpec, args: object) => {
    const tools = passim.tools({ tools: [spec] })
    const told = await callTool(tools, toolCall(tools[0]!.name, JSON.stringify(args)))
    return told.startsWith('{') ? JSON.parse(told) : told
  }
  const squeezed = (text: string) => text.replace(/\s+/g, '')
  const indexed = async (
    collection: string,
    tokens: number,
    files: Readonly<Record<string, string>>,
  ) => {
    await passim.collections.create({ name: collection, chunking: { tokens, overlap: 0.15 } })
    await sandbox.write(files)
    return await passim.index(
      Object.keys(files).map(name => sandbox.path(name)),
      { collection },
    )
  }

  describe('clean_paragraph: text is read as it stands', () => {
    const { same, different } = listed(golden.clean_paragraph, ([text]) => text, {
      [golden.clean_paragraph[0]![0]]:
        'long runs of hexadecimal digits are hashes and ids that people look for, and nothing is cut out of a text',
    })
    const read = async (name: string, text: string) => {
      await indexed(name, 400, { [`${name}.txt`]: text })
      return await call({ name: 'simple_doc_parser', collections: [name] }, { url: `${name}.txt` })
    }
    test.each(same)('%s', async (text, clean) =>
      expect(await read(`clean-${squeezed(text)}`, text)).toBe(clean),
    )
    test.each(different)('but: %s', async (_, [text, clean]) => {
      const ours = await read('clean-other', text)
      expect([squeezed(ours), ours === clean]).toEqual([squeezed(text), false])
    })
  })

  const sizeKey = (one: Chunking) => `${one.case} ${one.max_ref_token}/${one.page_size}`
  const PLACED =
    'chunks are slices of the text within the limit, with their place beside them: no page marks in the text, no full stop lost, none longer than the limit'
  const EMPTY = 'a file without bytes is a failure that says so, not a document of nothing'
  const cut = golden.chunking.filter(one => !one.is_whole).map(one => [sizeKey(one), PLACED])
  const empty = golden.chunking
    .filter(one => one.case === 'empty')
    .map(one => [sizeKey(one), EMPTY])
  const { same, different } = listed(
    golden.chunking,
    sizeKey,
    Object.fromEntries([...cut, ...empty]),
  )

  describe('chunking: what fits is given whole', () => {
    test.each(same)(
      '$case $max_ref_token/$page_size',
      async ({ case: name, page_size, max_ref_token }) => {
        const collection = `whole-${name}-${max_ref_token}-${page_size}`
        await indexed(collection, page_size, { [`${collection}.txt`]: GOLDEN_TEXTS[name]! })
        const read = { name: 'simple_doc_parser', collections: [collection], max_ref_token }
        expect(squeezed(await call(read, { url: `${collection}.txt` }))).toBe(
          squeezed(GOLDEN_TEXTS[name]!),
        )
      },
    )
    test.each(different)('but: %s: $case', async (_, one) => {
      const collection = `cut-${one.case}-${one.max_ref_token}-${one.page_size}`
      const file = `${collection}.txt`
      const { documents } = await indexed(collection, one.page_size, {
        [file]: GOLDEN_TEXTS[one.case]!,
      })
      if (one.case === 'empty')
        return expect(documents).toMatchObject([{ status: 'failed', error: { code: 'empty' } }])
      const spec = { collections: [collection], maxTokens: 100_000 }
      const whole = await call({ name: 'simple_doc_parser', ...spec }, { url: file })
      const { raw } = await call({ name: 'doc_parser', ...spec }, { url: file })
      expect(squeezed(whole)).toBe(squeezed(GOLDEN_TEXTS[one.case]!))
      expect(raw.length).toBeGreaterThan(1)
      for (const { content, token } of raw) {
        expect(whole).toContain(content)
        expect(token).toBeLessThanOrEqual(one.page_size)
      }
    })
  })

  describe('ranking: the document that the words name is the first, and a single one begins with its beginning', () => {
    const searchers = ['keyword_search', 'front_page_search'] // the peer's own
    const find = async (query: string, docs: number, spec: ToolSpec) => {
      const files = Object.keys(RANKING_DOCUMENTS).slice(0, docs)
      return (await call(spec, { query, files })).results as readonly {
        source: string
        text: string
      }[]
    }
    test.each(golden.ranking)('$query in $docs', async ({ query, docs, bm25, hybrid }) => {
      const [best, , score] = bm25[0]!
      const [first] = await find(query, docs, 'keyword_search')
      expect(first?.source).toBe(Number(score) > 0 ? best : undefined)
      const [front] = await find(query, docs, { name: 'retrieval', searchers })
      const isFront = hybrid[0]![2] === 'inf'
      expect(front?.text.startsWith('doc0 line0 ') ?? false).toBe(isFront)
      expect(isFront).toBe(docs === 1)
    })
    test.each(golden.ranking)(
      'but: what matches no word of the query is not found to fill the room: $query in $docs',
      async ({ query, docs, hybrid }) => {
        const wanted = new Analyzer().listQueryTerms(query)
        for (const { text } of await find(query, docs, 'keyword_search'))
          expect(new Analyzer().listTerms(text).some(term => wanted.includes(term))).toBe(true)
        expect(hybrid).toHaveLength(12)
      },
    )
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type LoadOptions, loadSettings, settingsSchema } from '../src/config.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'passim-config-'))
})
afterAll(() => rm(home, { recursive: true }))

async function load(yaml: string, options: LoadOptions = {}) {
  await writeFile(path.join(home, 'config.yaml'), yaml)
  return loadSettings({ home, environment: {}, ...options })
}

describe('layers', () => {
  const file = 'model: { url: http://file/v1, name: file }\nserver: { port: 1 }'
  test('the environment counts above the file, arguments above both', async () => {
    const environment = { PASSIM_MODEL: 'environment' }
    const settings = { server: { port: 2 } }
    const { model, server } = await load(file, { environment, settings })
    expect([model?.url, model?.name, server.port, server.host]).toEqual([
      'http://file/v1',
      'environment',
      2,
      '127.0.0.1',
    ])
  })
  test('a wrong setting is refused by its name and layer', async () => {
    await expect(load('chunking: { tokens: much }')).rejects.toThrow(
      /^Setting chunking\.tokens in .*config\.yaml has to be a number\.$/,
    )
    await expect(load('chunking: { size: 4 }')).rejects.toThrow(
      /^Unknown setting chunking\.size in .*config\.yaml\. Check its spelling\.$/,
    )
    await expect(load(file, { settings: { server: { port: -1 } } })).rejects.toThrow(
      /^Setting server\.port in the arguments has to be at least 0\.$/,
    )
    await expect(
      load('', { environment: { PASSIM_MODEL_URL: 'x', PASSIM_MODEL: 'm' } }),
    ).rejects.toThrow(/^Setting model\.url in the environment \(PASSIM_MODEL_URL\) is not a URL\.$/)
  })
  test('an empty variable says nothing', async () => {
    const environment = {
      PASSIM_MODEL_URL: '',
      PASSIM_MODEL: '',
      PASSIM_RERANKER: '',
      PASSIM_HOME: '',
    }
    const { model, reranker } = await load(file, { environment })
    expect([model?.name, reranker]).toEqual(['file', undefined])
  })
  test('no variable of others turns a model on', async () => {
    expect(
      (await load('', { environment: { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'http://x' } })).model,
    ).toBeUndefined()
  })
})

describe('rag_cfg', () => {
  const rag_cfg =
    '{ max_ref_token: 4000, parser_page_size: 500, rag_keygen_strategy: None, rag_searchers: [keyword_search] }'
  test("says Qwen-Agent's settings by its names", async () => {
    const { agent, answering, chunking } = await load(`rag_cfg: ${rag_cfg}`)
    expect([answering.contextTokens, agent.maxToolTokens]).toEqual([4000, 4000])
    expect(agent).toMatchObject({
      contextTokens: 4000,
      keywords: 'None',
      searchers: ['keyword_search'],
      topK: 20,
    })
    expect(chunking).toEqual({ tokens: 500, overlap: 0.15 })
  })
  test('counts below our own names in its layer, and above the layers below', async () => {
    const { chunking } = await load(`rag_cfg: ${rag_cfg}\nchunking: { tokens: 200 }`)
    expect(chunking.tokens).toBe(200)
    const settings = { rag_cfg: { parser_page_size: 300 } }
    expect((await load('chunking: { tokens: 200 }', { settings })).chunking.tokens).toBe(300)
  })
  test('is refused by name where it is wrong', async () => {
    await expect(load('rag_cfg: { max_ref: 1 }')).rejects.toThrow(
      /^Unknown setting rag_cfg\.max_ref in .*config\.yaml\. Check its spelling\.$/,
    )
    await expect(load('rag_cfg: { max_ref_token: 1 }')).rejects.toThrow(
      /^Setting rag_cfg\.max_ref_token in /,
    )
  })
})

describe('llm', () => {
  test('sets the chat model by the names of Qwen-Agent', async () => {
    const llm =
      '{ model: qwen-max, model_server: dashscope, api_key: k, generate_cfg: { top_p: 0.8, max_input_tokens: 30000, fncall_prompt_type: nous, stop: END } }'
    expect((await load(`llm: ${llm}`)).model).toMatchObject({
      name: 'qwen-max',
      url: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
      key: 'k',
      topP: 0.8,
      maxInputTokens: 30_000,
      functionCalling: 'nous',
      stop: ['END'],
    })
  })
  test('counts below our own names in its layer', async () => {
    const llm = { model: 'a', model_server: 'http://127.0.0.1:1234/v1' }
    const { model } = await load('', { settings: { llm, model: { name: 'b' } } })
    expect(model).toMatchObject({ name: 'b', url: llm.model_server })
  })
  test('names its server, so that nothing is sent anywhere unasked', async () => {
    await expect(load('llm: { model: qwen-max }')).rejects.toThrow(/^Setting llm\.model_server in /)
    await expect(load('llm: { model: a, model_type: oai }')).rejects.toThrow(
      /^Setting llm\.model_server in .* is missing: it has to be dashscope or a URL\./,
    )
    const { model } = await load('llm: { model: qwen-max, model_type: qwen_dashscope }')
    expect(model?.url).toBe('https://dashscope.aliyuncs.com/compatible-mode/v1')
    const own = 'llm: { model: a, model_type: oai, model_server: "http://127.0.0.1:8000/v1" }'
    expect((await load(own)).model?.url).toBe('http://127.0.0.1:8000/v1')
  })
})

test('weights of hybrid search are not both nothing', async () => {
  expect((await load('searching: { weights: { vector: 3 } }')).searching.weights).toEqual({
    keyword: 1,
    vector: 3,
  })
  await expect(load('searching: { weights: { vector: 0, keyword: 0 } }')).rejects.toThrow(
    /searching\.weights/,
  )
})

type JsonSchema = { readonly properties?: Readonly<Record<string, JsonSchema>> }

/** Every setting that has no settings in it, by its full name. */
function leaves({ properties }: JsonSchema, prefix = ''): readonly string[] {
  return Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    schema.properties ? leaves(schema, `${prefix}${name}.`) : [`${prefix}${name}`],
  )
}

test('settings that the documentation shows are accepted', async () => {
  const docs = new URL('../docs/', import.meta.url)
  const texts = readdirSync(docs)
    .filter(name => name.endsWith('.md'))
    .map(name => readFileSync(new URL(name, docs), 'utf8'))
  const blocks = texts.flatMap(text => [...text.matchAll(/^```yaml\n(.*?)^```$/gms)])
  expect(blocks.length).toBeGreaterThan(10)
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const credentials = {
    PASSIM_SOURCE_REPORTS_SECRET_ACCESS_KEY: 'x',
    PASSIM_SOURCE_MAIL_PASSWORD: 'x',
  }
  for (const [, block = ''] of blocks) {
    const environment = block.startsWith('sources:') ? credentials : {}
    const settings = block.replaceAll('whsec_…', secret)
    await expect(load(settings, { environment }), block).resolves.toBeDefined()
  }
})

test('docs/settings.md names every setting, and no other', () => {
  const text = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) =>
    cell.replace(/\(.*\)/, ''),
  )
  const named = rows.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  const schema = z.toJSONSchema(settingsSchema, { io: 'input' }) as JsonSchema // as far as it is read
  expect(named.toSorted()).toEqual(leaves(schema).toSorted())
})

test('the settings that deploy/cluster shows can be loaded', async () => {
  const configFile = fileURLToPath(new URL('../deploy/cluster/passim.yaml', import.meta.url))
  const settings = await loadSettings({ home: '/var/lib/passim', environment: {}, configFile })
  expect(settings).toMatchObject({
    content: { place: 's3' },
    index: { place: 's3' },
    server: { ingest: false },
  })
})

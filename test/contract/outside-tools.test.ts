import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callTool, isToolContent } from '../../src/agent/tool.ts'
import type { Passim } from '../../src/app/passim.ts'
import { loadSettings } from '../../src/config.ts'
import { toolCall } from '../fakes/scripted-chat-model.ts'
import { Sandbox } from '../fakes/store.ts'
import { type WebAnswer, WebServer } from '../fakes/web-server.ts'

const KEY = 'a-key-that-nobody-may-see'
const PNG = Buffer.from('iVBORw0KGgo=', 'base64')

/** What a tool is given, what its service answers by path, and what comes of it. */
type Contract = {
  readonly spec: Readonly<Record<string, unknown>>
  readonly args: object
  /** By path; the last one asked is that of the contract. */
  readonly service: Readonly<Record<string, object>>
  readonly sent: object
  readonly answer: unknown
  /** The setting that a key is asked for by. */
  readonly needs: RegExp
}

const search = (provider: string) => ({ name: 'web_search', provider, key: KEY, maxResults: 2 })
const found = {
  results: [
    {
      title: 'Pumps',
      url: 'https://a.example/pumps',
      date: '2024-03-05',
      text: 'All about pumps.',
    },
  ],
}

const CONTRACTS: Readonly<Record<string, Contract>> = {
  'web_search by SearXNG': {
    spec: { name: 'web_search', provider: 'searxng', maxResults: 2 },
    args: { query: 'pump & valve' },
    service: {
      '/search?q=pump+%26+valve&format=json': {
        results: [
          {
            title: 'Pumps',
            url: 'https://a.example/pumps',
            content: 'All about pumps.',
            publishedDate: '2024-03-05',
          },
          { title: 'Bad', url: 'javascript:alert(1)', content: 'x' },
          'nonsense',
        ],
      },
    },
    sent: { method: 'GET' },
    answer: found,
    needs: /tools\.webSearch\.url/,
  },
  'web_search by Brave': {
    spec: search('brave'),
    args: { query: 'pump' },
    service: {
      '/res/v1/web/search?q=pump&count=2': {
        web: {
          results: [
            {
              title: 'Pumps',
              url: 'https://a.example/pumps',
              description: 'All about <strong>pumps</strong>.',
              page_age: '2024-03-05',
            },
          ],
        },
      },
    },
    sent: { method: 'GET', headers: { 'x-subscription-token': KEY } },
    answer: found,
    needs: /tools\.webSearch\.key/,
  },
  'web_search by Tavily': {
    spec: search('tavily'),
    args: { query: 'pump' },
    service: {
      '/search': {
        results: [
          {
            title: 'Pumps',
            url: 'https://a.example/pumps',
            content: 'All about pumps.',
            published_date: '2024-03-05',
          },
        ],
      },
    },
    sent: {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: { query: 'pump', max_results: 2 },
    },
    answer: found,
    needs: /tools\.webSearch\.key/,
  },
  'web_search by Serper': {
    spec: search('serper'),
    args: { query: 'pump' },
    service: {
      '/search': {
        organic: [
          {
            title: 'Pumps',
            link: 'https://a.example/pumps',
            snippet: 'All about pumps.',
            date: '2024-03-05',
          },
        ],
      },
    },
    sent: { method: 'POST', headers: { 'x-api-key': KEY }, body: { q: 'pump', num: 2 } },
    answer: found,
    needs: /tools\.webSearch\.key/,
  },
  image_search: {
    spec: { name: 'image_search', key: KEY, maxResults: 1 },
    args: { query: 'pump' },
    service: {
      '/images': {
        images: [
          {
            title: 'A pump',
            imageUrl: 'https://a.example/p.png',
            link: 'https://a.example',
            imageWidth: 9,
            imageHeight: 8,
          },
        ],
      },
    },
    sent: { method: 'POST', headers: { 'x-api-key': KEY }, body: { q: 'pump', num: 1 } },
    answer: {
      results: [
        {
          title: 'A pump',
          url: 'https://a.example/p.png',
          page: 'https://a.example',
          width: 9,
          height: 8,
        },
      ],
    },
    needs: /Serper key: set tools\.imageSearch\.key/,
  },
  image_gen: {
    spec: { name: 'image_gen', key: KEY, model: 'painter' },
    args: { prompt: 'A blue pump' },
    service: { '/images/generations': { data: [{ b64_json: PNG.toString('base64') }] } },
    sent: {
      ...{ method: 'POST', headers: { authorization: `Bearer ${KEY}` } },
      body: { model: 'painter', prompt: 'A blue pump', n: 1 },
    },
    answer: {
      content: [
        { text: 'The picture was made: A blue pump' },
        { image: 'data:image/png;base64,iVBORw0KGgo=' },
      ],
    },
    needs: /tools\.imageGen\.key/,
  },
  amap_weather: {
    spec: { name: 'amap_weather', key: KEY },
    args: { location: '海淀区' },
    service: {
      [`/v3/geocode/geo?address=${encodeURIComponent('海淀区')}&key=${KEY}`]: {
        ...{ status: '1', info: 'OK', geocodes: [{ adcode: '110108' }] },
      },
      [`/v3/weather/weatherInfo?city=110108&extensions=base&key=${KEY}`]: {
        status: '1',
        lives: [
          {
            ...{
              province: '北京',
              city: '海淀区',
              weather: '晴',
              temperature: '21',
              winddirection: '北',
            },
            ...{ windpower: '≤3', humidity: '40', reporttime: '2024-03-05 10:00:00' },
          },
        ],
      },
    },
    sent: { method: 'GET' },
    answer: expect.objectContaining({ city: '海淀区', weather: '晴', temperature: '21' }),
    needs: /Amap key: set tools\.amapWeather\.key/,
  },
}

type Recorded = {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body?: unknown
}

let sandbox: Sandbox
let passim: Passim
let site: WebServer
const recorded: Recorded[] = []
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  site = await WebServer.start({})
})
beforeEach(() => {
  recorded.length = 0
  for (const path of Object.keys(site.pages)) delete site.pages[path]
})
afterAll(async () => {
  await site.close()
  await sandbox.remove()
})

const toolOf = (spec: Readonly<Record<string, unknown>>) =>
  passim.tools({ tools: [spec as { name: string }] })[0]!
const ask = ({ spec, args }: Contract, url = site.url('')) =>
  callTool([toolOf({ ...spec, url })], toolCall(String(spec.name), JSON.stringify(args)))

/** Every path of the service answers so. */
function serve({ service }: Contract, answer: (body: object) => WebAnswer): void {
  for (const [path, body] of Object.entries(service)) site.pages[path] = answer(body)
}

const json =
  (body: object): WebAnswer =>
  (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      recorded.push({
        method: request.method ?? '',
        headers: request.headers,
        ...(text && { body: JSON.parse(text) }),
      })
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    })
  }

describe.each(Object.entries(CONTRACTS))('%s', (_, contract) => {
  test('sends what is stated and no more, and answers in our form', async () => {
    serve(contract, json)
    const answer = await toolOf({ ...contract.spec, url: site.url('') }).call(contract.args)
    expect(answer).toEqual(contract.answer)
    expect(isToolContent(answer) || !JSON.stringify(answer).includes(KEY)).toBe(true)
    expect(recorded.at(-1)).toMatchObject(contract.sent)
    expect(
      recorded.every(
        ({ headers }) =>
          headers.cookie === undefined && headers['user-agent']?.startsWith('Passim/'),
      ),
    ).toBe(true)
  })

  test('without its key, or address, it says which setting it needs', () => {
    const { key: _, ...bare } = contract.spec
    expect(() => toolOf(bare)).toThrow(contract.needs)
  })

  test('what goes wrong is a sentence, without the key', async () => {
    const failures: readonly (readonly [WebAnswer, RegExp])[] = [
      [{ status: 401, body: KEY }, /check the key|search\.formats/],
      [{ status: 429 }, /fewer requests/],
      [{ status: 500 }, /status 500/],
      [{ body: '<html>' }, /not JSON/],
      [{ status: 302, headers: { location: site.url('/elsewhere') } }, /status 302/],
      [json({ nothing: true }), /answered without|lacks the requested|Nothing was found/],
    ]
    for (const [answer, said] of failures) {
      serve(contract, () => answer)
      const text = await ask(contract)
      expect(text).toMatch(said)
      expect(text).not.toContain(KEY)
    }
    expect(site.requests.some(request => request.includes('/elsewhere'))).toBe(false)
    expect(await ask(contract, 'http://127.0.0.1:1')).toMatch(/127\.0\.0\.1:1 cannot be reached/)
  })

  test('an abort ends it', async () => {
    const controller = new AbortController()
    serve(contract, () => () => controller.abort()) // it never answers
    await expect(
      toolOf({ ...contract.spec, url: site.url('') }).call(contract.args, controller.signal),
    ).rejects.toThrow(/abort/i)
  })
})

test('services that ended are refused by name, with what to use', async () => {
  const open = (provider: string) =>
    loadSettings({
      home: sandbox.home,
      environment: {},
      settings: { tools: { webSearch: { provider } } },
    })
  await expect(open('bing')).rejects.toThrow(
    /tools\.webSearch\.provider .*ended in August 2025; use searxng/,
  )
  await expect(open('google')).rejects.toThrow(/use searxng .*, brave, tavily or serper/)
  await expect(open('altavista')).rejects.toThrow(/searxng, brave, tavily, serper/)
  expect(() => toolOf({ name: 'web_search', provider: 'bing' })).toThrow(/ended in August 2025/)
})

test('image_gen fetches a picture by its address only from public ones', async () => {
  site.pages['/images/generations'] = json({ data: [{ url: site.url('/made.png') }] })
  site.pages['/made.png'] = { type: 'image/png', body: PNG }
  const contract = CONTRACTS.image_gen!
  expect(await ask(contract)).toMatch(
    /127\.0\.0\.1 is refused: it is a private or reserved address/,
  )
  const { agent, fetching, tools } = passim.settings
  const other = await sandbox.open({
    settings: { agent, tools, fetching: { ...fetching, allowPrivate: true } },
  })
  const [tool] = other.tools({
    tools: [{ ...contract.spec, url: site.url('') } as unknown as { name: string }],
  })
  expect(await tool!.call(contract.args)).toEqual(contract.answer)
})

describe('web_extractor', () => {
  const paragraph =
    'The pump of the northern works was built in 1911, and it has moved water ever since, day and night. '
  const page = `<html><head><title>The pump</title><meta property="article:published_time" content="2024-03-05"></head><body>
    <nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/login">Log in</a></nav>
    <article><h1>The pump</h1><p>${paragraph.repeat(4)}</p><p>${paragraph.repeat(4)}</p></article>
    <footer>Cookies, imprint, follow us</footer></body></html>`

  test('reads the article of a page, without what stands around it', async () => {
    const { agent, fetching, tools } = passim.settings
    const other = await sandbox.open({
      settings: { agent, tools, fetching: { ...fetching, allowPrivate: true } },
    })
    const [tool] = other.tools({ tools: ['web_extractor'] })
    site.pages['/pump'] = { body: page }
    const article = (await tool!.call({ url: site.url('/pump') })) as { readonly text: string } // as the next line checks
    expect(article).toMatchObject({
      url: site.url('/pump'),
      title: 'The pump',
      text: expect.stringContaining('built in 1911'),
    })
    expect(article.text).not.toMatch(/Cookies|Log in/)
    site.pages['/notes.txt'] = { type: 'text/plain', body: 'Only notes.' }
    expect(await tool!.call({ url: site.url('/notes.txt') })).toMatchObject({ text: 'Only notes.' })
    site.pages['/empty'] = { body: '<p>Short.</p>' }
    expect(await tool!.call({ url: site.url('/empty') })).toMatchObject({ text: 'Short.' })
    const call = (url: string) =>
      callTool([tool!], toolCall('web_extractor', JSON.stringify({ url })))
    expect(await call(site.url('/gone'))).toMatch(/is not there: status 404/)
    expect(await call('file:///etc/passwd')).toMatch(/only http and https/)
  })

  test('goes to public addresses alone, whatever a model asks for', async () => {
    const call = (url: string) =>
      callTool(
        [toolOf({ name: 'web_extractor' })],
        toolCall('web_extractor', JSON.stringify({ url })),
      )
    const places = [
      site.url('/pump'),
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]/',
      'http://10.0.0.1/',
      'http://localhost/',
    ]
    for (const url of places) expect(await call(url)).toMatch(/private or reserved address/)
  })

  test('where the setting agent.urls allows no URL, it says so', async () => {
    const { agent, tools } = passim.settings
    const other = await sandbox.open({ settings: { tools, agent: { ...agent, urls: 'none' } } })
    expect(() => other.tools({ tools: ['web_extractor'] })).toThrow(/agent\.urls/)
  })
})

test('the settings of the store hold where a tool has none of its own', async () => {
  const own = { url: site.url(''), key: KEY }
  const results = Array.from({ length: 9 }, (_, at) => ({
    title: `Page ${at}`,
    url: `https://a.example/${at}`,
    content: 'x',
  }))
  site.pages['/search?q=pump&format=json'] = json({ results })
  const settings = {
    tools: {
      webSearch: { url: own.url, provider: 'searxng', maxResults: 3 },
      imageGen: { ...own, model: 'dall-e-3' },
    },
    fetching: { allowPrivate: true },
  } as const
  const store = await sandbox.open({ settings })
  const [search, image] = store.tools({ tools: ['web_search', 'image_gen'] })
  const found = await search?.call({ query: 'pump' })
  expect(found).toMatchObject({ results: { length: 3 } })
  expect(image?.parameters.properties.size?.enum).toContain('1792x1024')
})

test('a picture has a size that its model can draw, or that the settings list', async () => {
  serve(CONTRACTS.image_gen!, json)
  const draw = async (spec: object, size?: string) => {
    const image = toolOf({ name: 'image_gen', key: KEY, url: site.url(''), ...spec })
    const answer = await callTool(
      [image],
      toolCall('image_gen', JSON.stringify({ prompt: 'x', size })),
    )
    return recorded.length > 0 ? recorded.pop()?.body : answer
  }
  expect(await draw({ model: 'dall-e-3' }, '1792x1024')).toMatchObject({ size: '1792x1024' })
  expect(await draw({ model: 'dall-e-3' }, '1536x1024')).toMatch(/size.*1792x1024/)
  expect(await draw({ model: 'gpt-image-1' }, '1536x1024')).toMatchObject({ size: '1536x1024' })
  expect(await draw({ model: 'flux-pro' })).not.toHaveProperty('size')
  const own = { model: 'qwen-image', sizes: ['1328*1328', '928*1664'] }
  expect(await draw(own)).toMatchObject({ model: 'qwen-image', size: '1328*1328' })
  expect(() => toolOf({ name: 'image_gen', key: KEY, sizes: ['big'] })).toThrow(/sizes\.0/)
})

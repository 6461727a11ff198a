import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findProblems, findUntidiness, type SourceText } from './architecture.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('this repository', () => {
  test('src has sources to check', () => expect(sourcesUnder('src').length).toBeGreaterThan(0))
  test('src keeps to the architecture', () => expect(findProblems(sourcesUnder('src'))).toEqual([]))
  test('tests and benchmarks keep to names and lengths', () =>
    expect(findUntidiness([...sourcesUnder('test'), ...sourcesUnder('bench')])).toEqual([]))
})

describe('arrows', () => {
  test('wire may not import app', () => forbidden('src/wire/a.ts', 'src/app.ts', 'wire', 'app'))
  test('agent may not import conversations', () =>
    forbidden('src/agent/a.ts', 'src/conversations/b.ts', 'agent', 'conversations'))
  test('each layer may import those below it', () =>
    check(
      {
        'src/cli/ask.ts': `import '../app.ts'; import '../config.ts'`,
        'src/app.ts': `import './agent/agents.ts'; import './search/searcher.ts'; import './config.ts'`,
        'src/agent/agents.ts': `import '../answer/question.ts'; import '../search/searcher.ts'; import '../ingest/block.ts'`,
        'src/answer/question.ts': `import '../search/searcher.ts'; import '../text/sentences.ts'`,
        'src/search/searcher.ts': `import '../ingest/block.ts'; import '../text/sentences.ts'`,
        'src/ingest/block.ts': `import '../text/sentences.ts'; import '../errors.ts'`,
        'src/text/sentences.ts': `import '../errors.ts'`,
        'src/config.ts': `import './errors.ts'`,
        'src/errors.ts': '',
      },
      [],
    ))
  test('ingest may not import search', () =>
    forbidden('src/ingest/a.ts', 'src/search/b.ts', 'ingest', 'search'))
  test('search may not import agent', () =>
    forbidden('src/search/a.ts', 'src/agent/b.ts', 'search', 'agent'))
  test('answer may not import agent', () =>
    forbidden('src/answer/a.ts', 'src/agent/b.ts', 'answer', 'agent'))
  test('text may not import ingest', () =>
    forbidden('src/text/a.ts', 'src/ingest/b.ts', 'text', 'ingest'))
  test('agent may not import app', () => forbidden('src/agent/a.ts', 'src/app.ts', 'agent', 'app'))
  test('a use case of app is app', () =>
    forbidden('src/agent/a.ts', 'src/app/ask.ts', 'agent', 'app'))
  test('app may not import a face', () => forbidden('src/app.ts', 'src/server.ts', 'app', 'server'))
  test('nothing imports the library entry', () =>
    forbidden('src/cli.ts', 'src/index.ts', 'cli', 'index'))
  test('errors imports nothing', () =>
    forbidden('src/errors.ts', 'src/ingest/a.ts', 'errors', 'ingest'))
  test('config imports errors only', () =>
    forbidden('src/config.ts', 'src/ingest/a.ts', 'config', 'ingest'))
  test('agent is given its settings', () =>
    forbidden('src/agent/a.ts', 'src/config.ts', 'agent', 'config'))
  test('ingest is given its settings', () =>
    forbidden('src/ingest/a.ts', 'src/config.ts', 'ingest', 'config'))
  test('server may not import cli', () =>
    forbidden('src/server/a.ts', 'src/cli/b.ts', 'server', 'cli'))
  test('mcp may not import server', () => forbidden('src/mcp.ts', 'src/server.ts', 'mcp', 'server'))
  test('cli may start server and mcp', () =>
    check(
      {
        'src/cli/serve.ts': `import '../server.ts'; import '../mcp.ts'`,
        'src/server.ts': '',
        'src/mcp.ts': '',
      },
      [],
    ))
  test('web may import types only', () =>
    check(
      {
        'src/web/a.tsx': `import type { B } from '../wire/b.ts'; import { c } from '../wire/c.ts'`,
        'src/wire/b.ts': '',
      },
      ['src/web/a.tsx imports ../wire/c.ts: web may import types only'],
    ))
  test('nothing imports web', () => forbidden('src/server/a.ts', 'src/web/b.ts', 'server', 'web'))
  test('a file outside the layers is refused', () =>
    check({ 'src/misc/a.ts': '' }, ['src/misc/a.ts belongs to no layer']))
})

describe('folders side by side', () => {
  test('one may import the other', () =>
    check(
      {
        'src/search/a/x.ts': `import '../b/y.ts'`,
        'src/search/b/y.ts': '',
        'src/search/b/z.ts': '',
      },
      [],
    ))
  test('they may not import each other, by whichever files', () =>
    check(
      {
        'src/search/a/x.ts': `import '../b/y.ts'`,
        'src/search/b/y.ts': '',
        'src/search/b/z.ts': `import type { W } from '../a/deep/w.ts'`,
        'src/search/a/deep/w.ts': '',
      },
      ['src/search/a and src/search/b import each other'],
    ))
  test('a folder and a file beside it may: the file is the port, the folder its adapters', () =>
    check(
      {
        'src/search/a/x.ts': `import '../b.ts'`,
        'src/search/b.ts': `import './a/y.ts'`,
        'src/search/a/y.ts': '',
      },
      [],
    ))
  test('those of ingest keep to their order', () =>
    check({ 'src/ingest/store/a.ts': `import '../work/b.ts'`, 'src/ingest/work/b.ts': '' }, [
      'src/ingest/store/a.ts imports src/ingest/work/b.ts: in src/ingest work stands above store',
    ]))
  test('parse knows the types of blocks, and nothing else of ingest', () => {
    check({ 'src/ingest/parse/a.ts': `import '../block.ts'`, 'src/ingest/block.ts': '' }, [])
    check({ 'src/ingest/parse/a.ts': `import '../c.ts'`, 'src/ingest/c.ts': '' }, [
      'src/ingest/parse/a.ts imports src/ingest/c.ts: parse may not',
    ])
  })
  test('every folder of ingest has a place in the order', () =>
    check({ 'src/ingest/misc/a.ts': `import '../work/b.ts'`, 'src/ingest/work/b.ts': '' }, [
      'src/ingest/misc/a.ts imports src/ingest/work/b.ts: in src/ingest work stands above misc',
    ]))
})

describe('every form of import is read', () => {
  const forms = [
    `import type { B } from '../search/b.ts'`,
    `import { type B } from '../search/b.ts'`,
    `import '../search/b.ts'`,
    `import '../search/b.js'`,
    `import '../search/b'`,
    `export { b } from '../search/b.ts'`,
    `export * from '../search/b.ts'`,
    `export type { B } from '../search/b.ts'`,
    `type B = import('../search/b.ts').B`,
    `type B = typeof import('../search/b.ts')`,
    `const load = () => import('../search/b.ts')`,
    `const b = require('../search/b.ts')`,
    `import b = require('../search/b.ts')`,
    `const url = new URL('../search/b.js', import.meta.url)`,
    `const entry = childEntry('../search/b', import.meta.url)`,
  ]
  test.each(forms)('%s', text =>
    check({ 'src/ingest/a.ts': text, 'src/search/b.ts': '' }, [
      'src/ingest/a.ts imports src/search/b.ts: ingest may not import search',
    ]),
  )
  test('words in a comment or a string are no import', () =>
    check(
      {
        'src/ingest/a.ts': `// import '../app.ts'\nconst a = "import '../app.ts'"`,
        'src/app.ts': '',
      },
      [],
    ))
})

describe('cycles', () => {
  test('two files that import each other are a cycle', () =>
    check({ 'src/ingest/a.ts': `import './b.ts'`, 'src/ingest/b.ts': `import './a.ts'` }, [
      'cycle: src/ingest/a.ts -> src/ingest/b.ts -> src/ingest/a.ts',
    ]))
  test('types make a cycle too, however long', () =>
    check(
      {
        'src/ingest/a.ts': `import type { B } from './b.ts'`,
        'src/ingest/b.ts': `import { C } from './c.ts'`,
        'src/ingest/c.ts': `type A = import('./a.ts').A`,
      },
      ['cycle: src/ingest/a.ts -> src/ingest/b.ts -> src/ingest/c.ts -> src/ingest/a.ts'],
    ))
  test('a file that imports itself is a cycle', () =>
    check({ 'src/ingest/a.ts': `import './a.ts'` }, ['cycle: src/ingest/a.ts -> src/ingest/a.ts']))
  test('two ways to one file are no cycle', () =>
    check(
      {
        'src/ingest/a.ts': `import './b.ts'; import './c.ts'`,
        'src/ingest/b.ts': `import './d.ts'`,
        'src/ingest/c.ts': `import './d.ts'`,
        'src/ingest/d.ts': '',
      },
      [],
    ))
})

describe('packages', () => {
  const facePackages = [
    'hono',
    'hono/cors',
    'hono-rate-limiter',
    '@hono/node-server',
    'commander',
    '@modelcontextprotocol/server',
  ]
  test.each(facePackages)('only faces import %s', name => {
    check({ 'src/server.ts': `import '${name}'` }, [])
    check({ 'src/app.ts': `import '${name}'` }, [`src/app.ts imports ${name}: only faces may`])
  })
  test('an agent may use the MCP client', () =>
    check({ 'src/agent/a.ts': `import '@modelcontextprotocol/client'` }, []))
})

describe('the environment and argv', () => {
  const reads = [
    'const a = process.env.HOME',
    `const a = process['env']`,
    'const a = globalThis.process.env',
    'const { env } = process',
    'const { env: settings } = process',
    `import { env } from 'node:process'`,
    `import { env as settings } from 'process'`,
  ]
  test.each(reads)('only config may say: %s', text => {
    check({ 'src/config.ts': text }, [])
    check({ 'src/cli.ts': text }, ['src/cli.ts:1 reads the environment: only src/config.ts may'])
  })
  test('only faces read argv', () => {
    check({ 'src/cli.ts': 'const a = process.argv' }, [])
    check({ 'src/app.ts': '\nconst a = process.argv' }, ['src/app.ts:2 reads argv: only faces may'])
  })
  test('a child process reads the argv that its parent gave it', () =>
    check({ 'src/ingest/a.ts': 'process.send?.(process.argv[2])' }, []))
  test('other uses of process and env are free', () =>
    check(
      { 'src/ingest/a.ts': `const a = process.pid; const b = { env: a }; const { env } = b` },
      [],
    ))
})

describe('tidiness', () => {
  test.each(['utils', 'helpers', 'common', 'types'])('no file or folder is named %s', name => {
    check({ [`src/ingest/${name}.ts`]: '' }, [
      `src/ingest/${name}.ts is named after nothing that it knows`,
    ])
    check({ [`src/ingest/${name}/a.ts`]: '' }, [
      `src/ingest/${name}/a.ts is named after nothing that it knows`,
    ])
  })
  test('a file may have 400 lines and no more', () => {
    check({ 'src/app.ts': '1\n'.repeat(400) }, [])
    check({ 'src/app.ts': '1\n'.repeat(401) }, ['src/app.ts has 401 lines, over 400'])
  })
  test('a folder may have 30 files side by side and no more', () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/app/a${at}.ts`, '']))
    check(files(30), [])
    check(files(31), ['src/app has 31 files, over 30'])
  })
  test('a function may have 60 lines and no more', () => {
    check({ 'src/app.ts': `function f() {\n${'1\n'.repeat(58)}}` }, [])
    check({ 'src/app.ts': `function f() {\n${'1\n'.repeat(59)}}` }, [
      'src/app.ts:1 is a function of 61 lines, over 60',
    ])
    check({ 'src/app.ts': `const f = () => {\n${'1\n'.repeat(59)}}` }, [
      'src/app.ts:1 is a function of 61 lines, over 60',
    ])
    check({ 'src/app.ts': `class A {\n  m() {\n${'1\n'.repeat(59)}}\n}` }, [
      'src/app.ts:2 is a function of 61 lines, over 60',
    ])
  })
  test('a long class or type is no function', () =>
    check({ 'src/app.ts': `class A {\n${'a\n'.repeat(80)}}\ntype B = {\n${'\n'.repeat(80)}}` }, []))
  test.each([
    'let a: any',
    'const a = b as any',
    'function f(a: any[]) {}',
    'type A = Map<string, any>',
  ])('no any: %s', text => check({ 'src/app.ts': text }, ['src/app.ts:1 says any']))
  test('the word any is free elsewhere', () =>
    check({ 'src/app.ts': `// any\nconst any = 'any'` }, []))
})

function check(files: Readonly<Record<string, string>>, problems: readonly string[]): void {
  expect(findProblems(Object.entries(files).map(([path, text]) => ({ path, text })))).toEqual(
    problems,
  )
}

function forbidden(importer: string, target: string, layer: string, targetLayer: string): void {
  const specifier = `${importer.split('/').length === 2 ? '.' : '..'}/${target.slice('src/'.length)}`
  check({ [importer]: `import '${specifier}'`, [target]: '' }, [
    `${importer} imports ${target}: ${layer} may not import ${targetLayer}`,
  ])
}

function sourcesUnder(folder: string): SourceText[] {
  if (!existsSync(`${ROOT}/${folder}`)) return []
  const names = readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
  const paths = names.map(name => `${folder}/${name.replaceAll('\\', '/')}`)
  return paths
    .filter(path => /\.tsx?$/.test(path) && !/^test\/fixtures\/|\/node_modules\//.test(path))
    .map(path => ({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }))
}

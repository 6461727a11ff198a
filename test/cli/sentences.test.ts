import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSentences } from '../../src/cli/sentences/sentences.ts'
import { detectLocaleLanguage, loadSettings } from '../../src/config.ts'
import { AppError, ERROR_CODES, toAppError } from '../../src/errors.ts'
import { Sandbox } from '../fakes/store.ts'

const run = promisify(execFile)
const CLI = path.resolve('dist/cli.js')

let sandbox: Sandbox
let folder: string
beforeAll(async () => {
  sandbox = await Sandbox.make()
  folder = await sandbox.write({
    'trip.md': '# Trip\n\nThe hotel limit is 140 euros.',
    '差旅.md': '# 差旅\n\n住宿标准为四百五十元。',
  })
})
afterAll(() => sandbox.remove())

async function runIn(locale: string, ...args: readonly string[]) {
  const env = { ...process.env, LC_ALL: locale, PASSIM_MODEL_URL: '' }
  const home = path.join(folder, '..', `home-${locale}`)
  const { stdout, stderr } = await run('node', [CLI, '--home', home, ...args], { env })
  return stdout + stderr
}

test('the locale is that of LC_ALL, then LC_MESSAGES, then LANG', () => {
  expect(detectLocaleLanguage({ LC_ALL: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' })).toBe('zh')
  expect(detectLocaleLanguage({ LC_ALL: '', LC_MESSAGES: 'de_DE', LANG: 'zh_CN' })).toBe('en')
  expect(detectLocaleLanguage({ LC_ALL: undefined, LC_MESSAGES: undefined, LANG: 'zh_TW' })).toBe(
    'zh',
  )
  expect(detectLocaleLanguage({ LC_ALL: 'C', LC_MESSAGES: '', LANG: '' })).toBe('en')
})

test('notes and progress are in the language of the locale', async () => {
  const indexed = await runIn('zh_CN.UTF-8', 'index', folder)
  expect(indexed).toMatch(/已在 .* 新建资料库。/)
  expect(indexed).toContain('已索引 2 份；2 个分块；')
  expect(await runIn('zh_CN.UTF-8', 'search', '住宿')).toMatch(/可信度 0\.\d\d/)
  expect(await runIn('zh_CN.UTF-8', 'search', 'qqq zzz')).toContain('弱相关')
  expect(await runIn('en_US.UTF-8', 'index', folder)).toContain('2 indexed; 2 chunks')
})

test('a new key and a backup come with what to do with them, beside the result', async () => {
  const locales = ['en_US.UTF-8', 'zh_CN.UTF-8']
  const result = { stdout: /^passim_\w{12}_[\w-]+\n$/, stderr: /Authorization: Bearer/ }
  for (const locale of locales) {
    const env = { ...process.env, LC_ALL: locale }
    const home = path.join(folder, '..', `keys-${locale}`)
    const create = [CLI, '--home', home, 'keys', 'create', 'ann', '--scope', 'read']
    const made = await run('node', create, { env })
    expect(made.stdout).toMatch(result.stdout)
    expect(made.stderr).toMatch(result.stderr)
    expect((await run('node', [...create, '--json'], { env })).stderr).not.toMatch(result.stderr)
    await runIn(locale, 'index', folder)
    const file = path.join(folder, '..', `${locale}.backup`)
    expect(await runIn(locale, 'export', file)).toMatch(/passim --home \S+ import .*verify/)
  }
})

test('problems that verify finds and repairs are in the language of the locale', async () => {
  const home = path.join(folder, '..', 'home-zh_CN.UTF-8')
  await runIn('zh_CN.UTF-8', 'index', folder)
  await rm(path.join(home, 'index'), { recursive: true })
  const found = await runIn('zh_CN.UTF-8', 'verify', '--repair')
  expect(found).toContain('已修复：trip.md 的 1 个分块中，索引只有 0 个。')
})

test('errors are in the language of the locale, and their codes stay', async () => {
  const failIn = async (locale: string, ...args: readonly string[]) =>
    await runIn(locale, ...args).catch(({ stderr }: { stderr: string }) => stderr)
  await runIn('zh_CN.UTF-8', 'index', folder)
  expect(await failIn('zh_CN.UTF-8', 'search', 'x', '-c', 'none')).toBe(
    'passim：没有文档集 none。现有：default。（not_found）\n',
  )
  expect(await failIn('zh_CN.UTF-8', 'search', 'x', '--limt', '3')).toBe(
    '用法有误：没有选项 --limt。\n（是不是想用 --limit？）\n用法见 passim search --help。\n',
  )
  expect(await failIn('zh_CN.UTF-8', 'search')).toMatch(/^用法有误：缺少参数 query。/)
  expect(await failIn('zh_CN.UTF-8', 'search', 'x', '--limit', '0')).not.toContain('error')
  expect(await failIn('zh_CN.UTF-8', 'search', '')).toMatch(/^passim：查询为空：/)
  expect(await failIn('zh_CN.UTF-8', 'conversations', 'show', 'x')).toMatch(/^passim：没有对话 x/)
  expect(await runIn('zh_CN.UTF-8', 'find', '蓝鲸在远海里唱着很长很长的歌')).toContain(
    '没有文档包含这段文字。',
  )
  expect(await failIn('C', 'search', 'x', '--limt', '3')).toMatch(/^error: unknown option/)
})

test('every error of the program has its words in Chinese, and every sentence both languages', () => {
  const failure = { message: 'It failed.', advice: 'Run it again.' }
  for (const code of ERROR_CODES)
    expect(getSentences('zh').failure({ ...failure, code })).toMatch(
      new RegExp(`^[^a-z]*\\p{Script=Han}[^a-z]*（${code}）：It failed\\. Run it again\\.$`, 'u'),
    )
  const listKeys = (value: object): readonly string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'object' ? listKeys(inner).map(below => `${key}.${below}`) : [key],
    )
  expect(listKeys(getSentences('zh'))).toEqual(
    expect.arrayContaining([...listKeys(getSentences('en'))]),
  )
})

test('a note above an answer is in the language of the question', async () => {
  await runIn('C', 'index', folder)
  expect(await runIn('C', 'ask', '住宿标准是多少？')).toContain('未配置对话模型')
  expect(await runIn('C', 'ask', 'What is the hotel limit?')).toContain('No chat model')
})

test('wrong usage is told in Chinese, with the hint that the English has', async () => {
  const failIn = async (...args: readonly string[]) =>
    await runIn('zh_CN.UTF-8', ...args).catch(({ stderr }: { stderr: string }) => stderr)
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['用法有误：没有命令 serach。\n（是不是想用 search？）\n用法见 passim --help。\n', 'serach'],
    ['用法有误：没有命令 backup。\n（是不是想用 export？）', 'backup', 'x'],
    [
      '没有可恢复的 x.backup。可用 passim restore 查看能恢复的内容；备份文件请用',
      'restore',
      'x.backup',
    ],
    ['用法有误：没有选项 -C。\n（是不是想用 -c？）', 'search', 'x', '-C', 'papers'],
    ['选项 -n, --hits <number> 的值“0”无效，须为不小于 1 的整数。', 'search', 'x', '-n', '0'],
    ['的值“all”无效，可选值为 hybrid、', 'search', 'x', '--mode', 'all'],
    ['（ask 只接受一个问题，文件请用 --file 指定。如果', 'ask', 'how', 'long'],
    ['用法有误：collections 没有命令 make，可用的命令有：create、', 'collections', 'make'],
    ['用法有误：选项 --engine <engine> 缺少值。', 'collections', 'move', 'x', '--engine'],
    ['用法有误：必须指定选项 --engine <engine>。', 'collections', 'move', 'x'],
  ]
  for (const [told, ...args] of cases) expect(await failIn(...args)).toContain(told)
})

test('failures and warnings of files are in Chinese, now and when they are read again', async () => {
  const files = await sandbox.write({
    '../bad/bad.pdf': '%PDF-1.4 cut off',
    '../bad/quotes.csv': 'a,b\n"x,2\n',
  })
  const failure = '无法读取 bad.pdf：文件已损坏或不完整，找不到任何页面。请换一份完整的文件。'
  const told = await runIn('zh_CN.UTF-8', 'index', path.join(files, '../bad'), '-c', 'bad').catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
  expect(told).toContain(`bad.pdf：${failure}（corrupt）`)
  expect(told).toMatch(/警告：.*quotes\.csv：从第 2 行开始的引号字段没有结束引号/)
  expect(await runIn('zh_CN.UTF-8', 'show', 'bad.pdf')).toContain(failure)
  const json = await runIn('zh_CN.UTF-8', 'show', 'quotes.csv', '--json')
  expect(JSON.parse(json).warnings).toEqual([
    { code: 'bad_quoting', message: expect.stringMatching(/^The quoted field that begins/) },
  ])
})

test('results are in the language of the locale, and JSON is not', async () => {
  const inChinese = (...args: readonly string[]) => runIn('zh_CN.UTF-8', ...args)
  await inChinese('index', folder, '-c', 'results')
  expect(await inChinese('list', '-c', 'results')).toMatch(
    /^已完成 {6}results {2}\S+ {2}1 个分块$/m,
  )
  const shown = await inChinese('show', 'trip.md', '-c', 'results')
  expect(shown).toMatch(/^状态 {10}已完成$/m)
  expect(shown).toMatch(/^搜索方式 {6}关键词和语义$/m)
  expect(await inChinese('show', 'trip.md', '-c', 'results', '--json')).toContain(
    '"status":"completed"',
  )
  expect(await inChinese('collections')).toMatch(/^results {2}\S+ {2}2 份文档，2 个分块，/m)
  expect(await inChinese('collections', 'create', 'empty')).toMatch(/^已创建文档集 empty（\S+），/m)
  expect(await inChinese('delete', 'trip.md', '-c', 'results')).toMatch(
    /^已从 results 删除 .*。\n(?:.*\n)?7 天内可以恢复：passim restore /m,
  )
  expect(await inChinese('restore')).toContain('之前可以恢复')
  expect(await inChinese('restore', 'trip.md', '-c', 'results')).toContain('已恢复 ')
  expect(await inChinese('keys')).toBe('没有密钥：服务只接受本机的请求。\n')
  const backup = path.join(folder, '..', 'results.backup')
  expect(await inChinese('export', backup)).toMatch(/^已将 \d+ 个存储的文件导出到 /m)
})

test('a fault of a setting or option is stated in Chinese completely', async () => {
  const describeFault = async (options: Parameters<typeof loadSettings>[0]) => {
    const error = await loadSettings({ environment: {}, home: folder, ...options }).catch(
      toAppError,
    )
    return error instanceof AppError ? getSentences('zh').describe(error) : ''
  }
  const inModel = (environment: Record<string, string>) => describeFault({ environment })
  const inFile = async (settings: object) => {
    const configFile = `${sandbox.home}-faulty.json`
    await writeFile(configFile, JSON.stringify(settings))
    return (await describeFault({ configFile })).replace(configFile, 'FILE')
  }
  expect(await inModel({ PASSIM_MODEL_URL: 'abc', PASSIM_MODEL: 'x' })).toContain(
    '设置 model.url 有误：不是网址（出处：环境变量 (PASSIM_MODEL_URL)）。',
  )
  expect(await inModel({ PASSIM_MODEL: 'x' })).toContain('与同组的其他设置必须一起填写')
  expect(await inFile({ server: { port: 70_000 } })).toContain('不能超过 65535（出处：FILE）。')
  expect(await inFile({ ocr: { mode: 'x' } })).toMatch(
    /必须是以下之一：\w+(, \w+)+（出处：FILE）。/,
  )
  expect(await inFile({ reading: 1 })).toContain('未知的设置 reading（FILE）。')
  const served = run('node', [CLI, '--home', folder, 'serve', '--port', 'abc'], {
    env: { ...process.env, LC_ALL: 'zh_CN.UTF-8' },
  })
  await expect(served).rejects.toMatchObject({
    stderr: expect.stringContaining('设置 server.port 有误：必须是数字（出处：命令行参数）。'),
  })
})

test('checks, jobs, tables and changes of collections are stated in the language of the locale', async () => {
  const inChinese = (...args: readonly string[]) => runIn('zh_CN.UTF-8', ...args)
  const files = await sandbox.write({ '../work/prices.csv': 'Name,Price EUR\na,1\nb,2\nc,3\n' })
  const table = path.join(files, '../work/prices.csv')
  const doctor = await inChinese('doctor')
  expect(doctor).toMatch(/^正常 目录库：没有发现问题$/m)
  expect(doctor).toMatch(/^正常 对话模型：未配置，回答摘自文档原文$/m)
  expect(JSON.parse(await inChinese('doctor', '--json')).checks).toContainEqual({
    name: 'catalog',
    ok: true,
    detail: 'no problems found',
  })
  expect(await inChinese('put', 'prices', table, '-c', 'work')).toContain(
    '已添加：prices，1 个分块',
  )
  expect(await inChinese('jobs', '-c', 'work')).toMatch(/^已完成 {5}job_/m)
  expect(await inChinese('tables', table)).toMatch(/：3 行\nName：文本 \| Price EUR：数字（EUR）/)
  expect(await inChinese('chunks', table)).toMatch(/^--- chunk_\w+，\d+ 个 token/)
  expect(await inChinese('synonyms', '-c', 'work')).toBe('work 没有同义词。\n')
  expect(await inChinese('collections', 're-embed', 'work', '--embedder', 'none')).toMatch(
    /^work 已从 \S+ 改用 none：1 份文档，1 个分块；[\d.]+ 秒$/m,
  )
  expect(await inChinese('collections', 'move', 'work', '--engine', 'lance')).toBe(
    'work 的索引已在 lance 中。\n',
  )
})

test('skipped text of several documents is one line, and its details are in JSON', async () => {
  const page = (menus: number) => `<p>Text</p>${'<nav>Menu</nav>'.repeat(menus)}`
  const files = await sandbox.write({
    '../pages/a.html': page(1),
    '../pages/b.html': `${page(2)}<p hidden>Hidden</p>`,
    '../page/c.html': page(1),
  })
  const index = (locale: string, name: string, ...more: readonly string[]) =>
    runIn(locale, 'index', path.join(files, '..', name), '-c', 'pages', '--force', ...more)
  expect((await index('C', 'pages')).match(/warning: .*/g)).toEqual([
    'warning: Skipped: hidden elements 1 in 1 document, menus 3 in 2 documents. Their text is not searchable. passim show NAME lists those of a document.',
  ])
  expect((await index('zh_CN.UTF-8', 'pages')).match(/警告：.*/g)).toEqual([
    '警告：未读取：隐藏元素 1（1 份文档）、菜单 3（2 份文档），其中的文字搜索不到。可用 passim show NAME 查看一份文档的明细。',
  ])
  expect((await index('C', 'page')).match(/warning: .*/g)).toEqual([
    expect.stringMatching(/c\.html: Skipped: menus 1\. Their text is not searchable\.$/),
  ])
  const { documents } = JSON.parse((await index('C', 'pages', '--json', '--quiet')).trim())
  expect(documents.map(({ warnings }: { warnings: unknown }) => warnings)).toEqual([
    [{ code: 'skipped', message: 'Skipped: menus 1. Their text is not searchable.' }],
    [
      {
        code: 'skipped',
        message: 'Skipped: hidden elements 1, menus 2. Their text is not searchable.',
      },
    ],
  ])
})

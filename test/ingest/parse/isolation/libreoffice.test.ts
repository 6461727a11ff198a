import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addLibreOffice } from '../../../../src/ingest/parse/isolation/libreoffice.ts'
import { DEFAULT_PARSE_LIMITS } from '../../../../src/ingest/parse/isolation/parse-limits.ts'
import { chooseParser } from '../../../../src/ingest/parse/parser.ts'
import { builtinParsers } from '../../../../src/ingest/parse/parsers/index.ts'
import { isRunning } from '../../../../src/system/living-process.ts'
import { zip } from '../../../fixtures/zip.ts'

const WORDPERFECT = 'application/vnd.wordperfect'
const ODT = zip({
  mimetype: 'application/vnd.oasis.opendocument.text',
  'content.xml':
    '<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:p>Converted.</text:p></office:text></office:body></office:document-content>',
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'passim-fake-office-'))
  await writeFile(path.join(folder, 'ready.odt'), ODT)
})
afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, content: string | Buffer): Promise<string> {
  await writeFile(path.join(folder, name), content)
  return path.join(folder, name)
}

/** A program that stands in for `soffice`. */
async function fakeOffice(script: string): Promise<string> {
  const program = await write('soffice', `#!/bin/sh\n${script}\n`)
  await chmod(program, 0o755)
  return program
}

type Conversion = {
  readonly program: string
  readonly file: string
  readonly mediaType: string
  readonly timeMs?: number
  readonly memoryBytes?: number
  readonly signal?: AbortSignal
}

async function convert({ program, file, mediaType, signal, ...own }: Conversion) {
  const limits = { ...DEFAULT_PARSE_LIMITS, ...own }
  const parsers = addLibreOffice({ program, limits, readers: builtinParsers })
  const input = { path: file, name: path.basename(file), mediaType }
  const texts: string[] = []
  for await (const event of chooseParser(parsers, input).parse(input, signal))
    if (event.type === 'block') texts.push(event.block.text)
  return texts
}

const COPY = (at: string) => `mkdir converted && cp ${at}/ready.odt converted/original.odt`

test('a format that no parser reads is converted, without the environment of this process', async () => {
  const program = await fakeOffice(
    `env > ${folder}/environment; echo "$@" > ${folder}/arguments; ${COPY(folder)}`,
  )
  const file = await write('will.wpd', '\xffWPC')
  expect(await convert({ program, file, mediaType: WORDPERFECT })).toEqual(['Converted.'])
  expect(await readFile(path.join(folder, 'environment'), 'utf8')).not.toMatch(/NODE_|VITEST|USER=/)
  expect(await readFile(path.join(folder, 'arguments'), 'utf8')).toMatch(
    /UserInstallation=.*--headless .*--convert-to odt .*original\.wpd/,
  )
})

test('a version that our own parser refuses is converted', async () => {
  const program = await fakeOffice(COPY(folder).replaceAll('odt', 'ods'))
  const cell = '<table:table-cell><text:p>Cup</text:p></table:table-cell>'
  await write(
    'ready.ods',
    zip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="a"><office:body><office:spreadsheet><table:table><table:table-row>${cell}</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    }),
  )
  const file = await write('b.xlsb', zip({ 'xl/workbook.bin': 'x' }))
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  expect((await convert({ program, file, mediaType })).join(' ')).toContain('Cup')
})

test('a file that cannot be converted is refused by name', async () => {
  const program = await fakeOffice('echo cannot load >&2')
  const file = await write('will.wpd', '\xffWPC')
  await expect(convert({ program, file, mediaType: WORDPERFECT })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/will\.wpd.*\.odt/),
    cause: 'cannot load',
  })
})

const WITH_CHILD = (at: string, work: string) => `(${work}) & echo $! > ${at}/child; wait`

async function readChild(): Promise<number> {
  return Number(await readFile(path.join(folder, 'child'), 'utf8'))
}

test('a program that computes or waits too long is ended with all its processes', async () => {
  const file = await write('will.wpd', '\xffWPC')
  for (const work of ['while :; do :; done', 'exec sleep 600']) {
    const program = await fakeOffice(WITH_CHILD(folder, work))
    await expect(
      convert({ program, file, mediaType: WORDPERFECT, timeMs: 1_000 }),
    ).rejects.toMatchObject({ code: 'timeout', message: expect.stringContaining('will.wpd') })
    await expect.poll(async () => isRunning(await readChild()), { timeout: 20_000 }).toBe(false)
  }
})

test('a program that takes too much memory is ended', async () => {
  const file = await write('will.wpd', '\xffWPC')
  const program = await fakeOffice('exec sleep 600')
  await expect(
    convert({ program, file, mediaType: WORDPERFECT, memoryBytes: 1_000 }),
  ).rejects.toMatchObject({ code: 'too_large' })
})

test('a cancelled conversion is ended', async () => {
  const file = await write('will.wpd', '\xffWPC')
  const program = await fakeOffice(WITH_CHILD(folder, 'exec sleep 600'))
  const stop = new AbortController()
  const converted = convert({ program, file, mediaType: WORDPERFECT, signal: stop.signal })
  await expect.poll(readChild, { timeout: 20_000 }).toBeGreaterThan(0)
  stop.abort()
  await expect(converted).rejects.toThrow()
  await expect.poll(async () => isRunning(await readChild()), { timeout: 20_000 }).toBe(false)
})

test('a killed process leaves neither the program nor its folder', async () => {
  const file = await write('will.wpd', '\xffWPC')
  const program = await fakeOffice(WITH_CHILD(folder, 'exec sleep 600'))
  const module = new URL(
    '../../../../src/ingest/parse/isolation/limited-program.ts',
    import.meta.url,
  )
  const work = await mkdtemp(path.join(folder, 'work-'))
  const run = {
    command: [program],
    folder: work,
    input: { name: path.basename(file), sizeBytes: 4 },
    limits: DEFAULT_PARSE_LIMITS,
  }
  const script = `import { runLimited } from '${module.href}'; await runLimited(${JSON.stringify(run)})`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
  const parent = spawn(process.execPath, args, { stdio: 'inherit' })
  await expect.poll(readChild, { timeout: 20_000 }).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  await expect.poll(async () => isRunning(await readChild()), { timeout: 20_000 }).toBe(false)
  expect(existsSync(work)).toBe(false)
})

test('a process that outlives the program is ended', async () => {
  const program = await fakeOffice(`sleep 600 & echo $! > ${folder}/child; ${COPY(folder)}`)
  const file = await write('will.wpd', '\xffWPC')
  expect(await convert({ program, file, mediaType: WORDPERFECT })).toEqual(['Converted.'])
  await expect.poll(async () => isRunning(await readChild()), { timeout: 20_000 }).toBe(false)
})

const REAL = '/usr/bin/soffice'

test.skipIf(!existsSync(REAL))('LibreOffice converts a drawing', { timeout: 120_000 }, async () => {
  const DRAWING = 'application/vnd.oasis.opendocument.graphics'
  const spaces = ['office', 'draw', 'text', 'style']
    .map(
      name =>
        `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
    )
    .join(' ')
  const svg = 'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
  const shape =
    '<draw:frame svg:width="8cm" svg:height="2cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>Harbour plan</text:p></draw:text-box></draw:frame>'
  const file = await write(
    'plan.odg',
    zip({
      mimetype: DRAWING,
      'content.xml': `<office:document-content ${spaces} ${svg} office:version="1.2"><office:body><office:drawing><draw:page>${shape}</draw:page></office:drawing></office:body></office:document-content>`,
      'META-INF/manifest.xml': `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${DRAWING}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    }),
  )
  const texts = await convert({ program: REAL, file, mediaType: DRAWING })
  expect(texts.join(' ')).toContain('Harbour plan')
})

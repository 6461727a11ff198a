import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = new URL('../../src/ingest/parse/ocr/tesseract.ts', import.meta.url)

test('OCR whose process ends while it starts leaves no folder behind', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'passim-ocr-start-'))
  const program = `
    import { readdirSync } from 'node:fs'
    const { openTesseract } = await import(${JSON.stringify(MODULE.href)})
    void openTesseract(['eng'])
    const isMade = () => readdirSync(process.env.TMPDIR).some(name => name.startsWith('passim-ocr-'))
    const look = () => isMade() ? process.exit(7) : setImmediate(look)
    look()`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const run = promisify(execFile)(process.execPath, args, {
    env: { ...process.env, TMPDIR: folder },
  })
  await expect(run).rejects.toMatchObject({ code: 7 })
  expect((await readdir(folder)).filter(name => name.startsWith('passim-ocr-'))).toEqual([])
  await rm(folder, { recursive: true })
})

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = new URL('../../src/system/child.ts', import.meta.url)
const ENTRY = {
  path: fileURLToPath(new URL('../fakes/lingering-child.ts', import.meta.url)),
  execArgv: ['--import', 'tsx'],
}

test('who waits for the end of an idle child is kept alive until its last words are read', async () => {
  const program = `
    import { once } from 'node:events'
    const { Child } = await import(${JSON.stringify(MODULE.href)})
    const child = new Child(${JSON.stringify(ENTRY)}, [])
    child.send('start')
    await once(child.events, 'message')
    child.setBusy(false)
    await child.kill()
    console.log('end')`
  const run = promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program,
  ])
  expect((await run).stdout).toBe('end\n')
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli, startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'
import { expectEachOnce, listIndexArguments, writeMarked } from './marked-documents.ts'

let sandbox: Sandbox
let docs: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  docs = await writeMarked(sandbox)
})
afterEach(() => sandbox.remove())

test('after kills at any time the next run ends with every document once', async () => {
  for (const delayMs of [300, 500, 800]) {
    const { child, ended } = startCli(sandbox.home, listIndexArguments(docs))
    await sleep(delayMs)
    child.kill('SIGKILL')
    await ended
  }
  expect((await runCli(sandbox.home, listIndexArguments(docs))).code).toBe(0)
  await expectEachOnce(sandbox)
})

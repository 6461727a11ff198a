import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

const DOCUMENTS = 12

let sandbox: Sandbox
let service: ReturnType<typeof startCli>
let url: string

beforeEach(async () => {
  sandbox = await Sandbox.make()
  await start()
})
afterEach(async () => {
  await kill()
  await sandbox.remove()
})

async function start(): Promise<void> {
  service = startCli(sandbox.home, ['serve', '--port', '0'])
  const [line] = await once(service.child.stdout!, 'data') // it is piped
  url = String(line).trim().split(' ').at(-1)! // the ready line ends with it
}

async function kill(): Promise<void> {
  service.child.kill('SIGKILL')
  await service.ended
}

/** Words so far apart that none is read as a slip of another. */
const markerOf = (round: number, at: number) =>
  createHash('sha256')
    .update(`${round} ${at}`)
    .digest('hex')
    .slice(0, 16)
    .replace(/\d/g, digit => 'ghijklmnop'[Number(digit)] ?? digit)

async function put(round: number, at: number): Promise<void> {
  const text = `${markerOf(round, at)} ${'word '.repeat(300)}`
  const response = await fetch(`${url}/api/collections/notes/documents/n-${at}`, {
    method: 'PUT',
    body: JSON.stringify({ text }),
    headers: { 'content-type': 'application/json' },
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
}

type Listed = { readonly documents: readonly { readonly id: string; readonly status: string }[] }

async function list(): Promise<Listed['documents']> {
  const response = await fetch(`${url}/api/collections/notes/documents`)
  return ((await response.json()) as Listed).documents // the list of ids
}

const everyId = Array.from({ length: DOCUMENTS }, (_, at) => `n-${at}`).toSorted()

/** Rounds whose text is found under each id. */
async function listFound(): Promise<readonly (readonly number[])[]> {
  const passim = await sandbox.open()
  const searches = Array.from({ length: DOCUMENTS }, async (_, at) => {
    const hits = await Promise.all(
      [0, 1, 2].map(async round => {
        const query = markerOf(round, at)
        return await passim.search({ query, mode: 'keyword', collections: ['notes'] })
      }),
    )
    return hits.flatMap((found, round) => found.map(() => round))
  })
  const found = await Promise.all(searches)
  await sandbox.close()
  return found
}

test('a kill while documents are put under ids leaves each old or new once, and loses no answered one', {
  timeout: 240_000,
}, async () => {
  const all = Array.from({ length: DOCUMENTS }, (_, at) => at)
  await Promise.all(all.map(async at => await put(0, at)))
  const areDone = async () => (await list()).every(({ status }) => status === 'completed')
  await expect.poll(areDone, { timeout: 60_000 }).toBe(true)
  const latest = new Map(all.map(at => [at, 0]))
  for (const [round, answers] of [
    [1, 2],
    [2, 7],
  ] as const) {
    let killed: Promise<void> | undefined
    const answered = new Set<number>()
    const ends = await Promise.allSettled(
      all.map(async at => {
        await put(round, at)
        latest.set(at, round)
        answered.add(at)
        if (answered.size === answers) killed = kill()
      }),
    )
    await killed
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(
      answers,
    )
    for (const [at, found] of (await listFound()).entries())
      expect(found, `versions of n-${at} after round ${round}`).toHaveLength(1)
    await start()
    expect((await list()).map(({ id }) => id)).toEqual(everyId)
    await expect.poll(areDone, { timeout: 60_000 }).toBe(true)
  }
  for (const [at, found] of (await listFound()).entries()) {
    expect(found).toHaveLength(1)
    expect(found[0], `round of n-${at}`).toBeGreaterThanOrEqual(latest.get(at) ?? 0)
  }
  const passim = await sandbox.open()
  expect(await passim.verify.run()).toMatchObject({ ok: true, problems: [] })
})

import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { startCli } from '../fakes/cli.ts'
import { Sandbox } from '../fakes/store.ts'

const NAMES = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
const WORDS = ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir']

type Step =
  | { readonly do: 'write'; readonly name: string; readonly word: string }
  | { readonly do: 'remove'; readonly name: string }
  | { readonly do: 'index' | 'index twice at once' | 'reopen' }
  | { readonly do: 'index and kill'; readonly afterMs: number }
  | { readonly do: 'delete'; readonly name: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    name: fc.constantFrom(...NAMES),
    word: fc.constantFrom(...WORDS),
  }),
  fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...NAMES) }),
  fc.record({
    do: fc.constantFrom(
      'index' as const,
      'index' as const,
      'index twice at once' as const,
      'reopen' as const,
    ),
  }),
  fc.record({
    do: fc.constant('index and kill' as const),
    afterMs: fc.integer({ min: 200, max: 900 }),
  }),
  fc.record({ do: fc.constant('delete' as const), name: fc.constantFrom(...NAMES) }),
)

const KEPT = { 'keep.md': 'The folder is never empty.' }

/** With the embedder of the command line, whose runs are killed: they would refuse a store of another one. */
const openStore = (sandbox: Sandbox) => sandbox.open({ embedder: undefined })

/** The naive model: what the folder holds, and what a search must find. */
class World {
  readonly folder = new Map<string, string>()
  found = new Map<string, string>()
  /** A killed run may have published any of its changes: until the next whole run each name is old or new. */
  isUncertain = false
  passim: Passim

  readonly sandbox: Sandbox

  constructor(sandbox: Sandbox, passim: Passim) {
    this.sandbox = sandbox
    this.passim = passim
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'write') {
      this.folder.set(step.name, step.word)
      await this.sandbox.write({ [step.name]: `${step.word} and nothing else` })
    } else if (step.do === 'remove') {
      this.folder.delete(step.name)
      await rm(this.sandbox.path(step.name), { force: true })
    } else if (step.do === 'delete') await this.#delete(step.name)
    else if (step.do === 'reopen') this.passim = await openStore(this.sandbox)
    else if (step.do === 'index and kill') await this.#indexAndKill(step.afterMs)
    else await this.#index(step.do)
  }

  async check(): Promise<void> {
    const collection = (await this.passim.collections.list())[0]
    if (!collection || this.isUncertain) return
    for (const word of WORDS) {
      const hits = await this.passim.search({ query: word, mode: 'keyword', limit: 20 })
      const expected = [...this.found].filter(([, held]) => held === word).map(([name]) => name)
      const found = hits.flatMap(({ name, copies = [] }) => [
        name,
        ...copies.map(copy => copy.name),
      ])
      expect(found.toSorted(), word).toEqual(expected.toSorted())
    }
  }

  async #indexAndKill(afterMs: number): Promise<void> {
    const docs = await this.sandbox.write(KEPT)
    const { child, ended } = startCli(this.sandbox.home, ['--quiet', 'index', docs, '--no-vectors'])
    setTimeout(() => child.kill('SIGKILL'), afterMs)
    await ended
    this.isUncertain = true
  }

  async #index(how: 'index' | 'index twice at once'): Promise<void> {
    const docs = await this.sandbox.write(KEPT)
    const options = { withoutVectors: true }
    const second = how === 'index twice at once' ? await openStore(this.sandbox) : undefined
    await Promise.all([this.passim.index([docs], options), second?.index([docs], options)])
    this.found = new Map(this.folder)
    this.isUncertain = false
  }

  async #delete(name: string): Promise<void> {
    const [collection] = await this.passim.collections.list()
    const document =
      collection && (await this.passim.list(collection)).find(one => one.name === name)
    if (document) await this.passim.delete(document)
    this.found.delete(name)
  }
}

test(
  'any history of writing, indexing, deleting and killing ends as a naive model says',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async steps => {
        const sandbox = await Sandbox.make()
        try {
          const world = new World(sandbox, await openStore(sandbox))
          for (const one of steps) {
            await world.take(one)
            await world.check()
          }
          await world.take({ do: 'index' })
          await world.check()
          expect((await world.passim.verify.run()).problems).toEqual([])
        } finally {
          await sandbox.remove()
        }
      }),
      { numRuns: 12, endOnFailure: true },
    ),
  180_000,
)

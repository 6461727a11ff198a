/**
 * One of several processes that talk in the same conversations, told by its parent what to do and telling what came of it.
 * It runs what is built, as starting is most of what a killed one costs.
 * usage: fork('test/fakes/converse.ts', [HOME, MODEL_URL], { execArgv: ['--import', 'tsx'] })
 */

import type { NumberedEvent } from '../../src/conversations/runs.ts'
import { environmentOf } from './catalog-environment.ts'

export type Order = { readonly conversation: string; readonly steps: readonly Step[] }
export type Step =
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'stop' | 'resume' }
  | { readonly kind: 'watch'; readonly share: number }
export type Told =
  | { readonly kind: 'ready' | 'done' }
  | { readonly kind: 'asked' | 'refused'; readonly question: string }
  /** What a client was told, and from which number on. */
  | {
      readonly kind: 'read'
      readonly from: number
      readonly events: readonly (readonly [number: number, type: string])[]
    }
  | { readonly kind: 'failed'; readonly message: string }

const [home, url] = process.argv.slice(2)
const built = (file: string) => import(new URL(`../../dist/${file}`, import.meta.url).href)
const { open } = (await built('app.js')) as typeof import('../../src/app.ts') // what it is built from
const { AppError } = (await built('errors.js')) as typeof import('../../src/errors.ts') // same
const passim = await open({
  ...{ home: home!, environment: environmentOf(home!) }, // the parent gives both
  settings: { model: { url: url!, name: 'scripted' } },
})
const { conversationService: conversing } = passim
const { signal } = new AbortController()
const tell = (told: Told) => process.send?.(told)

process.on('message', async ({ conversation, steps }: Order) => {
  try {
    for (const step of steps) await take(step, conversation)
    tell({ kind: 'done' })
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? String(error.stack) : String(error) })
  }
})
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })

async function take(step: Step, conversation: string): Promise<void> {
  const last = await conversing.findLastRun(conversation)
  if (step.kind === 'ask') await ask(step.question, conversation)
  else if (step.kind === 'stop') await (last && conversing.stop(last.id))
  else if (step.kind === 'resume') await resume(conversation)
  else if (step.kind === 'watch' && last)
    await read(last.id, last.firstEvent - 1 + Math.floor(step.share * 6))
}

async function ask(question: string, conversation: string): Promise<void> {
  const run = await unlessRefused(
    async () => await conversing.ask({ question, plain: true }, conversation),
  )
  tell({ kind: run ? 'asked' : 'refused', question })
  if (run) await read(run.id, run.firstEvent - 1)
}

async function resume(conversation: string): Promise<void> {
  const run = await unlessRefused(async () => await conversing.resume(conversation, {}))
  if (run) await read(run.id, run.firstEvent - 1)
}

async function unlessRefused<Made>(make: () => Promise<Made>): Promise<Made | undefined> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'conflict' || error.code === 'invalid_input'))
      return undefined
    throw error
  }
}

/** What hangs is stopped by whoever reads as far as its first words. */
async function read(runId: string, from: number): Promise<void> {
  const events: NumberedEvent[] = []
  for await (const numbered of conversing.readEvents(runId, from, signal)) {
    events.push(numbered)
    if (numbered.event.type === 'text-delta' && numbered.event.text === 'Hm')
      await conversing.stop(runId)
  }
  tell({ kind: 'read', from, events: events.map(({ number, event }) => [number, event.type]) })
}

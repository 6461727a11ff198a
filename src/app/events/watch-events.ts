import { setTimeout as sleep } from 'node:timers/promises'
import { localizable } from '../../errors/localizable.ts'
import { AppError } from '../../errors.ts'
import type { EventType, StoreEvent } from '../../ingest/store/catalog/events.ts'
import type { Store } from '../stores/store.ts'

/** Short, so that an event arrives within a second. */
const LOOK_MS = 500

/** Protects memory while a reader is slow. */
const MAX_BATCH = 64

export const OLDEST = 'oldest'

type WatchOptions = {
  /** Id of the last event that the reader has, or `oldest`. Default: new events only. */
  readonly after?: string | undefined
  readonly types?: readonly EventType[] | undefined
  readonly signal: AbortSignal
}

export type WatchEvents = (options: WatchOptions) => Promise<AsyncGenerator<StoreEvent>>

type EventStore = Pick<Store, 'catalog' | 'events'>

/** Yields stored events, then new ones. Throws `not_found` if `after` is no longer stored. */
export async function watchEvents(
  store: EventStore,
  options: WatchOptions,
): Promise<AsyncGenerator<StoreEvent>> {
  return readEvents(store, await findStart(store.events, options.after), options)
}

async function* readEvents(
  { catalog, events }: EventStore,
  start: number,
  { types, signal }: WatchOptions,
): AsyncGenerator<StoreEvent> {
  let last = start
  while (!signal.aborted) {
    const state = await catalog.state()
    const batch = await events.listAfter(last, MAX_BATCH, types)
    yield* batch
    last = batch.at(-1)?.number ?? last
    if (batch.length === 0) await waitForChange(catalog, state, signal)
  }
}

async function findStart(events: EventStore['events'], after: string | undefined): Promise<number> {
  if (after === undefined) return await events.findLastNumber()
  if (after === OLDEST) return 0
  const number = await events.findNumber(after)
  if (number !== undefined) return number
  throw new AppError(
    'not_found',
    localizable`The event ${after} is no longer stored, so later ones may be missing. Compare with the list of documents, then continue with after=${OLDEST}.`,
    { about: after },
  )
}

export async function waitForChange(
  catalog: EventStore['catalog'],
  state: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await catalog.state()) === state)
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => {})
}

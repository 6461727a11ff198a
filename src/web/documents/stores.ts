import { signal } from '@preact/signals'
import type { VectorStoreJson, VectorStorePageJson } from '../../wire/vector-store.ts'
import { fetchJson } from '../connection.ts'

const DEFAULT_STORE = 'default'

/** Newest first; undefined until they were read. */
export const stores = signal<readonly VectorStoreJson[] | undefined>(undefined)

export function hasDefaultStore(): boolean {
  return stores.value?.some(({ name }) => name === DEFAULT_STORE) ?? true
}

export function getUsualStore(): string {
  const [newest] = stores.value ?? []
  return hasDefaultStore() ? DEFAULT_STORE : newest?.name || newest?.id || DEFAULT_STORE
}

export async function listStores(): Promise<readonly VectorStoreJson[]> {
  const all: VectorStoreJson[] = []
  let after = ''
  do {
    const page: VectorStorePageJson = await fetchJson(`/v1/vector_stores?limit=100${after}`)
    all.push(...page.data)
    after = page.has_more ? `&after=${encodeURIComponent(page.last_id)}` : ''
  } while (after)
  stores.value = all
  return all
}

/** Collections that are being made: of two files that come first only one may make it. */
const making = new Map<string, Promise<VectorStoreJson>>()

export function storeNamed(name: string): Promise<VectorStoreJson> {
  const pending = making.get(name)
  if (pending) return pending
  const found = findOrMake(name).finally(() => making.delete(name))
  making.set(name, found)
  return found
}

async function findOrMake(name: string): Promise<VectorStoreJson> {
  const existing = (await listStores()).find(store => store.name === name || store.id === name)
  if (existing) return existing
  const made = await fetchJson<VectorStoreJson>('/v1/vector_stores', {
    method: 'POST',
    body: { name },
  })
  await listStores()
  return made
}

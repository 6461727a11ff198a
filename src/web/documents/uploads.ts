import { type Signal, signal } from '@preact/signals'
import type { JobListJson } from '../../wire/job.ts'
import type { VectorStoreFileJson } from '../../wire/vector-store.ts'
import { fetchJson, key, Refusal, toServiceUrl, Unreachable } from '../connection.ts'
import { type Notice, toNotice } from '../notice.tsx'
import { language, t } from '../preferences.ts'
import { listStores, storeNamed } from './stores.ts'

export type Upload = {
  readonly name: string
  readonly collection: string
  readonly bytes: number
  readonly sent: number
  readonly state: 'waiting' | 'sending' | 'indexing' | 'done' | 'failed'
  readonly problem?: Notice
  readonly fileId?: string
  readonly storeId?: string
  readonly stage?: 'parse' | 'chunk' | 'embed' | 'write'
  readonly done?: number
  readonly total?: number
}

type Waiting = { readonly upload: Signal<Upload>; readonly file: File }

/** Files sent at a time, so that a browser's six connections per host stay free for the page. */
const CONCURRENCY = 3
/** Poll interval during indexing, so that progress looks continuous. */
const POLL_MS = 700

export const uploads = signal<readonly Signal<Upload>[]>([])
/** Increases for each indexed document, so that lists reload. */
export const indexingCount = signal(0)

const queue: Waiting[] = []
let sending = 0
let isWatching = false

export function addFiles(collection: string, files: readonly File[]): void {
  const added = files.map(file => ({ file, upload: signal(createUpload(collection, file)) }))
  queue.push(...added)
  uploads.value = [...uploads.value, ...added.map(({ upload }) => upload)]
  for (let n = sending; n < CONCURRENCY; n++) void sendQueued()
}

function createUpload(collection: string, { name, size }: File): Upload {
  return { name, collection, bytes: size, sent: 0, state: 'waiting' }
}

export function clearFinished(): void {
  uploads.value = uploads.value.filter(
    ({ value }) => value.state !== 'done' && value.state !== 'failed',
  )
}

async function sendQueued(): Promise<void> {
  sending++
  try {
    for (let next = queue.shift(); next; next = queue.shift()) await send(next)
  } finally {
    sending--
  }
}

async function send({ upload, file }: Waiting): Promise<void> {
  const updateUpload = (part: Partial<Upload>) => {
    upload.value = { ...upload.value, ...part }
  }
  updateUpload({ state: 'sending' })
  try {
    const store = await storeNamed(upload.value.collection)
    const fileId = await sendBytes(file, sent => updateUpload({ sent }))
    await fetchJson(`/v1/vector_stores/${encodeURIComponent(store.id)}/files`, {
      method: 'POST',
      body: { file_id: fileId },
    })
    updateUpload({ state: 'indexing', fileId, storeId: store.id, sent: file.size })
    void watch()
  } catch (error) {
    updateUpload({ state: 'failed', problem: toNotice(error) ?? { message: t().documents.cutOff } })
  }
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function sendBytes(file: File, progress: (sent: number) => void): Promise<string> {
  const form = new FormData()
  form.append('purpose', 'assistants')
  form.append('file', file, file.name)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', toServiceUrl('/v1/files'))
    request.setRequestHeader('accept-language', language.value)
    if (key.value) request.setRequestHeader('authorization', `Bearer ${key.value}`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded }) => progress(Math.min(file.size, loaded))
    request.onload = () => {
      const { id, error } = (request.response ?? {}) as {
        id?: string
        error?: { code: string; message: string }
      }
      if (request.status < 300 && id) resolve(id)
      else
        reject(
          new Refusal(
            request.status,
            error?.code ?? 'internal',
            error?.message ?? request.statusText,
          ),
        )
    }
    request.onerror = () => reject(new Unreachable(t().documents.cutOff))
    request.send(form)
  })
}

async function watch(): Promise<void> {
  if (isWatching) return
  isWatching = true
  try {
    for (let open = listIndexing(); open.length > 0; open = listIndexing()) {
      await Promise.all([followJobs(open), settle(open)]).catch(() => {}) // offline: retried after the next wait
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  } finally {
    isWatching = false
  }
}

function listIndexing(): readonly Signal<Upload>[] {
  return uploads.value.filter(({ value }) => value.state === 'indexing')
}

async function followJobs(open: readonly Signal<Upload>[]): Promise<void> {
  const { jobs } = await fetchJson<JobListJson>('/api/jobs?limit=200')
  const bySource = new Map(
    jobs.filter(job => job.state === 'running').map(job => [job.source, job]),
  )
  for (const upload of open) {
    const job = bySource.get(`upload:${upload.value.fileId}/${upload.value.name}`)
    if (!job || upload.value.state !== 'indexing') continue
    const { stage, done, total } = job
    upload.value = {
      ...upload.value,
      ...(stage && { stage }),
      done,
      ...(total !== undefined && { total }),
    }
  }
}

async function settle(open: readonly Signal<Upload>[]): Promise<void> {
  let isSettled = false
  for (const upload of open.slice(0, 20)) {
    const { storeId = '', fileId = '' } = upload.value
    const place = `/v1/vector_stores/${encodeURIComponent(storeId)}/files/${encodeURIComponent(fileId)}`
    const { status, last_error } = await fetchJson<VectorStoreFileJson>(place)
    if (status === 'in_progress') continue
    isSettled = true
    upload.value = {
      ...upload.value,
      state: status === 'completed' ? 'done' : 'failed',
      ...(last_error && { problem: last_error }),
    }
  }
  if (!isSettled) return
  indexingCount.value++
  await listStores()
}

export async function collectFiles(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items]
    .map(item => item.webkitGetAsEntry())
    .filter(entry => entry !== null)
  if (entries.length === 0) return [...transfer.files]
  return (await Promise.all(entries.map(collectEntryFiles))).flat()
}

async function collectEntryFiles(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.name.startsWith('.')) return []
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [file]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const inside: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break // readEntries returns a folder in parts
    inside.push(...some)
  }
  return (await Promise.all(inside.map(collectEntryFiles))).flat()
}

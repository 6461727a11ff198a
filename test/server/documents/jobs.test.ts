import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { afterEach, expect, test } from 'vitest'
import type { Parser } from '../../../src/ingest/parse/parser.ts'
import type { Job } from '../../../src/ingest/store/catalog/jobs.ts'
import { startEmbeddingServer } from '../../fakes/embedding-server.ts'
import { type Running, startServer } from '../running.ts'

let server: Running

afterEach(() => server.close())

/** Reads page 1 of 2, and page 2 when `release` is called. */
function twoPages() {
  const gate = new EventTarget()
  const parser: Parser = {
    id: 'two-pages@1',
    mediaTypes: ['text/plain'],
    async *parse(_input, signal) {
      const released = once(gate, 'release', { signal })
      yield { type: 'metadata', metadata: { pages: 2 } }
      yield { type: 'block', block: { kind: 'paragraph', text: 'words of a page' } }
      yield { type: 'page', report: { page: 1, characters: 15, images: 0, garbled: 0 } }
      await released
      yield { type: 'page', report: { page: 2, characters: 0, images: 0, garbled: 0 } }
    },
  }
  return { parser, release: () => gate.dispatchEvent(new Event('release')) }
}

async function start() {
  const pages = twoPages()
  server = await startServer({ parsers: [pages.parser] })
  const docs = await server.sandbox.write({ 'a.txt': 'a' })
  const run = server.passim.index([docs])
  await expect
    .poll(async () => (await server.passim.jobs.list(undefined, 1))[0]?.stage, { timeout: 60_000 })
    .toBe('parse')
  const [job] = await server.passim.jobs.list(undefined, 1)
  return { ...pages, run, url: `${server.url}/api/jobs/${job!.id}` }
}

async function eventsOf(response: Response) {
  const events: { event: string; job: Job }[] = []
  const parser = createParser({
    onEvent: ({ event = '', data }) => events.push({ event, job: JSON.parse(data) as Job }), // sent as JSON
  })
  parser.feed(await response.text())
  return events
}

test('a running job tells its stage, pages done and pages in all', async () => {
  const { release, run, url } = await start()
  const job = await (await fetch(url)).json()
  expect(job).toMatchObject({
    state: 'running',
    stage: 'parse',
    done: 1,
    total: 2,
    secondsLeft: expect.any(Number),
  })
  release()
  await run
  expect(await (await fetch(url)).json()).toMatchObject({ state: 'completed' })
})

test('events follow a job, and the last is named after how it ended', async () => {
  const { release, run, url } = await start()
  const response = await fetch(`${url}/events`)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  release()
  const events = await eventsOf(response)
  await run
  expect(events[0]).toMatchObject({ event: 'progress', job: { state: 'running', stage: 'parse' } })
  expect(events.at(-1)).toMatchObject({ event: 'completed', job: { state: 'completed' } })
})

test('a job that is cancelled ends its events so', async () => {
  const { run, url } = await start()
  const response = await fetch(`${url}/events`)
  await server.passim.jobs.cancel(url.split('/').at(-1)!)
  expect((await eventsOf(response)).at(-1)).toMatchObject({ event: 'cancelled' })
  await run
})

test('jobs are listed, stopped and tried again', async () => {
  const { release, run, url } = await start()
  const post = async (action: string) => {
    const response = await fetch(`${url}/${action}`, { method: 'POST' })
    return { status: response.status, job: (await response.json()) as Job }
  }
  expect((await post('retry')).status).toBe(409) // it runs
  expect(await post('cancel')).toMatchObject({ status: 200, job: { state: 'cancelled' } })
  await run
  const { job: again } = await post('retry')
  expect(again.state).toBe('queued')
  const events = fetch(`${server.url}/api/jobs/${again.id}/events`)
  await expect
    .poll(async () => (await server.passim.jobs.find(again.id))?.stage, { timeout: 60_000 })
    .toBe('parse')
  release()
  expect((await eventsOf(await events)).at(-1)).toMatchObject({ event: 'completed' })
  const { jobs } = (await (await fetch(`${server.url}/api/jobs?collection=default`)).json()) as {
    jobs: Job[]
  }
  expect(jobs.map(({ state }) => state)).toEqual(['completed', 'cancelled'])
  expect((await fetch(`${server.url}/api/jobs?limit=0`)).status).toBe(400)
})

test('another model for a collection is a job like any other', async () => {
  const model = await startEmbeddingServer(96)
  server = await startServer({
    settings: { embedders: { big: { url: model.url, name: 'hasher' } } },
  })
  const { passim } = server
  await passim.index([await server.sandbox.write({ 'fox.txt': 'the quick fox' })])
  const post = async (embedder: string) => {
    const body = JSON.stringify({ embedder })
    const answer = await fetch(`${server.url}/api/collections/default/re-embed`, {
      method: 'POST',
      body,
    })
    return { status: answer.status, ...((await answer.json()) as { before: string; job?: Job }) }
  }
  const { job, before } = await post('big')
  expect(before).toBe('hashing-64@1')
  const events = await eventsOf(await fetch(`${server.url}/api/jobs/${job?.id}/events`))
  expect(events.at(-1)).toMatchObject({ event: 'completed', job: { id: job?.id } })
  expect((await passim.scope.findCollection('default')).embedderId).toBe('hasher@1:96')
  expect(await post('big')).toEqual({
    ...{ status: 200, collection: 'default', before: 'hasher@1:96' },
    id: expect.any(String),
  })
  expect(await post('unheard-of')).toMatchObject({ status: 400, error: { code: 'invalid_input' } })
  await model.close()
})

test('a job that never was is not found', async () => {
  server = await startServer()
  const response = await fetch(`${server.url}/api/jobs/job_x_1`)
  expect(response.status).toBe(404)
  expect((await fetch(`${server.url}/api/jobs/job_x_1/events`)).status).toBe(404)
})

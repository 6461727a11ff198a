import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DoctorReport } from '../../src/wire/checks.ts'
import { openKeyed } from './keyed.ts'

let service: Awaited<ReturnType<typeof openKeyed>>

beforeEach(async () => {
  service = await openKeyed()
})
afterEach(() => service.close())

test('an administrator sees what the service uses, and whether it works', async () => {
  const token = await service.token('default', 'admin')
  const answered = await service.call(token, 'GET', '/api/checks')
  expect(answered.status).toBe(200)
  const report = (await answered.json()) as DoctorReport
  expect(report.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['catalog', 'embedder', 'OCR', 'chat model']),
  )
  expect(report.checks.every(({ error }) => error?.advice === undefined)).toBe(true)
  expect(report.settings).toMatchObject({ 'ocr.mode': expect.any(String), 'deleting.keepDays': 7 })
  expect(JSON.stringify(report)).not.toContain(token)
})

test('nobody else sees it', async () => {
  for (const scope of ['read', 'write'] as const) {
    const token = await service.token('default', scope)
    expect((await service.call(token, 'GET', '/api/checks')).status).toBe(403)
  }
  const ofTenant = await service.token('acme', 'admin')
  expect((await service.call(ofTenant, 'GET', '/api/checks')).status).toBe(403)
})

test('a model is only asked when that is wished', async () => {
  const token = await service.token('default', 'admin')
  const wrong = await service.call(token, 'GET', '/api/checks?model=yes')
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('model')])
})

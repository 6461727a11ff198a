import { expect, test } from 'vitest'
import type { OcrLine } from '../../../../src/ingest/parse/ocr/ocr.ts'
import { findMissingModelFiles } from '../../../../src/ingest/parse/ocr/ocr-packages.ts'
import { measureUnreadInk } from '../../../../src/ingest/parse/ocr/unread-ink.ts'
import { picture } from '../../../fixtures/drawn.ts'

const TEXTS = [
  { text: 'The ferry between Lindholm and Varnes leaves at', x: 40, y: 50, size: 12 },
  { text: 'nine, and comes back before noon on all weekdays', x: 40, y: 80, size: 12 },
]
const page = await picture(TEXTS)
const scale = page.width / 400
const LINES = TEXTS.map(({ text, x, y, size }): OcrLine => {
  const box = [x * scale, (y - size) * scale, 390 * scale, (y + size / 3) * scale] as const
  return { text, box, size: size * scale, confidence: 0.99 }
})

test('rows of letters outside of the lines read count', () => {
  expect(measureUnreadInk(page, LINES)).toBe(0)
  expect(measureUnreadInk(page, LINES.slice(0, 1))).toBeCloseTo(0.5, 1)
})

test('in uneven light, too', () => {
  const pixels = page.pixels.map((shade, index) => {
    return shade * (0.35 + (0.6 * (index % page.width)) / page.width)
  })
  expect(measureUnreadInk({ ...page, pixels }, LINES.slice(0, 1))).toBeCloseTo(0.5, 1)
})

test('light letters on a dark ground, too', () => {
  const half = Math.round(page.height * 0.3) * page.width
  const pixels = page.pixels.map((shade, index) => (index < half ? shade : 255 - shade * 0.8))
  expect(measureUnreadInk({ ...page, pixels }, LINES)).toBe(0)
  expect(measureUnreadInk({ ...page, pixels }, LINES.slice(0, 1))).toBeGreaterThan(0.4)
})

test('lines and grey surfaces are no letters', () => {
  const pixels = page.pixels.slice()
  for (let y = Math.round(page.height * 0.6); y < page.height; y++)
    for (let x = 0; x < page.width; x++)
      if (y % 40 < 3 || x > page.width / 2) pixels[y * page.width + x] = 90
  expect(measureUnreadInk({ ...page, pixels }, LINES)).toBe(0)
})

test('a picture of which nothing was read has no share', () => {
  expect(measureUnreadInk(page, [])).toBe(0)
})

test('files of the model that are missing are named', () => {
  expect(findMissingModelFiles()).toEqual([])
  expect(findMissingModelFiles(file => !file.endsWith('rec.onnx'))).toEqual(['rec.onnx'])
})

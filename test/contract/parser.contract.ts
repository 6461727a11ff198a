import { describe, expect, test } from 'vitest'
import { formatTableText } from '../../src/ingest/block.ts'
import type { Parser } from '../../src/ingest/parse/parser.ts'
import { parseBytes } from '../fixtures/parsed.ts'

const DATE = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/

/** What every Parser promises. `sample` is a document of its format that has a heading, some text and a table. */
export function parserContract(parser: Parser, sample: string | Uint8Array) {
  describe(`${parser.id} as a Parser`, () => {
    test('its id names format and version', () => expect(parser.id).toMatch(/^[a-z]+@\d+$/))

    test('its media types are lower case', () => {
      expect(parser.mediaTypes.length).toBeGreaterThan(0)
      for (const type of parser.mediaTypes) expect(type).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/)
    })

    test('two runs tell the same', async () => {
      expect(await parseBytes(parser, sample)).toEqual(await parseBytes(parser, sample))
    })

    test('no block is empty, and text is trimmed of line ends', async () => {
      const { blocks } = await parseBytes(parser, sample)
      expect(blocks.length).toBeGreaterThan(1)
      for (const { text } of blocks) expect(text).toMatch(/^\S(.*\S)?$|^ /s)
    })

    test('headings have a level from 1 to 6, and nothing else has one', async () => {
      const { blocks } = await parseBytes(parser, sample)
      for (const { kind, level } of blocks) {
        if (kind === 'heading') expect([1, 2, 3, 4, 5, 6]).toContain(level)
        else expect(level).toBeUndefined()
      }
    })

    test('tables are rectangular and their text is their rows', async () => {
      const { blocks } = await parseBytes(parser, sample)
      for (const { rows, text } of blocks.filter(block => block.kind === 'table')) {
        expect(new Set(rows!.map(row => row.length)).size).toBe(1)
        expect(text).toBe(formatTableText(rows!))
      }
    })

    test('printed lines lie within the text of their block, in order', async () => {
      const { blocks } = await parseBytes(parser, sample)
      for (const { lines = [], text } of blocks) {
        for (const [index, { start, end }] of lines.entries()) {
          expect(start).toBeGreaterThanOrEqual(lines[index - 1]?.end ?? 0)
          expect(end).toBeLessThanOrEqual(text.length)
        }
      }
    })

    test('dates are ISO 8601', async () => {
      const { metadata } = await parseBytes(parser, sample)
      for (const date of [metadata.created, metadata.modified]) expect(date ?? '2024').toMatch(DATE)
    })

    test('an aborted signal stops it with its reason', async () => {
      const reason = new Error('enough')
      await expect(parseBytes(parser, sample, { signal: AbortSignal.abort(reason) })).rejects.toBe(
        reason,
      )
    })

    test('a file without bytes is empty', async () => {
      await expect(parseBytes(parser, '')).rejects.toMatchObject({
        code: expect.stringMatching(/^(empty|corrupt)$/),
      })
    })

    if (typeof sample !== 'string')
      test('of a file that was cut off it says what to do, in words of its own', async () => {
        const reading = parseBytes(parser, sample.subarray(0, 200))
        await expect(reading).rejects.toMatchObject({ code: 'corrupt' })
        await expect(reading).rejects.toThrow(
          /^Cannot read test-file: it is damaged or cut off[^(]*\. Add a complete copy of it\.$/,
        )
      })

    test('what it throws names the document', async () => {
      await expect(parseBytes(parser, '')).rejects.toThrow('test-file')
    })
  })
}

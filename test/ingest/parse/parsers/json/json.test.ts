import { describe, expect, test } from 'vitest'
import { jsonLinesParser, jsonParser } from '../../../../../src/ingest/parse/parsers/json/json.ts'
import { outline, parseBytes } from '../../../../fixtures/parsed.ts'

async function check(content: string, expected: readonly string[], parser = jsonParser) {
  expect(outline((await parseBytes(parser, content)).blocks)).toEqual(expected)
}
const checkFails = (content: string, code: string, parser = jsonParser) =>
  expect(parseBytes(parser, content)).rejects.toMatchObject({
    code,
    message: expect.stringContaining('test-file'),
  })

describe('JSON', () => {
  test('is a line for each value, with the way to it', () =>
    check('{"a":{"b":[1,true,null],"c":"x\\ny"},"d":"\\u4e2d\\"\\\\"}', [
      'paragraph: a.b[0]: 1 / a.b[1]: true / a.b[2]: null / a.c: x y / d: 中"\\',
    ]))
  test('is a block for each item of a list', () =>
    check('[{"a":1,"b":2},{"a":3}]', ['paragraph: [0].a: 1 / [0].b: 2', 'paragraph: [1].a: 3']))
  test('keeps long numbers as they are', () =>
    check('[12345678901234567890, 1.10]', ['paragraph: [0]: 12345678901234567890 / [1]: 1.10']))
  test('has long texts as paragraphs of their own', () =>
    check(`{"a":1,"b":${JSON.stringify(`${'x'.repeat(500)}\n\ny`)},"c":2}`, [
      'paragraph: a: 1',
      `paragraph: b: ${'x'.repeat(500)}`,
      'paragraph: y',
      'paragraph: c: 2',
    ]))
  test('may have comments and commas too many', () =>
    check('// x\n{"a":1, /* y */ "b":[2,],}', ['paragraph: a: 1 / b[0]: 2']))
  test('of any depth is read', () =>
    check(`${'['.repeat(50_000)}7${']'.repeat(50_000)}`, [
      expect.stringMatching(/^paragraph: …\[0\].*: 7$/),
    ]))
  test('is read in pieces that cut its texts and numbers', async () => {
    const values = Array.from({ length: 20_000 }, (_, index) => `text \\"${index}\\" \\\\`)
    const { blocks } = await parseBytes(jsonParser, `["${values.join('","')}"]`)
    const all = blocks.flatMap(block => block.text.split('\n'))
    expect(all[19_999]).toBe('[19999]: text "19999" \\')
    expect(all.length).toBe(20_000)
  })
  test('of short values under long paths has them all, with as much of the paths as its bytes pay for', async () => {
    const values = Array.from({ length: 3_000 }, (_, at) => [at % 10, (at + 1) % 10, (at + 2) % 10])
    const content = JSON.stringify({ 'the name of a matrix': { 'of small numbers': values } })
    const lines = (await parseBytes(jsonParser, content)).blocks.flatMap(({ text }) =>
      text.split('\n'),
    )
    expect(lines[0]).toBe('the name of a matrix.of small numbers[0][0]: 0')
    expect(
      lines.filter(line => /^…\S*\[\d+\]\[0\]: \d, \d, \d$/.test(line)).length,
    ).toBeGreaterThan(1_000)
    expect(lines.flatMap(line => line.replace(/^.*: /, '').split(', ').map(Number))).toEqual(
      values.flat(),
    )
    expect(lines.join('\n').length).toBeLessThan(32 * 1024 + 4 * content.length)
  })
  test('that was cut off is corrupt', () => checkFails('{"a":[1,2', 'corrupt'))
  test('that ends inside a text is corrupt', () => checkFails('{"a":"x', 'corrupt'))
  test('that closes what is not open is corrupt', () => checkFails('{"a":1]', 'corrupt'))
  test('that is something else is corrupt', () => checkFails('hello world', 'corrupt'))
  test('of nothing is no text', () => checkFails('{"a":[],"b":""}', 'no_text'))
})

describe('lines of JSON', () => {
  test('are a record each', () =>
    check('{"a":1}\r\n\n{"a":2}', ['paragraph: a: 1', 'paragraph: a: 2'], jsonLinesParser))
  test('that are bad are left out and told', async () => {
    const { blocks, warnings } = await parseBytes(jsonLinesParser, '{"a":1}\n{"a":\n{"a":3}\n')
    expect(outline(blocks)).toEqual(['paragraph: a: 1', 'paragraph: a: 3'])
    expect(warnings).toEqual([
      { code: 'bad_record', message: expect.stringMatching(/^Line 2 is not valid JSON/) },
    ])
  })
  test('that are all bad are corrupt', () => checkFails('x\ny\n', 'corrupt', jsonLinesParser))
})

import { describe, expect, test } from 'vitest'
import { codeParser } from '../../../../src/ingest/parse/parsers/code.ts'
import { parseBytes } from '../../../fixtures/parsed.ts'

async function check(content: string, expected: readonly string[]) {
  const { blocks } = await parseBytes(codeParser, content)
  for (const { kind } of blocks) expect(kind).toBe('code')
  expect(blocks.map(block => block.text)).toEqual(expected)
}

describe('code is cut at its definitions', () => {
  test('with the comments before them', () =>
    check(
      "import a from 'a'\nimport b from 'b'\n\n/** One.\n * Two. */\nexport function f() {\n  return 1\n}\n\n// X\nclass C {\n\n  m() {}\n}\n",
      [
        "import a from 'a'\nimport b from 'b'",
        '/** One.\n * Two. */\nexport function f() {\n  return 1\n}',
        '// X\nclass C {\n\n  m() {}\n}',
      ],
    ))
  test('with their decorators', () =>
    check('import os\n\n@cached\n# Why.\ndef f(x):\n\n    return x\n\nprint(f(1))\n', [
      'import os',
      '@cached\n# Why.\ndef f(x):\n\n    return x',
      'print(f(1))',
    ]))
  test('with a body that begins on a line of its own', () => {
    const sql = (name: string) =>
      `-- ${name}.\nCREATE FUNCTION ${name}(v int)\nRETURNS int\nLANGUAGE plpgsql\nAS $$\nBEGIN\n  RETURN v;\nEND;\n$$;`
    const braced = (name: string) => `class ${name}\n{\n  int v;\n}`
    return check([sql('f'), sql('g'), braced('A'), braced('B')].join('\n\n'), [
      sql('f'),
      sql('g'),
      braced('A'),
      braced('B'),
    ])
  })
  test('and not where a statement goes on', () =>
    check('func f() {\n\tif x {\n\t}\n}\nfunc g(\n  a int,\n) {\n}\n', [
      'func f() {\n\tif x {\n\t}\n}',
      'func g(\n  a int,\n) {\n}',
    ]))
})

test('a definition without end is cut where a member ends', async () => {
  const member = (index: number) => `  m${index}() {\n    one()\n\n    two()\n  }\n\n`
  const { blocks } = await parseBytes(
    codeParser,
    `class C {\n${Array.from({ length: 100 }, (_, index) => member(index)).join('')}}\n`,
  )
  expect(blocks.length).toBeGreaterThan(3)
  for (const { text } of blocks.slice(1)) expect(text).toMatch(/^ {2}m\d+\(\)/)
})

test('a line without end loses nothing', async () => {
  const content = 'é😀'.repeat(10_000)
  const { blocks } = await parseBytes(codeParser, content)
  expect(blocks.map(block => block.text).join('')).toBe(content)
})

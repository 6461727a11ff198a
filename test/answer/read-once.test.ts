import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** What a parameter with the words of a question is called. */
const QUESTION = /^(?:question|query|asked|ask)(?:Text)?$/i

/** Functions with a parameter, or a part of one, that is a question's bare text, as `file: name`. */
function readersIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (
      ts.isFunctionLike(node) &&
      node.parameters.some(parameter => takesQuestion(parameter, source))
    )
      found.push(`${file}: ${node.name?.getText(source) ?? 'a function'}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function takesQuestion({ name, type }: ts.ParameterDeclaration, source: ts.SourceFile): boolean {
  if (!type) return false
  if (type.kind === ts.SyntaxKind.StringKeyword) return QUESTION.test(name.getText(source))
  const members = ts.isTypeLiteralNode(type) ? type.members : []
  return members.some(
    member =>
      ts.isPropertySignature(member) &&
      member.type?.kind === ts.SyntaxKind.StringKeyword &&
      QUESTION.test(member.name.getText(source)),
  )
}

/** It reads questions itself, where it should be given one that was read. */
function importsParser(file: string): boolean {
  return /from '[./a-z-]*parse\.ts'/.test(readFileSync(file, 'utf8'))
}

const FILES = readdirSync('src/answer', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => path.join('src/answer', file))

test('no function of the answers takes the words of a question: they are parsed before', () => {
  expect(FILES.length).toBeGreaterThan(30)
  expect(FILES.flatMap(readersIn)).toEqual([])
  expect(FILES.filter(importsParser)).toEqual([])
})

test('one function reads a text as a question, and one tells whether it is one', () => {
  const source = readFileSync('src/answer/question/parse.ts', 'utf8')
  expect(source.match(/^export function .*$/gm)).toEqual([
    'export function parseQuestion(text: string, language: Language): Question {',
    'export function hasQuestionForm(text: string, language: Language): boolean {',
  ])
})

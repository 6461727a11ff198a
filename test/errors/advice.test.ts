import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { AppError, formatWithAdvice, omitAdvice, toFailure } from '../../src/errors.ts'

const SOURCE = path.join(import.meta.dirname, '../../src')

/** Faces that only whoever runs the program reads, and translations of advice. */
const OPERATOR_ONLY = /^(cli\/|cli\.ts$|config|errors\/chinese\/)/

/** A command of this program or of a package manager. */
const COMMAND = /\b(?:passim|npm|npx|apt) +[a-z]/

/** Names of values that only the command line shows, and of descriptions of the API. */
const ALLOWED = /advice|INSTALL|SEE_LIST|WITHOUT_SERVER|^(?:description|summary|describe)$/i

test('no message names a command: only an advice does', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const sources = files.filter(file => /\.tsx?$/.test(file) && !OPERATOR_ONLY.test(file))
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.flatMap(findCommands)).toEqual([])
})

test('the advice is a field beside the message, and only the operator sees it', () => {
  const error = new AppError('not_found', 'There is no document a.pdf.', {
    advice: 'See passim list.',
  })
  expect(error.message).toBe('There is no document a.pdf.')
  expect(formatWithAdvice(error)).toBe('There is no document a.pdf. See passim list.')
  expect(omitAdvice(toFailure(error))).toEqual({ code: 'not_found', message: error.message })
})

/** Returns texts with a command that belong to nothing that may name one. */
function findCommands(file: string): readonly string[] {
  const text = readFileSync(path.join(SOURCE, file), 'utf8')
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (isText(node) && COMMAND.test(node.getText()) && !isAllowed(node))
      found.push(`${file}: ${node.getText()}`)
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  )
}

/** True if a surrounding property, variable or call has an allowed name. */
function isAllowed(node: ts.Node): boolean {
  for (let around = node.parent; around && !ts.isBlock(around); around = around.parent)
    if (ALLOWED.test(getName(around)?.getText().split('.').at(-1) ?? '')) return true
  return false
}

function getName(node: ts.Node): ts.Node | undefined {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) return node.name
  return ts.isCallExpression(node) ? node.expression : undefined
}

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { getSystemErrorMap } from 'node:util'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { OpenAIModel } from '../../src/agent/models/openai/openai.ts'
import { getSentences } from '../../src/cli/sentences/sentences.ts'
import { loadSettings } from '../../src/config.ts'
import { ZH_MESSAGES } from '../../src/errors/chinese/translate.ts'
import {
  localizable,
  packMessages,
  unpackMessages,
  withMessage,
} from '../../src/errors/localizable.ts'
import { AppError, restoreError, toFailure } from '../../src/errors.ts'

/** Rooms whose messages reach the command line or a client of the server. */
const ROOMS =
  /^(?:agent\/(?:\w+\.|groundings\/|messages\/|models\/)|(?:answer|app|cli|config|conversations|ingest|search|server|system)[/.])/
const OTHERS = /^(?:app\/(?:agents|answer-page|catalog)|cli\/sentences|errors\/chinese)\//

type Message = { readonly file: string; readonly text: string; readonly isTagged: boolean }

/** Words of Node for its errors, which are in no source of ours. */
const OF_SYSTEM = new Set([...getSystemErrorMap().values()].map(([, message]) => message))

function* listNodes(node: ts.Node): Iterable<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield* listNodes(child)
}

function readTemplate(node: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  return (
    node.head.text + node.templateSpans.map(({ literal }, at) => `{${at}}${literal.text}`).join('')
  )
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !OTHERS.test(file))
  .map(file => {
    const text = readFileSync(path.join('src', file), 'utf8')
    return {
      file,
      nodes: [...listNodes(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))],
    }
  })

/** Sentences tagged with `localizable`, and messages of errors and warnings. */
function listMessages(): readonly Message[] {
  return sources.flatMap(({ file, nodes }) =>
    nodes.flatMap((node): readonly Message[] => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'localizable')
        return [{ file, text: readTemplate(node.template), isTagged: true }]
      const message = findMessage(node, nodes)
      if (!message || !ROOMS.test(file)) return []
      if (ts.isStringLiteralLike(message)) return [{ file, text: message.text, isTagged: true }]
      const isTemplate = ts.isTemplateExpression(message)
      return isTemplate ? [{ file, text: readTemplate(message), isTagged: false }] : []
    }),
  )
}

/** Which of their arguments is a message. */
const CALLED: Readonly<Record<string, number>> = {
  AppError: 1,
  withMessage: 1,
  withDetail: 1,
  createUnauthorized: 0,
  createUnsupported: 0,
  createNoModel: 1,
  createRefusal: 0,
  createDamagedError: 1,
  buildWarning: 1,
  'this.#createFault': 0,
  'this.#readPhrase': 0,
  createInvalid: 0,
  createConflict: 0,
}

function findMessage(node: ts.Node, nodes: readonly ts.Node[]): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) && node.name.getText() === 'advice') return node.initializer
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined
  const called = node.expression.getText()
  const position = CALLED[called]
  const argument = position === undefined ? undefined : node.arguments?.[position]
  const message = argument && findMessageField(argument)
  return message && ts.isIdentifier(message) ? findValue(message, nodes) : message
}

/** Returns the message of a refusal, or the argument itself. */
function findMessageField(argument: ts.Expression): ts.Expression {
  if (!ts.isObjectLiteralExpression(argument)) return argument
  const field = argument.properties.find(({ name }) => name?.getText() === 'message')
  if (field && ts.isPropertyAssignment(field)) return field.initializer
  return field && ts.isShorthandPropertyAssignment(field) ? field.name : argument
}

/** Finds the constant of that name in the blocks around it. */
function findValue(name: ts.Identifier, nodes: readonly ts.Node[]): ts.Expression | undefined {
  return nodes
    .filter(ts.isVariableDeclaration)
    .findLast(one => one.name.getText() === name.text && isIn(one.parent.parent.parent, name))
    ?.initializer
}

function isIn({ pos, end }: ts.Node, node: ts.Node): boolean {
  return pos <= node.pos && node.end <= end
}

const listPlaces = (text: string) =>
  [...text.matchAll(/\{\d\}/g)].map(([place]) => place).toSorted()

test('each message that reaches the command line or a client is in Chinese, with the same values', () => {
  const messages = listMessages()
  expect(messages.filter(({ isTagged }) => !isTagged)).toEqual([])
  expect(messages.filter(({ text }) => !Object.hasOwn(ZH_MESSAGES, text))).toEqual([])
  for (const [english, chinese] of Object.entries(ZH_MESSAGES))
    expect([chinese, ...listPlaces(chinese)]).toEqual([chinese, ...listPlaces(english)])
})

test('no message in Chinese is left whose English is gone', () => {
  const texts = new Set(
    sources.flatMap(({ nodes }) =>
      nodes.flatMap(node =>
        ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
          ? [node.text]
          : ts.isTemplateExpression(node)
            ? [readTemplate(node)]
            : ts.isBinaryExpression(node)
              ? [joinTexts(node)]
              : [],
      ),
    ),
  )
  const left = Object.keys(ZH_MESSAGES).filter(text => !texts.has(text))
  expect(left.filter(text => !OF_SYSTEM.has(text))).toEqual([])
})

function joinTexts(node: ts.Node): string {
  if (ts.isBinaryExpression(node)) return joinTexts(node.left) + joinTexts(node.right)
  return ts.isStringLiteral(node) ? node.text : '\0'
}

/** Calls whose texts are help, commands, field names, log lines of a service, or errors tested above. */
const OTHER_TEXTS =
  /(?:^|\.)(?:description|option|requiredOption|argument|formatExample|Option|AppError|localizable|formatCount|field|wayBack|writeLog|onError)$/

/** Help texts in constants, and tables of both languages. */
function isNamedElsewhere(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node)) return /^[A-Z_]+$/.test(node.name.getText())
  return ts.isPropertyAssignment(node) && /^(?:en|zh)$/.test(node.name.getText())
}

function isSentence(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node) && !ts.isTemplateLiteral(node)) return false
  const text = ts.isStringLiteral(node) ? node.text : readTemplate(node)
  if (!/[a-z]{2,} [a-z]{2,}/.test(text)) return false
  for (let outer = node.parent; !ts.isSourceFile(outer); outer = outer.parent) {
    if (isNamedElsewhere(outer) || ts.isTaggedTemplateExpression(outer)) return false
    if (!ts.isCallExpression(outer) && !ts.isNewExpression(outer)) continue
    if (OTHER_TEXTS.test(outer.expression.getText())) return false
  }
  return true
}

test('commands print no sentence that is not in the sentences of both languages', () => {
  const found = sources
    .filter(({ file }) => /^cli\/(?!help\/)/.test(file))
    .flatMap(({ file, nodes }) =>
      nodes.filter(isSentence).map(node => `${file}: ${node.getText()}`),
    )
  expect(found).toEqual([])
})

test('Chinese is written with full-width marks', () => {
  for (const text of Object.values(ZH_MESSAGES))
    expect(text).not.toMatch(/\p{Script=Han}[,:;(]|[,:;]\p{Script=Han}/u)
})

test('an error says its values in Chinese, also when it was thrown by another process', () => {
  const { failure } = getSentences('zh')
  const error = new AppError('not_found', localizable`There is no file ${'a.txt'}.`, {
    advice: 'See passim list.',
  })
  const told = '没有文件 a.txt。可用 passim list 查看。（not_found）'
  expect(failure(error)).toBe(told)
  const sent: ReturnType<typeof toFailure> = JSON.parse(
    JSON.stringify(packMessages(toFailure(error))),
  )
  expect(failure(unpackMessages(sent))).toBe(told)
  expect(failure(restoreError(unpackMessages(sent)))).toBe(told)
  expect(getSentences('en').failure(unpackMessages(sent))).toBe(
    'There is no file a.txt. See passim list. (not_found)',
  )
})

test('JSON and copies of a warning have its English alone', () => {
  const warning = withMessage(
    { code: 'skipped' },
    localizable`Skipped: ${[localizable`${'notes'} ${2}`, 'x']}.`,
  )
  expect(JSON.stringify(warning)).toBe('{"code":"skipped","message":"Skipped: notes 2, x."}')
  expect({ ...warning }).toStrictEqual({ code: 'skipped', message: 'Skipped: notes 2, x.' })
  expect(Object.keys(unpackMessages(packMessages(warning)))).toEqual(['code', 'message'])
})

test('a model that cannot be reached, and settings that our own checks refuse, are in Chinese', async () => {
  const { failure } = getSentences('zh')
  const model = new OpenAIModel({ url: 'http://127.0.0.1:1/v1', name: 'tiny' })
  const read = async () => {
    for await (const event of model.stream({ messages: [], tools: [], toolChoice: 'auto' }))
      return event
  }
  await expect(read().catch(failure)).resolves.toMatch(
    /^http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions 上的模型 tiny 无法连接：.*。请检查网址，/,
  )
  const load = async (settings: object) =>
    await loadSettings({ settings, environment: {} }).then(String, failure)
  expect(await load({ server: { corsOrigins: ['*'] } })).toContain(
    'server.corsOrigins.0 有误：不能使用："*"会允许所有网页，请逐个列出来源',
  )
  expect(await load({ server: { tokens: { algorithm: 'EdDSA', key: 'x' } } })).toContain(
    '不能使用：必须是 PEM 格式的 Ed25519 公钥',
  )
  expect(await load({ catalog: { schema: 'A' } })).toContain('最多 16 个小写字母、数字和下划线')
})

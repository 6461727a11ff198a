import { createInterface, type Interface } from 'node:readline/promises'
import { z } from 'zod'
import { compileSchema } from '../../agent/tools/json-schema.ts'
import type { Elicit } from '../../agent/tools/mcp-client.ts'
import { joinLines, type Output } from '../output.ts'
import { toPrintable } from '../printable.ts'
import type { FieldType } from '../sentences/en-work.ts'

type Form = Parameters<Elicit>[0]
type Values = NonNullable<Awaited<ReturnType<Elicit>>>
type Value = Values[string]

const choiceSchema = z.object({ const: z.string(), title: z.string().optional() })
const listSchema = z.object({
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(choiceSchema).optional(),
  anyOf: z.array(choiceSchema).optional(),
})
const fieldSchema = listSchema.extend({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: z.string().optional(),
  description: z.string().optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  items: listSchema.optional(),
})
const formSchema = z.object({
  properties: z.record(z.string(), fieldSchema.loose()).default({}),
  required: z.array(z.string()).default([]),
})

type Field = z.infer<typeof fieldSchema>
type Choice = { readonly value: string; readonly title: string }

const SUBJECT = 'The field of the form is'

export type Terminal = { lines?: Interface }

/** Fills in forms of MCP servers at the terminal, one at a time. */
export class TerminalForms {
  readonly #output: Output
  readonly #terminal: Terminal
  #previous: Promise<unknown> = Promise.resolve()

  constructor(output: Output, terminal: Terminal) {
    this.#output = output
    this.#terminal = terminal
  }

  async fill(form: Form, signal: AbortSignal): Promise<Values | undefined> {
    const filled = this.#previous.then(() => this.#fillNext(form, signal))
    this.#previous = filled.catch(() => undefined)
    return await filled
  }

  async #fillNext(form: Form, signal: AbortSignal): Promise<Values | undefined> {
    signal.throwIfAborted()
    const { stdin: input, stderr: output } = process
    const { lines: openLines } = this.#terminal
    const lines = openLines ?? createInterface({ input, output })
    const closed = new AbortController()
    const sendInterrupt = () => process.kill(process.pid, 'SIGINT') // a terminal in raw mode sends none
    const leave = () => closed.abort()
    lines.once('close', leave)
    if (!openLines) lines.once('SIGINT', sendInterrupt)
    const ended = AbortSignal.any([signal, closed.signal])
    const ask = (prompt: string) => lines.question(toPrintable(prompt), { signal: ended })
    try {
      return await this.#askFields(form, ask)
    } catch (error) {
      signal.throwIfAborted()
      if (closed.signal.aborted) return undefined // Ctrl-D
      throw error
    } finally {
      lines.off('close', leave)
      if (!openLines) lines.close()
    }
  }

  async #askFields(
    { server, message, schema }: Form,
    ask: (prompt: string) => Promise<string>,
  ): Promise<Values | undefined> {
    const { properties, required } = formSchema.parse(schema)
    const { forms } = this.#output.sentences.work
    this.#output.writeFailure(forms.heading(server, message))
    const values: Record<string, Value> = {}
    const fields = Object.entries(properties)
    if (fields.length === 0) return isYes(await ask(forms.accept)) ? values : undefined
    for (const [name, field] of fields) {
      const isRequired = required.includes(name)
      const prompt = formatPrompt(name, field, { isRequired, hint: forms.hint })
      const value = await this.#askField(field, () => ask(prompt))
      if (value !== undefined) values[name] = value
      else if (isRequired) return undefined
    }
    return values
  }

  /** Asks until the value fits; undefined if it is left out. */
  async #askField(field: Field, ask: () => Promise<string>): Promise<Value | undefined> {
    const { format: _, ...checked } = { format: undefined, ...field } // formats are the server's to check
    const { read } = compileSchema(checked, SUBJECT)
    for (;;) {
      const text = (await ask()).trim()
      if (text === '') return field.default
      const value = parseValue(text, field)
      const result = read(value)
      if (!('problems' in result)) return value
      const problems = result.problems.map(problem => problem.replace(/^arguments: /, ''))
      this.#output.writeFailure(this.#output.sentences.work.forms.wrong(problems.join('; ')))
    }
  }
}

function parseValue(text: string, field: Field): Value {
  if (field.type === 'boolean') return isYes(text) || (isNo(text) ? false : text)
  if (field.type === 'number' || field.type === 'integer')
    return Number.isNaN(Number(text)) ? text : Number(text)
  const choices = listChoices(field)
  if (field.type !== 'array') return findChoice(text, choices)
  return text.split(/[,，、]/).map(part => findChoice(part.trim(), choices))
}

function findChoice(text: string, choices: readonly Choice[]): string {
  return choices.find(({ value, title }) => text === value || text === title)?.value ?? text
}

function listChoices({ items, ...field }: Field): readonly Choice[] {
  const { enum: values = [], enumNames = [], oneOf, anyOf } = items ?? field
  const titled = oneOf ?? anyOf
  if (titled) return titled.map(({ const: value, title = value }) => ({ value, title }))
  return values.map((value, index) => ({ value, title: enumNames[index] ?? value }))
}

function isYes(text: string): boolean {
  return /^(?:y|yes|true|是|对)$/i.test(text.trim())
}

function isNo(text: string): boolean {
  return /^(?:n|no|false|否|不)$/i.test(text.trim())
}

type PromptParts = {
  readonly isRequired: boolean
  readonly hint: (type: FieldType, isRequired: boolean) => string
}

function formatPrompt(name: string, field: Field, { isRequired, hint }: PromptParts): string {
  const { title = name, description = '', default: preset } = field
  const choices = listChoices(field).map(choice => choice.title)
  const label = description ? `${title}: ${description}` : title
  const isNeeded = isRequired && preset === undefined
  const choiceText = choices.length > 0 ? ` ${choices.join(' | ')}` : ''
  const value = preset === undefined ? '' : ` [${String(preset)}]`
  return `  ${joinLines(label)} (${hint(field.type, isNeeded)})${joinLines(choiceText + value)}: `
}

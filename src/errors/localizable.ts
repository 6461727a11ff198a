import { z } from 'zod'

type Value = string | number | LocalizableMessage | undefined | readonly Value[]

/** A sentence with its values apart, so that a face can say it in another language. */
export class LocalizableMessage {
  readonly template: string
  readonly values: readonly Value[]

  constructor(template: string, values: readonly Value[]) {
    this.template = template
    this.values = values
  }

  toString(): string {
    return this.format(toEnglish)
  }

  format(toText: (value: Value) => string, template = this.template): string {
    return template.replace(/\{(\d+)\}/g, (_, index) => toText(this.values[Number(index)]))
  }
}

function toEnglish(value: Value): string {
  return Array.isArray(value) ? value.map(toEnglish).join(', ') : `${value ?? ''}`
}

export function localizable(
  texts: TemplateStringsArray,
  ...values: readonly Value[]
): LocalizableMessage {
  return new LocalizableMessage(
    texts.reduce((before, text, index) => `${before}{${index - 1}}${text}`),
    values,
  )
}

export type Sentence = string | LocalizableMessage

type Messages = { readonly message: Sentence; readonly advice?: Sentence | undefined }

/** Not enumerable: copies and JSON have the English only. */
const MESSAGES = Symbol('messages')

type WithMessages = { readonly [MESSAGES]?: Messages }

/** English of an item: of an error or warning, or of a notice. */
type English = { readonly message: string } | { readonly text: string }

type EnglishMessages = { readonly message: string; readonly advice?: string | undefined }

export function attachMessages<Item extends object>(item: Item, messages: Messages): Item {
  const isLocalizable =
    messages.message instanceof LocalizableMessage || messages.advice instanceof LocalizableMessage
  return isLocalizable ? Object.defineProperty(item, MESSAGES, { value: messages }) : item
}

export function getMessages(item: EnglishMessages & WithMessages): Messages {
  return item[MESSAGES] ?? { message: item.message, advice: item.advice }
}

/** Returns a warning or failure with its English, and its values apart. */
export function withMessage<const Fields extends object>(
  fields: Fields,
  message: Sentence,
  advice?: Sentence,
): Fields & { readonly message: string; readonly advice?: string } {
  const item = { ...fields, message: `${message}`, ...(advice && { advice: `${advice}` }) }
  return attachMessages(item, { message, advice })
}

export function withDetail<const Fields extends object>(
  fields: Fields,
  detail: Sentence,
): Fields & { readonly detail: string } {
  return attachMessages({ ...fields, detail: `${detail}` }, { message: detail })
}

export function getDetail(item: { readonly detail: string } & WithMessages): Sentence {
  return item[MESSAGES]?.message ?? item.detail
}

export function getNotice(item: { readonly text: string } & WithMessages): Sentence {
  return item[MESSAGES]?.message ?? item.text
}

/** Returns a copy for JSON of our own, which `unpackMessages` reads. */
export function packMessages<Item extends English & WithMessages>(item: Item): Item {
  const messages = item[MESSAGES]
  return messages ? { ...item, said: messages } : item
}

/** Keeps only the English if the values cannot be read: a backup may come from anywhere. */
export function unpackMessages<Item extends English & { readonly said?: unknown }>(
  item: Item,
): Item {
  if (item.said === undefined) return item
  const { said, ...rest } = item
  const parsed = packedSchema.safeParse(said)
  if (!parsed.success) return rest as Item
  const { message, advice } = parsed.data
  return attachMessages(rest as Item, { message, advice })
}

/** Sentences within messages, so that no backup nests them without end. */
const MAX_DEPTH = 5

function createValueSchema(depth: number): z.ZodType<Value> {
  const none = z.null().transform(() => undefined) // of undefined in JSON
  const plain = z.union([z.string(), z.number(), z.undefined(), none])
  if (depth === 0) return plain
  const values = z.array(createValueSchema(depth - 1))
  return z.union([plain, values, createMessageSchema(values)])
}

function createMessageSchema(values: z.ZodType<readonly Value[]>): z.ZodType<LocalizableMessage> {
  return z
    .object({ template: z.string(), values })
    .transform(({ template, values }) => new LocalizableMessage(template, values))
}

const sentenceSchema = z.union([
  z.string(),
  createMessageSchema(z.array(createValueSchema(MAX_DEPTH))),
])

const packedSchema = z.object({ message: sentenceSchema, advice: sentenceSchema.optional() })

type WithWarnings<Warning> = { readonly warnings?: readonly Warning[] }

export function packWarnings<Warning extends EnglishMessages, Report extends WithWarnings<Warning>>(
  report: Report & WithWarnings<Warning>,
): Report {
  return { ...report, warnings: (report.warnings ?? []).map(packMessages) }
}

export function unpackWarnings<
  Warning extends EnglishMessages,
  Report extends WithWarnings<Warning>,
>(report: Report & WithWarnings<Warning>): Report {
  return { ...report, warnings: (report.warnings ?? []).map(unpackMessages) }
}

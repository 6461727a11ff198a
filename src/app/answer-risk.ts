import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { AgentEvent } from '../agent/event.ts'
import type { ClaimLimit } from '../agent/groundings/cited.ts'
import { detectReplyLanguage } from '../agent/messages/reply-language.ts'
import {
  type Calibration,
  type JudgedAnswers,
  limitRisk,
  type RiskLimit,
} from '../answer/risk-limit.ts'
import type { Settings } from '../config.ts'
import { type LocalizableMessage, localizable, withMessage } from '../errors/localizable.ts'
import { describeSchemaFault } from '../errors/schema-issue.ts'
import { AppError } from '../errors.ts'
import type { Warning } from '../ingest/parse/parser.ts'
import type { Language } from '../text/language.ts'
import type { AnswerJson } from '../wire/answer.ts'

type AnswerRisk = Pick<Settings['answering'], 'calibration' | 'maxRisk'>
export type RiskLimits = Readonly<Record<Language, RiskLimit>>

/** Judged answers to the development questions (bench/calibrate.ts). */
const SHIPPED = new URL('../../data/calibration.json', import.meta.url)

const confidences = z.array(z.number().min(0).max(1))
const judgedSchema = z.strictObject({
  asked: z.int().min(0),
  right: confidences,
  wrong: confidences,
})
const byLanguage = { en: judgedSchema, zh: judgedSchema }
const calibrationSchema = z.strictObject({
  ...byLanguage,
  claims: z.strictObject(byLanguage).optional(),
})

/** Returns undefined if any risk is accepted. Throws `invalid_input` for another file. */
export async function findRiskLimits({
  calibration: file,
  maxRisk,
}: AnswerRisk): Promise<RiskLimits | undefined> {
  if (maxRisk >= 1) return undefined
  const { en, zh } = await readCalibration(file ?? SHIPPED)
  return { en: limitRisk(en, maxRisk), zh: limitRisk(zh, maxRisk) }
}

/** Uses the shipped claims where the operator's calibration has none. */
async function findClaimLimits({ calibration, maxRisk }: AnswerRisk) {
  if (maxRisk >= 1) return undefined
  const own = await readCalibration(calibration ?? SHIPPED)
  const claims = own.claims ?? (await readCalibration(SHIPPED)).claims
  if (!claims) throw new Error(`${SHIPPED.href} has no claims.`)
  return { en: limitRisk(claims.en, maxRisk), zh: limitRisk(claims.zh, maxRisk) }
}

export async function findClaimLimit(risk: AnswerRisk): Promise<ClaimLimit | undefined> {
  const limits = await findClaimLimits(risk)
  if (!limits) return undefined
  const warn = (language: Language): Warning => {
    const { coverage, unlimited } = limits[language]
    return withMessage(
      { code: 'claims_too_unsure' },
      localizable`At most ${toPercent(risk.maxRisk)} of confirmed sentences may be wrong. So ${toPercent(coverage)} of test sentences, half of them wrong, are confirmed, instead of ${toPercent(unlimited)}.`,
    )
  }
  return { minSupport: getMinConfidence(limits), warn }
}

async function readCalibration(file: string | URL): Promise<Calibration> {
  const parsed = calibrationSchema.safeParse(await readJson(file))
  if (parsed.success) return parsed.data
  const { field, what } = describeSchemaFault(parsed.error)
  throw new AppError('invalid_input', localizable`${String(file)}: ${field} ${what}.`, {
    advice: ADVICE,
  })
}

const ADVICE = 'passim eval DIR --extractive --calibration FILE writes such a file.'

async function readJson(file: string | URL): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (cause) {
    throw new AppError('invalid_input', localizable`Cannot read the calibration ${String(file)}.`, {
      cause,
      advice: ADVICE,
    })
  }
}

type JudgedQuestion = {
  readonly answer: Pick<AnswerJson, 'question' | 'abstained' | 'confidence'>
  readonly correct?: boolean
}

/** Leaves out answers without a confidence, such as overviews. */
export function collectCalibration(questions: readonly JudgedQuestion[]): Calibration {
  const collect = (language: Language): JudgedAnswers => {
    const own = questions.filter(one => detectReplyLanguage(one.answer.question) === language)
    const select = (isRight: boolean) =>
      own.flatMap(({ answer: { abstained, confidence }, correct = false }) =>
        abstained || confidence === undefined || correct !== isRight ? [] : [confidence],
      )
    return { asked: own.length, right: select(true), wrong: select(false) }
  }
  return { en: collect('en'), zh: collect('zh') }
}

export function getMinConfidence({ en, zh }: RiskLimits): Readonly<Record<Language, number>> {
  return { en: en.minConfidence, zh: zh.minConfidence }
}

/** Says in a refusal that an answer was found, and how many the limit leaves. */
export async function* withRiskWarning(
  events: AsyncIterable<AgentEvent>,
  limits: RiskLimits,
  maxRisk: number,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    const isWithheld =
      event.type === 'finish' && event.result.abstained && event.result.confidence !== undefined
    if (!isWithheld) {
      yield event
      continue
    }
    const { result } = event
    const { coverage, unlimited } = limits[detectReplyLanguage(result.question)]
    const warning = withMessage(
      { code: 'too_unsure' },
      localizable`An answer was found, but it is too unsure: at most ${toPercent(maxRisk)} of answers may be wrong. So ${toPercent(coverage)} of test questions are answered, instead of ${toPercent(unlimited)}.`,
    )
    yield { ...event, result: { ...result, warnings: [...(result.warnings ?? []), warning] } }
  }
}

export async function describeRisk(answering: AnswerRisk): Promise<LocalizableMessage> {
  const answers = await findRiskLimits(answering)
  const claims = await findClaimLimits(answering)
  if (!answers || !claims) return localizable`not limited`
  const [en, zh, claimsEn, claimsZh] = [answers.en, answers.zh, claims.en, claims.zh].map(
    ({ coverage, unlimited }) =>
      localizable`${toPercent(coverage)} instead of ${toPercent(unlimited)}`,
  )
  return localizable`at most ${toPercent(answering.maxRisk)} of answers without a model are wrong; answered of English test questions ${en}, of Chinese ones ${zh}; confirmed of English test sentences ${claimsEn}, of Chinese ones ${claimsZh}`
}

function toPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`
}

import { type AgentResult, getCutReason } from '../../agent/event.ts'
import { detectReplyLanguage } from '../../agent/messages/reply-language.ts'
import type { Citation } from '../../answer/citations/citation.ts'
import type { Language } from '../../text/language.ts'

type AnswerLabels = {
  readonly sources: string
  readonly nearest: string
  readonly contradicted: string
  readonly unconfirmed: string
  readonly checked: string
  readonly unknown: string
  readonly notStated: string
  readonly cut: string
  readonly filtered: string
}

const ANSWER_LABELS: Readonly<Record<Language, AnswerLabels>> = {
  en: {
    sources: 'Sources',
    nearest: 'This may answer it',
    contradicted: 'The documents say otherwise',
    unconfirmed: 'Not confirmed by the documents',
    checked: 'Checked against the sources:',
    unknown: 'not confirmed',
    notStated: 'does not state it',
    cut: 'The answer ends here because the model reached its token limit (model.maxTokens).',
    filtered: "The answer ends here because the model's content filter stopped it.",
  },
  zh: {
    sources: '来源',
    nearest: '最接近的段落',
    contradicted: '与文档不符',
    unconfirmed: '文档未能证实',
    checked: '与来源核对之后：',
    unknown: '未能证实',
    notStated: '并未说明这一点',
    cut: '回答在此中断：已达到模型的 token 上限（model.maxTokens）。',
    filtered: '回答在此中断：被模型的内容过滤器拦下。',
  },
}

export function answerLabels({ question }: Pick<AgentResult, 'question'>): AnswerLabels {
  return ANSWER_LABELS[detectReplyLanguage(question)]
}

export function placeLabel(
  {
    page,
    pageLabel,
    headings,
    support,
  }: Pick<Citation, 'page' | 'pageLabel' | 'headings' | 'support'>,
  answer: AgentResult,
): string {
  const { unknown, notStated } = answerLabels(answer)
  const name = pageLabel ?? page
  const pageName = detectReplyLanguage(answer.question) === 'zh' ? `第 ${name} 页` : `p. ${name}`
  const place = page === undefined ? headings.join(' › ') : pageName
  const doubt = { stated: '', unknown, 'not-stated': notStated }[support]
  return [place, answer.abstained ? '' : doubt].filter(Boolean).join(', ')
}

export function cutLabel(
  answer: Pick<AgentResult, 'question' | 'finishReason'>,
): string | undefined {
  const { cut, filtered } = answerLabels(answer)
  const reason = getCutReason(answer)
  if (reason === 'length') return cut
  return reason === 'content-filter' ? filtered : undefined
}

export function selectContradicted({
  unsupported,
  unconfirmed = [],
}: Pick<AgentResult, 'unsupported' | 'unconfirmed'>): readonly string[] {
  return unsupported.filter(sentence => !unconfirmed.includes(sentence))
}

import type { Language } from '../../text/language.ts'
import { fenceFor } from '../fence.ts'
import { NOTHING_FOUND, QUOTED } from '../phrases.ts'
import { linkName, sourceLabels } from '../source-labels.ts'

/** Knowledge that an agent is given: where it is from, and its text. A `label` is what to call it; else its base name is. */
export type KnowledgeItem = { readonly source: string; readonly content: string; readonly label?: string }

const HEADING: Readonly<Record<Language, string>> = { zh: '# 知识库', en: '# Knowledge Base' }
const UPLOADED: Readonly<Record<Language, string>> = { zh: '上传的文档', en: 'uploaded document' }

const TITLE: Readonly<Record<Language, (name: string) => string>> = {
  zh: name => `## 来自 [文件](${name}) 的内容：`,
  en: name => `## The content from [file](${name}):`,
}

/** Between two pieces of one source. */
const GAP = '\n\n...\n\n'

/** The part of a system message that holds knowledge, each source fenced; '' without any. A plain text is an uploaded document. */
export function knowledgePrompt(knowledge: string | readonly KnowledgeItem[], language: Language): string {
  const items = typeof knowledge === 'string' ? [{ source: UPLOADED[language], content: knowledge }] : knowledge
  const filled = items.filter(item => item.content.trim() !== '')
  if (filled.length === 0) return ''
  const sources = [...new Set(filled.map(item => item.source))]
  const labels = sourceLabels(sources)
  const parts = sources.map(source => {
    const own = filled.filter(item => item.source === source)
    const content = own.map(item => item.content)
    return `${TITLE[language](linkName(own[0]?.label ?? labels.get(source) ?? source))}\n\n${quote(content.join(GAP))}`
  })
  return [HEADING[language], ...parts, QUOTED[language]].join('\n\n')
}

/** The same where the documents at hand were searched in vain: a model that is told nothing would answer from memory. */
export function nothingKnown(language: Language): string {
  return [HEADING[language], NOTHING_FOUND[language]].join('\n\n')
}

function quote(content: string): string {
  const fence = fenceFor(content)
  return `${fence}\n${content}\n${fence}`
}

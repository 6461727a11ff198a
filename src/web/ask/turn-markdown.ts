import type { ConversationHeadJson } from '../../wire/conversation.ts'
import { saveAs } from '../documents/stored-document.ts'
import { t } from '../preferences.ts'
import { formatPlace } from '../source/shown-source.ts'
import { readTurns } from './conversation.ts'
import type { Turn } from './turn.ts'

export function formatWithSources({ answer, citations, isAbstained }: Turn): string {
  if (citations.length === 0) return answer
  const lines = citations.map(citation => {
    const words = citation.text.replace(/\s+/g, ' ').trim()
    return `- [${citation.marker}] ${escapeMarkdown(formatPlace(citation))}: “${escapeMarkdown(words)}”`
  })
  const heading = isAbstained ? t().ask.nearest : t().ask.sources
  return `${answer}\n\n**${heading}**\n\n${lines.join('\n')}\n`
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_<>[\]#|]/g, '\\$&')
}

function formatConversation(title: string, turns: readonly Turn[]): string {
  const parts = turns.map(
    turn => `## ${escapeMarkdown(turn.question)}\n\n${formatWithSources(turn)}`,
  )
  return `# ${escapeMarkdown(title)}\n\n${parts.join('\n\n')}\n`
}

export async function saveConversation({ id, title }: ConversationHeadJson): Promise<void> {
  let turns: readonly Turn[] = []
  for (let before: number | undefined; ; before = turns[0]?.number) {
    const page = await readTurns(id, before)
    turns = [...page.turns.map(turn => turn.peek()), ...turns]
    if (!page.hasMore) break
  }
  const name = title || t().ask.untitled
  const bytes = new Blob([formatConversation(name, turns)], { type: 'text/markdown' })
  saveAs(bytes, `${name.replace(/[\\/:*?"<>|]/g, ' ').trim()}.md`)
}

// A page of somebody else's, on the unmodified useChat: what it keeps of a chat, part by part.
import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { createElement as element } from 'react'
import { createRoot } from 'react-dom/client'

const id = new URLSearchParams(location.search).get('id')
const kept = await fetch(`/api/chat/${id}`)
const { messages } = kept.ok ? await kept.json() : { messages: [] }
const transport = new DefaultChatTransport({ api: '/api/chat', body: { skill: 1 } })

function Chat() {
  const chat = useChat({
    ...{ id, messages, transport, resume: true },
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const ask = event => {
    event.preventDefault()
    chat.sendMessage({ text: new FormData(event.currentTarget).get('question') })
  }
  return element(
    'main',
    { 'data-status': chat.status },
    chat.messages.map(message =>
      element(Message, { key: message.id, message, decide: chat.addToolApprovalResponse }),
    ),
    element('form', { onSubmit: ask }, element('input', { name: 'question' })),
    chat.error && element('p', { role: 'alert' }, chat.error.message),
  )
}

function Message({ message, decide }) {
  const parts = message.parts.map((part, at) => element(Part, { key: at, part, decide }))
  return element('article', { 'data-role': message.role, 'data-id': message.id }, parts)
}

function Part({ part, decide }) {
  const facts = { 'data-part': part.type, 'data-state': part.state }
  if (part.type === 'source-document') return element('cite', facts, part.filename)
  if (part.type !== 'dynamic-tool') return element('p', facts, part.text)
  const button = approved =>
    element(
      'button',
      { type: 'button', onClick: () => decide({ id: part.approval.id, approved }) },
      approved ? 'Approve' : 'Refuse',
    )
  const waits = part.state === 'approval-requested'
  return element('div', facts, part.toolName, waits && button(true), waits && button(false))
}

createRoot(document.body.appendChild(document.createElement('div'))).render(element(Chat))

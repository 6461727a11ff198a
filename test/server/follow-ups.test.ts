import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import {
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../fakes/scripted-model-server.ts'
import { Sandbox } from '../fakes/store.ts'
import { Api } from './api.ts'

const RULES = `# Travel rules

## 1.1 Hotels

A hotel costs at most 180 euros a night in every capital of Europe.

## 1.2 Trains and flights

Take the train for distances below 600 kilometres.

## 1.3 An empty heading

## 1.4 Meals

Each day of travel is paid a flat 28 euros.
`
const CHINESE = `# 差旅制度

## 住宿标准

一线城市住宿每晚不超过六百元，其他城市不超过四百元。

## 报销流程

出差结束后三十天内提交票据，财务部在两周内付款。
`

let sandbox: Sandbox
let passim: Passim
let api: Api
let model: ScriptedModel
let reply: (prompt: string) => ScriptedReply

beforeAll(async () => {
  sandbox = await Sandbox.make()
  model = await startScriptedModel(({ body }) => reply(String(body.messages[0]?.content)))
  passim = await sandbox.open({ settings: { model: { url: model.url, name: 'scripted' } } })
  await passim.index([await sandbox.write({ 'rules.md': RULES, '制度.md': CHINESE })])
  api = new Api(passim)
})
afterAll(async () => {
  await sandbox.remove()
  await model.close()
})

async function ask(question: string, options: object = {}): Promise<string> {
  const body = { question, conversation: 'new', ...options }
  const { conversation, turn } = await api.json('POST', '/api/ask', body)
  return `${conversation}.${turn}`
}

async function suggest(id: string): Promise<readonly string[]> {
  const { questions } = await api.json('GET', `/api/answers/${id}/follow-ups`)
  return questions as readonly string[] // the route's
}

test('without a model the headings near the citations are asked about, and each is answered', async () => {
  const id = await ask('What may a hotel cost?', { extractive: true })
  const questions = await suggest(id)
  expect(questions).toEqual([
    'What about Trains and flights?',
    'What about Meals?',
    'Summarise rules.md',
  ])
  for (const question of questions) {
    const answer = await api.json('POST', '/api/ask', { question, extractive: true })
    expect([question, answer.abstained]).toEqual([question, false])
  }
})

test('a Chinese question is followed by Chinese ones, which are answered', async () => {
  const id = await ask('一线城市住宿每晚不超过多少元？', { extractive: true })
  const questions = await suggest(id)
  expect(questions).toEqual(['关于报销流程有什么内容？', '总结《制度.md》'])
  for (const question of questions) {
    const answer = await api.json('POST', '/api/ask', { question, extractive: true })
    expect([question, answer.abstained]).toEqual([question, false])
  }
})

test('a model writes them once, from the topics; if it fails, headings serve', async () => {
  let suggesting = 0
  reply = prompt => {
    if (!prompt.includes('may ask next')) return { text: ['At most 180 euros a night [1].'] }
    suggesting++
    return { text: ['1. How far may I fly?\n- And what is\n- What is paid for a meal?'] }
  }
  const id = await ask('What may a hotel cost?')
  expect(await suggest(id)).toEqual(['How far may I fly?', 'What is paid for a meal?'])
  expect(await suggest(id)).toHaveLength(2)
  expect(suggesting).toBe(1)
  reply = prompt =>
    prompt.includes('may ask next')
      ? { status: 400 }
      : { text: ['It costs at most 180 euros [1].'] }
  const other = await ask('How much may a night in a hotel cost?')
  expect((await suggest(other))[0]).toBe('What about Trains and flights?')
})

test('an answer that does not exist has none', async () => {
  expect((await api.request('GET', '/api/answers/conv_none.1/follow-ups')).status).toBe(404)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSubjectReadings } from '../../../src/agent/memory/conversation-subject.ts'
import type { Passim } from '../../../src/app/passim.ts'
import { collectAnswer } from '../../fakes/answers.ts'
import { Sandbox } from '../../fakes/store.ts'

const PARK = '# 公园\n\n## 白鹭公园\n\n白鹭公园的门票是二十元。\n\n白鹭公园的负责人是周敏。\n\n'
const OTHER_PARK = '## 青松公园\n\n青松公园的门票是十五元。\n\n青松公园的负责人是韩磊。\n'
const MUSEUMS = `# Museums

The Lindqvist Museum opens at 9:30.

Admission to the Lindqvist Museum is 12 euros.

The Harbour Gallery opens at 11:00.

Admission to the Harbour Gallery is 7 euros.
`
const KILNS = {
  'k7.md': '# Kiln K7\n\nThe kiln K7 reaches 1250 degrees.\n\nIts door seal lasts 30 months.\n',
  'q2.md': '# Kiln Q2\n\nThe kiln Q2 reaches 980 degrees.\n\nIts door seal lasts 40 months.\n',
}

const SAWS = `# Saws

The S-40 weighs 2 kg. Its battery lasts 35 minutes. The warranty of the S-40 is 2 years.

The S-90 weighs 5 kg. Its battery lasts 80 minutes. The warranty of the S-90 is 6 years.
`
const PEOPLE = {
  'lund.md': '# Ada Lund\n\nAda Lund was born in Turku. She studied botany in Lund.\n',
  'berg.md': '# Olaf Berg\n\nOlaf Berg was born in Narvik. He studied geology in Bergen.\n',
}
const PERMITS = `# 许可

## 临时许可

临时许可有效期为三个月。费用为四十元。

## 长期许可

长期许可有效期为三十个月。费用为九百元。
`
const HALLS = `# Halls

The wooden hall seats 120 people and has an organ.

The brick hall seats 450 people and has a stage.
`
const BAYS = `# Harbours

## Bay of Lund

The Bay of Lund is 14 metres deep. Anchoring in the Bay of Lund costs 30 euros.

## Bay of Kings

The Bay of Kings is 22 metres deep. Anchoring in the Bay of Kings costs 45 euros.
`
const STAFF = `# Staff

Nora Quist runs the archive. Nora Quist started in 2012.

Ivan Petrov runs the forge. Ivan Petrov started in 2019.
`
const PEAKS = {
  '云岭.md': '# 云岭\n\n云岭海拔3412米。由林涛首次登顶。\n',
  '鹤山.md': '# 鹤山\n\n鹤山海拔2987米。由沙鸥首次登顶。\n',
}
const COVER = `# 保障

## 行李险

行李险最高赔付三千元。

行李险的免赔额为75元。

## 房屋险

房屋险最高赔付九万元。

房屋险的免赔额为150元。

| 船型 | 长度 | 检修 |
|---|---|---|
| 快艇 | 6米 | 三月 |
| 驳船 | 40米 | 八月 |
`
const PASSES = `# Passes

The ten-trip pass is valid for 90 days.

Renewal of the ten-trip pass takes 15 minutes.

The annual pass is valid for one year.

Renewal of the annual pass takes 40 minutes.
`

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  const files = {
    ...KILNS,
    ...PEOPLE,
    ...PEAKS,
    'staff.md': STAFF,
    'bays.md': BAYS,
    'museums.md': MUSEUMS,
    '公园.md': PARK + OTHER_PARK,
    'saws.md': SAWS,
    '许可.md': PERMITS,
    'halls.md': HALLS,
    '保障.md': COVER,
    'passes.md': PASSES,
  }
  await passim.index([await sandbox.write(files)])
})
afterAll(() => sandbox.remove())

async function askAfter(first: string, question: string): Promise<string> {
  const said = await collectAnswer(passim.ask({ question: first }))
  const history = [
    { role: 'user', content: first },
    { role: 'assistant', content: said.answer },
  ] as const
  return (await collectAnswer(passim.ask({ question, history }))).answer
}

function check(first: string, question: string, right: string, wrong: string): void {
  test(`${first} ${question}`, async () => {
    const answer = await askAfter(first, question)
    expect(answer).toContain(right)
    expect(answer).not.toContain(wrong)
  })
}

describe('a follow-up keeps the subject of the conversation', () => {
  check('When does the Lindqvist Museum open?', 'How much is admission?', '12 euros', '7 euros')
  check('When does the Harbour Gallery open?', 'How much is admission?', '7 euros', '12 euros')
  check('What temperature does the kiln Q2 reach?', 'And the door seal?', '40', '30')
  check('青松公园的门票是多少？', '负责人是谁？', '韩磊', '周敏')
  check('白鹭公园的负责人是谁？', '门票多少钱？', '二十元', '十五元')
  check('鹤山海拔多少米？', '它是谁首次登顶的？', '沙鸥', '林涛')
  check('How deep is the Bay of Kings?', 'What does anchoring in it cost?', '45 euros', '30 euros')
  check('Who runs the archive?', 'When did she start?', '2012', '2019')
  check('Who runs the forge?', 'When did he start?', '2019', '2012')
  check('How long does the battery of the S-40 last?', 'What about the warranty?', '2 y', '6 y')
  check('行李险最高赔多少？', '免赔额是多少？', '75元', '150元')
  check('驳船有多长？', '什么时候检修？', '八月', '三月')
  check('How long is the ten-trip pass valid?', 'And how long does renewal take?', '15', '40')
})

describe('a fragment replaces what is of its kind', () => {
  check('What did Ada Lund study?', 'And Olaf Berg?', 'geology', 'botany')
  check('How deep is the Bay of Lund?', 'And the Bay of Kings?', '22 metres', '14 metres')
  check('What is the warranty of the S-90?', 'And of the S-40?', '2 years', '6 years')
  check('What is the warranty of the S-90?', 'And that of the S-40?', '2 years', '6 years')
  check('How many people does the wooden hall seat?', 'And the brick one?', '450', '120')
  check('临时许可的费用是多少？', '那长期许可的呢？', '九百元', '四十元')
})

describe('a complete question is answered as without the conversation', () => {
  const check = (first: string, question: string) =>
    test(`${first} ${question}`, async () => {
      const alone = await collectAnswer(passim.ask({ question }))
      expect(await askAfter(first, question)).toBe(alone.answer)
    })

  check('When does the Lindqvist Museum open?', 'How much is admission to the Harbour Gallery?')
  check('When does the Lindqvist Museum open?', 'What temperature does the kiln K7 reach?')
  check('When does the Lindqvist Museum open?', 'Which museums are there?')
  check('青松公园的门票是多少？', '白鹭公园的负责人是谁？')
  check('临时许可的有效期是多久？', '长期许可的费用是多少？')
  check('行李险最高赔多少？', '房屋险的免赔额是多少？')
  check('How long is the ten-trip pass valid?', 'How long does renewal of the annual pass take?')
  check('Where was Ada Lund born?', 'What did Olaf Berg study?')
})

test('a subject replaces a pronoun, or is added', () => {
  const read = (first: string, question: string) =>
    listSubjectReadings({ question, history: [{ role: 'user', content: first }] }).map(
      ({ text }) => text,
    )
  expect(read('Who operates the kiln Q2?', 'What does it cost?')).toContain(
    'What does kiln Q2 cost?',
  )
  expect(read('Who operates the kiln Q2?', 'And the door seal?')).toContain(
    'the door seal kiln Q2?',
  )
  expect(read('青松公园的门票是多少？', '负责人呢？')).toEqual(['青松公园的负责人？'])
})

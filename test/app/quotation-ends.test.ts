import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../src/app/passim.ts'
import { collectAnswer } from '../fakes/answers.ts'
import { Sandbox } from '../fakes/store.ts'
import { pptx, shape } from '../fixtures/pptx.ts'

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  passim = await sandbox.open()
  await passim.index([
    await sandbox.write({
      '消防.md':
        '# 消防问答\n\n**问** 灭火器多久检查一次？\n\n答 灭火器每月检查一次\n\n**演练**\n\n每年春天全员参加疏散\n',
      'drills.md':
        '# Fire questions\n\nAnswer: the extinguishers are checked every month\n\n**Drills**\n\nEverybody leaves the building each spring\n',
      'kiln.pptx': pptx([
        {
          shapes: shape('Kiln', 'title') + shape('The kiln is fired to 1,240 degrees'),
          notes: 'Mention the new thermocouple',
        },
      ]),
      'tents.md':
        '# Tents\n\n| Tent | Weight | Price |\n| --- | --- | --- |\n| Evergreen | 2.1 kg | 310 euros |\n| Alpine | 1.4 kg | 480 euros |\n| Meadow | 3.0 kg | 190 euros |\n',
      'boiler.md':
        '# Boiler\n\nThe boiler costs 900 euros and is serviced in October.\n\nThe pump is loud.\n',
      '帐篷.md':
        '# 帐篷\n\n| 帐篷 | 重量 | 价格 |\n| --- | --- | --- |\n| 松林 | 2.1公斤 | 310元 |\n| 雪峰 | 1.4公斤 | 480元 |\n',
    }),
  ])
})
afterAll(() => sandbox.remove())

const ask = async (question: string) => await collectAnswer(passim.ask({ question }))

test('a quotation of a line without a full stop ends before the bold line below', async () => {
  const chinese = await ask('灭火器多久检查一次？')
  expect(chinese.citations[0]?.text).toMatch(/灭火器每月检查一次$/)
  const english = await ask('How often are the extinguishers checked?')
  expect(english.citations[0]?.text).toMatch(/checked every month$/)
  for (const { answer } of [chinese, english]) expect(answer).not.toMatch(/演练|Drills/)
})

test('a quotation of a slide ends before its notes', async () => {
  const { answer, citations } = await ask('To how many degrees is the kiln fired?')
  expect(citations[0]?.text).toMatch(/1,240 degrees$/)
  expect(answer).not.toMatch(/Notes|thermocouple/)
})

test('both rows of a comparison are quoted, in both languages', async () => {
  const english = await ask('Which is heavier, the Evergreen or the Alpine?')
  expect(english.answer).toMatch(/2\.1 kg[\s\S]*1\.4 kg/)
  const chinese = await ask('松林和雪峰哪个更重？')
  expect(chinese.answer).toMatch(/2\.1公斤[\s\S]*1\.4公斤/)
})

test('a question of two parts quotes nothing twice', async () => {
  const { answer, citations } = await ask(
    'What does the boiler cost, and when is the boiler serviced?',
  )
  expect(answer.split('900 euros')).toHaveLength(2)
  const places = citations.map(({ documentId, charStart }) => `${documentId} ${charStart}`)
  expect(new Set(places).size).toBe(places.length)
})

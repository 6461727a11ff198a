import { expect, test } from 'vitest'
import { answerFrom } from '../fakes/quoted-answer.ts'

const DOCUMENTS = [
  {
    name: 'handbook.md',
    text: '# Staff handbook\n\nIt is for the mill.\n\n## Parking\n\nEmployees park behind the silo. Visitors park in the street.\n\n## Leave\n\nIt lasts thirty days.',
  },
  {
    name: 'guests.md',
    text: '# House rules\n\nThey are for guests.\n\n## Parking\n\nCars stand in the yard. The gate is locked at ten.\n\n## Dogs\n\nDogs are welcome.',
  },
  {
    name: '员工手册.md',
    text: '# 员工手册\n\n适用于面粉厂。\n\n## 停车\n\n车辆停放在筒仓后面。访客停车停在街上。\n\n## 休假\n\n每年三十天。',
  },
  {
    name: '民宿须知.md',
    text: '# 民宿须知\n\n适用于客人。\n\n## 停车\n\n车辆停放在院内。停车后大门十点上锁。\n\n## 宠物\n\n欢迎带狗。',
  },
]

test.each([
  [
    'What does handbook.md say about parking?',
    'handbook.md',
    /behind the silo[\s\S]*in the street/,
  ],
  ['What is said about parking in guests.md?', 'guests.md', /in the yard[\s\S]*locked at ten/],
  [
    'Does handbook.md say anything about parking?',
    'handbook.md',
    /behind the silo[\s\S]*in the street/,
  ],
  ['员工手册.md里关于停车怎么说？', '员工手册.md', /筒仓后面[\s\S]*街上/],
  ['民宿须知.md里关于停车说了什么？', '民宿须知.md', /院内[\s\S]*上锁/],
  ['《民宿须知》对停车有什么规定？', '民宿须知.md', /院内[\s\S]*上锁/],
])(
  '%s is answered by what that document has under the subject',
  async (question, name, expected) => {
    const { abstained, answer, citations } = await answerFrom(question, ...DOCUMENTS)
    expect(abstained).toBe(false)
    expect(answer).toMatch(expected)
    expect(answer).not.toMatch(/thirty days|welcome|三十天|欢迎/)
    expect(new Set(citations.map(({ doc }) => doc))).toEqual(new Set([name]))
  },
)

test.each(['员工手册.md里关于宠物怎么说？', '员工手册.md里关于宠物说了什么？'])(
  '%s is refused where only another document treats it',
  async question =>
    expect(await answerFrom(question, ...DOCUMENTS)).toMatchObject({ abstained: true }),
)

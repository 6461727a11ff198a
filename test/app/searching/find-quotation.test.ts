import { copyFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Passim } from '../../../src/app/passim.ts'
import { open as openPublic } from '../../../src/index.ts'
import { Sandbox } from '../../fakes/store.ts'
import { picture } from '../../fixtures/drawn.ts'

const POLICY = `# Travel policy

Employees who travel shall hand in the receipts for their journey no later than ten working days after their return.
The cost of a hotel is reimbursed up to the limit of the city. Whoever exceeds it pays the difference himself.

## 报销流程

员工应当在出差结束后十个工作日内提交报销单及合法有效的原始凭证，财务部收到完整单据后五个工作日内完成审核与付款。
`

let sandbox: Sandbox
let passim: Passim
beforeAll(async () => {
  sandbox = await Sandbox.make()
  const folder = await sandbox.write({
    'policy.md': POLICY,
    'other.md': 'Employees who travel by train buy a ticket for the second class.',
  })
  passim = await sandbox.open()
  await passim.index([folder], { collection: 'rules', withoutVectors: true })
})
afterAll(() => sandbox.remove())

async function findPlaces(text: string) {
  return (await passim.find({ text })).places.map(({ doc, text: found }) => [doc, found])
}

test('a quotation is found with slips, line ends and hyphens', async () => {
  expect(
    await findPlaces(
      'shall hand in the reciepts for thier jour-\nney no later then ten\nworking days',
    ),
  ).toEqual([
    ['policy.md', 'shall hand in the receipts for their journey no later than ten working days'],
  ])
})

test('Traditional Chinese in full width is found in Simplified', async () => {
  const [place] = await findPlaces('財務部收到完整單據後五個工作日內完成審核與付款')
  expect(place).toEqual(['policy.md', '财务部收到完整单据后五个工作日内完成审核与付款'])
})

test('a text that no document has is found nowhere', async () => {
  expect(
    await findPlaces('Employees who fly shall choose the cheapest airline that is safe.'),
  ).toEqual([])
  expect(await findPlaces('乘坐飞机的员工应当选择最便宜的航空公司。')).toEqual([])
})

test('a place has the headings, and a share of equal letters', async () => {
  const { places } = await passim.find({
    text: 'The cost of a hotel is reimbursed up to the limit',
  })
  expect(places).toMatchObject([{ headings: ['Travel policy'], similarity: 1 }])
})

test('too little, too much, both and neither are refused', async () => {
  const message = async (options: Parameters<Passim['find']>[0]) =>
    await passim.find(options).then(String, error => error.message)
  expect(await message({ text: 'a b' })).toContain('at least 6 letters')
  expect(await message({ text: 'a'.repeat(20_001) })).toContain('give at most 20000')
  expect(await message({})).toBe('Give a quotation or a file.')
  expect(await message({ text: 'abcdefgh', file: 'x.png' })).toBe(
    'Give a quotation or a file, not both.',
  )
  expect(await message({ file: sandbox.path('none.png') })).toContain('none.png')
})

test('a file is found by what it says', async () => {
  await copyFile(sandbox.path('policy.md'), sandbox.path('../copy.md'))
  const { places } = await passim.find({ file: sandbox.path('../copy.md') })
  expect(places[0]).toMatchObject({ doc: 'policy.md', similarity: 1 })
})

function writeDeck(slides: readonly (readonly string[])[]): string {
  const pages = slides.map(lines => {
    const text = lines.map(line => `<text:p>${line}</text:p>`).join('')
    return `<draw:page><draw:frame><draw:text-box>${text}</draw:text-box></draw:frame></draw:page>`
  })
  const namespaces = ['office', 'draw', 'text']
    .map(
      name =>
        `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'draw' ? 'drawing' : name}:1.0"`,
    )
    .join(' ')
  return `<?xml version="1.0"?><office:document ${namespaces} office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>${pages.join('')}</office:presentation></office:body></office:document>`
}

test('of pages that share most lines, the one with all lines of the picture is found', async () => {
  const CLAUSE = 'This clause is only an example, and nobody is bound by any word of it.'
  const heads = ['Interpretation', 'Payment of the rent', 'Termination by the landlord']
  const folder = await sandbox.write({
    'deck/deck.fodp': writeDeck(heads.map(head => [CLAUSE, head, CLAUSE])),
    '../photo.txt': [CLAUSE, heads[2], CLAUSE].join('\n\n'),
  })
  await passim.index([`${folder}/deck`], { collection: 'deck', withoutVectors: true })
  const file = sandbox.path('../photo.txt')
  const { places } = await passim.find({ file, collections: ['deck'] })
  expect(places[0]).toMatchObject({ doc: 'deck.fodp', page: 3, similarity: 1 })
})

test('a table is found whatever the order of its cells', async () => {
  const rows = [
    ['Category', 'Ballots completed', 'Accuracy', 'Time'],
    ['Blind', '1 of 5 people', '34.5 percent', '1199 seconds'],
    ['Low vision', '2 of 5 people', '98.3 percent', '1716 seconds'],
  ]
  const format = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const write = (table: readonly (readonly string[])[]) =>
    [format(table[0] ?? []), '|---|---|---|---|', ...table.slice(1).map(format)].join('\n')
  const folder = await sandbox.write({
    'table/ballots.md': write(rows),
    '../ballots.md': write(rows.map(cells => cells.toReversed())),
  })
  await passim.index([`${folder}/table`], { collection: 'table', withoutVectors: true })
  const file = sandbox.path('../ballots.md')
  const { places } = await passim.find({ file, collections: ['table'] })
  expect(places[0]?.similarity).toBeGreaterThan(0.9)
})

test('a picture is found whose lines a reader has joined across columns', async () => {
  const left = [
    'The annual growth of employment is half',
    'of what it was in the decade before, and',
    'nearly all of it is owed to services that',
    'ageing people need at home or in clinics.',
  ]
  const right = [
    'Real output shall rise by three percent,',
    'faster than at any time since the records',
    'began; factories, mines and farms together',
    'contribute a fifth of that additional sum.',
  ]
  const folder = await sandbox.write({
    'columns/outlook.txt': [...left, ...right].join('\n'),
    '../columns.txt': left.map((line, index) => `${line} ${right[index]}`).join('\n\n'),
  })
  await passim.index([`${folder}/columns`], { collection: 'columns', withoutVectors: true })
  const file = sandbox.path('../columns.txt')
  const { places } = await passim.find({ file, collections: ['columns'] })
  expect(places[0]).toMatchObject({ doc: 'outlook.txt' })
})

test('a short picture is not found by a heading that many texts have', async () => {
  const folder = await sandbox.write({
    'leases/lease.txt': 'Terms and Conditions\n\nThe rent is due on the first day of each month.',
    '../club.txt': 'Terms and Conditions\n\nRiverside Bowling Club, Ulm',
    '../lease-head.txt': 'Terms and Conditions\n\nThe rent is due on the frist day',
  })
  await passim.index([`${folder}/leases`], { collection: 'leases', withoutVectors: true })
  const findDocs = async (file: string) =>
    (await passim.find({ file: sandbox.path(file), collections: ['leases'] })).places.map(
      ({ doc }) => doc,
    )
  expect(await findDocs('../club.txt')).toEqual([])
  expect(await findDocs('../lease-head.txt')).toEqual(['lease.txt'])
})

const WORDS =
  'harbour window copper garden silver market ladder winter bottle orange travel doctor kitchen number button forest castle letter pencil mirror basket candle dragon engine feather guitar hammer island jacket kettle lantern magnet needle oyster parcel quarry ribbon saddle tunnel umbrella velvet walnut yellow zipper almond barrel cactus desert falcon goblet helmet insect jungle kidney lemon marble napkin olive pepper rabbit salmon temple violin wallet anchor bridge circle damage effort future gallery honest'.split(
    ' ',
  )

test('a short line tells which of two editions and which page of a deck a picture shows', async () => {
  const write = (flat: number) => {
    const lines = Array.from({ length: 24 }, (_, row) =>
      WORDS.slice(row * 3, row * 3 + 3).join(' '),
    )
    return [...lines.slice(0, 1), `Flat ${flat}`, ...lines.slice(1)]
  }
  const folder = await sandbox.write({
    'editions/first.txt': write(7).join('\n'),
    'editions/second.txt': write(8).join('\n'),
    'flats/deck.fodp': writeDeck([5, 6, 7, 8].map(write)),
  })
  for (const collection of ['editions', 'flats'])
    await passim.index([`${folder}/${collection}`], { collection, withoutVectors: true })
  const rows = write(7).map((text, row) => ({ text, x: 20, y: 30 + row * 20, size: 12 }))
  const { width, height, pixels } = await picture(rows, 420, 560)
  const file = sandbox.path('../page.png')
  await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(file)
  const find = async (collection: string) =>
    (await passim.find({ file, collections: [collection], limit: 1 })).places
  expect(await find('editions')).toMatchObject([{ doc: 'first.txt' }])
  expect(await find('flats')).toMatchObject([{ doc: 'deck.fodp', page: 3 }])
})

test('the public interface finds quotations', async () => {
  await sandbox.close()
  const store = await openPublic({ home: sandbox.home })
  const { places } = await store.find({ text: 'shall hand in the receipts for their journey' })
  await store.close()
  passim = await sandbox.open()
  expect(places).toMatchObject([{ doc: 'policy.md', similarity: 1 }])
})

test('a long quotation of one word leaves the thread to others', async () => {
  const folder = await sandbox.write({ 'words.txt': 'lorem ipsum '.repeat(10_000) })
  await passim.index([folder], { collection: 'words', withoutVectors: true })
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  await passim.find({ text: 'lorem ipsum '.repeat(1_600), collections: ['words'] })
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(5)
})

import { type ItemProperties, PROPERTY } from './properties.ts'

/** Facts of contacts, appointments and tasks ([MS-OXOCNTC], [MS-OXOCAL], [MS-OXOTASK]) by the names of their properties. */
const CONTACT_FACTS: readonly (readonly [label: string, name: number])[] = [
  ['Name', PROPERTY.shownName],
  ['Nickname', 0x3a4f],
  ['Company', 0x3a16],
  ['Department', 0x3a18],
  ['Job title', 0x3a17],
  ['Profession', 0x3a46],
  ['Manager', 0x3a4e],
  ['Assistant', 0x3a30],
  ['E-mail', 0x8083],
  ['E-mail 2', 0x8093],
  ['E-mail 3', 0x80a3],
  ['Business telephone', 0x3a08],
  ['Business telephone 2', 0x3a1b],
  ['Home telephone', 0x3a09],
  ['Mobile telephone', 0x3a1c],
  ['Other telephone', 0x3a1f],
  ['Business fax', 0x3a24],
  ['Business address', 0x801b],
  ['Home address', 0x801a],
  ['Other address', 0x801c],
  ['Web page', 0x802b],
  ['Instant messaging', 0x8062],
  ['Spouse', 0x3a48],
  ['Birthday', 0x3a42],
]
const APPOINTMENT_FACTS: typeof CONTACT_FACTS = [
  ['Start', 0x820d],
  ['End', 0x820e],
  ['Location', 0x8208],
  ['Repeats', 0x8232],
]
const TASK_FACTS: typeof CONTACT_FACTS = [
  ['Start', 0x8104],
  ['Due', 0x8105],
  ['Completed', 0x810f],
  ['Owner', 0x811f],
]

/** Classes of items ([MS-OXCMSG] 2.2.1.3) with facts of their own. */
const CLASSES: readonly (readonly [RegExp, typeof CONTACT_FACTS])[] = [
  [/^IPM\.Contact\b/i, CONTACT_FACTS],
  [/^IPM\.(?:Appointment|Schedule)\b/i, APPOINTMENT_FACTS],
  [/^IPM\.Task\b/i, TASK_FACTS],
]

const FIRST_NAMED = 0x8000

export async function listFacts(
  own: ItemProperties,
  names: ReadonlyMap<number | string, number>,
  read: (name: number) => Promise<string>,
): Promise<readonly string[]> {
  const kind = await read(PROPERTY.messageClass)
  const facts = CLASSES.find(([name]) => name.test(kind))?.[1] ?? []
  const lines: string[] = []
  for (const [label, name] of facts) {
    const stored = name < FIRST_NAMED ? name : names.get(name)
    if (stored === undefined) continue
    const value = own.getTime(stored) ?? (await read(stored)).replace(/\s+/g, ' ').trim()
    if (value) lines.push(`${label}: ${value}`)
  }
  return lines
}

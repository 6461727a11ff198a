import { getFirst } from '../../../../../system/items.ts'
import type { LooseObject } from './loose-objects.ts'
import { findReferences } from './loose-objects.ts'

type Objects = ReadonlyMap<number, LooseObject>

type PageState = 'whole' | 'broken' | 'missing'

/** Lists in lists, so that a circle ends. */
const MAX_DEPTH = 50

/** Bounded, so that a page of thousands costs little. */
const MAX_DRAWINGS = 1000

/** Text in a missing font is read as in an ordinary one of this name. */
export const LOST_FONT = 'LostFont'
export const LOST_FONT_TEXT = `<</Type/Font/Subtype/Type1/BaseFont/${LOST_FONT}/Encoding/WinAnsiEncoding>>`

export function checkPageState(objects: Objects, page: LooseObject): PageState {
  const contents = listContents(objects, page).map(number => objects.get(number))
  if (contents.length > 0 && contents.every(content => content === undefined)) return 'missing'
  const drawings = listDrawings(objects, findResources(objects, page) ?? '')
  return [...contents, ...drawings].every(part => part?.isComplete) ? 'whole' : 'broken'
}

function listDrawings(objects: Objects, resources: string): (LooseObject | undefined)[] {
  const numbers = new Set(findNamed(objects, resources, 'XObject'))
  for (const number of numbers) {
    const drawing = objects.get(number)
    if (numbers.size > MAX_DRAWINGS || !drawing || !/\/Subtype\s*\/Form\b/.test(drawing.text))
      continue
    for (const inner of findNamed(objects, findResources(objects, drawing) ?? '', 'XObject'))
      numbers.add(inner)
  }
  return [...numbers].map(number => objects.get(number))
}

export function hasFontNames(objects: Objects, page: LooseObject): boolean {
  return findResources(objects, page) !== undefined
}

export function findLostFonts(objects: Objects): number[] {
  const fonts = new Set(
    [...objects.values()].flatMap(({ text }) => findNamed(objects, text, 'Font')),
  )
  return [...fonts].filter(number => isLost(objects, objects.get(number)))
}

function isLost(objects: Objects, font: LooseObject | undefined): boolean {
  if (!font?.isComplete) return true
  const isBuiltIn = !font.text.includes('/Encoding')
  const needsTable =
    /\/Encoding\s*\/Identity/.test(font.text) || (isBuiltIn && /\/TrueType\b/.test(font.text))
  const needed = [
    'DescendantFonts',
    ...(needsTable ? ['ToUnicode'] : []),
    ...(isBuiltIn ? ['FontDescriptor'] : []),
  ]
  if (needed.some(key => isMissingNamed(objects, font.text, key))) return true
  const needsFontProgram =
    isBuiltIn &&
    (!font.text.includes('/ToUnicode') || isMissingNamed(objects, font.text, 'ToUnicode'))
  const descriptors = needsFontProgram ? listNamed(font.text, 'FontDescriptor') : []
  return descriptors.some(number =>
    isMissingNamed(objects, objects.get(number)?.text ?? '', 'FontFile[23]?'),
  )
}

function isMissingNamed(objects: Objects, text: string, key: string): boolean {
  return listNamed(text, key).some(number => !objects.get(number)?.isComplete)
}

function listNamed(text: string, key: string): number[] {
  return (text.match(new RegExp(`/${key}\\b[^/>]*`, 'g')) ?? []).flatMap(findReferences)
}

function listContents(objects: Objects, { text }: LooseObject): number[] {
  const named = findReferences(/\/Contents\s*(\[[^[\]]*\]|\d+\s+\d+\s+R)/.exec(text)?.[1] ?? '')
  const list = named.length === 1 ? objects.get(getFirst(named)) : undefined
  return list?.text.trimStart().startsWith('[') ? findReferences(list.text) : named
}

function findResources(objects: Objects, { text }: LooseObject, depth = 0): string | undefined {
  if (/\/Resources\s*<</.test(text)) return text
  const [named] = findReferences(/\/Resources\s+\d+\s+\d+\s+R/.exec(text)?.[0] ?? '')
  if (named !== undefined) return objects.get(named)?.text
  const [parent] = findReferences(/\/Parent\s+\d+\s+\d+\s+R/.exec(text)?.[0] ?? '')
  const list = parent === undefined || depth > MAX_DEPTH ? undefined : objects.get(parent)
  return list && findResources(objects, list, depth + 1)
}

function findNamed(objects: Objects, text: string, key: 'Font' | 'XObject'): number[] {
  return [...text.matchAll(new RegExp(`/${key}\\s*(<<[^<>]*>>|\\d+\\s+\\d+\\s+R)`, 'g'))].flatMap(
    ([, value = '']) => {
      if (value.startsWith('<')) return findReferences(value)
      return findReferences(value).flatMap(number =>
        findReferences(objects.get(number)?.text ?? ''),
      )
    },
  )
}

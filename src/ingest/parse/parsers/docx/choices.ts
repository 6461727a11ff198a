import { hasWords } from '../../skipped-text.ts'
import { findAttribute } from '../office/xml.ts'
import {
  findChild,
  findChildren,
  findDescendants,
  readElementText,
  type XmlElement,
} from '../office/xml-tree.ts'
import { readValue } from './styles.ts'

/** Counts the entries of drop-down lists in an element that are not chosen. */
export function countUnchosen(element: XmlElement): number {
  const lists = [...findDescendants(element, 'sdt', 'ddList')]
  return lists.reduce((sum, list) => {
    if (list.name === 'ddList') return sum + countOtherEntries(list)
    return sum + countOthers(findChild(list, 'sdtPr'), findChild(list, 'sdtContent'))
  }, 0)
}

export function countOthers(
  properties: XmlElement | undefined,
  content: XmlElement | undefined,
): number {
  const shown = [...findDescendants(content, 't')].map(readElementText).join('')
  const lists = findChildren(properties, 'dropDownList', 'comboBox')
  return lists.reduce((sum, list) => {
    const chosen = findAttribute(list.attributes, 'lastValue')
    const others = findChildren(list, 'listItem').filter(({ attributes }) => {
      const value = findAttribute(attributes, 'value') ?? ''
      const text = findAttribute(attributes, 'displayText') ?? value
      return hasWords(text) && text !== shown && value !== chosen
    })
    return sum + others.length
  }, 0)
}

function countOtherEntries(list: XmlElement): number {
  const chosen = Number(readValue(list, 'result') ?? readValue(list, 'default') ?? 0)
  const others = findChildren(list, 'listEntry').filter(
    ({ attributes }, index) => index !== chosen && hasWords(findAttribute(attributes, 'val') ?? ''),
  )
  return others.length
}

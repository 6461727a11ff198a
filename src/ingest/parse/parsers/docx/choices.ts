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

/** Counts the entries of drop-down lists in an element, or in a control's properties, that are not chosen. */
export function countUnchosen(element: XmlElement): number {
  if (element.name === 'sdtPr') return countOthers(element, '')
  const lists = [...findDescendants(element, 'sdt', 'ddList')]
  return lists.reduce((sum, list) => {
    if (list.name === 'ddList') return sum + countOtherEntries(list)
    const shown = [...findDescendants(findChild(list, 'sdtContent'), 't')].map(readElementText)
    return sum + countOthers(findChild(list, 'sdtPr'), shown.join(''))
  }, 0)
}

function countOthers(properties: XmlElement | undefined, shown: string): number {
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

/** Lists of Word 97. */
function countOtherEntries(list: XmlElement): number {
  const chosen = Number(readValue(list, 'result') ?? readValue(list, 'default') ?? 0)
  const others = findChildren(list, 'listEntry').filter(
    ({ attributes }, index) => index !== chosen && hasWords(findAttribute(attributes, 'val') ?? ''),
  )
  return others.length
}

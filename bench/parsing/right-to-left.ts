import { escaped } from '../cite-check/formats/markup.ts'
import { wordFile } from '../cite-check/formats/office.ts'
import type { ParsingCase } from './cases.ts'
import { drawnPdf } from './drawn-pages.ts'
import type { Fact } from './facts.ts'

type Text = {
  readonly language: 'he' | 'ar'
  readonly title: string
  readonly sentences: readonly string[]
  readonly table: readonly (readonly string[])[]
}

/** Invented: the leaflet of a public library, in Hebrew and in Arabic. */
const TEXTS: readonly Text[] = [
  {
    language: 'he',
    title: 'הספרייה העירונית',
    sentences: [
      'הספרייה פתוחה בימים ראשון עד חמישי, משעה 9:00 עד שעה 19:00.',
      'כל קורא רשאי לשאול עד שישה ספרים למשך 21 ימים.',
      'על איחור בהחזרת ספר משלמים 2 שקלים לכל יום.',
      'חדר הלימוד נמצא בקומה השנייה ובו 48 מקומות ישיבה.',
      'אין להכניס אוכל ושתייה לאולם הקריאה.',
      'מנהלת הספרייה היא תמר אלון, טלפון 04-555-0137.',
    ],
    table: [
      ['סוג כרטיס', 'מחיר', 'תוקף'],
      ['מבוגר', '80', '12 חודשים'],
      ['סטודנט', '45', '10 חודשים'],
      ['ילד', '0', '24 חודשים'],
    ],
  },
  {
    language: 'ar',
    title: 'المكتبة البلدية',
    sentences: [
      'تفتح المكتبة أبوابها من الأحد إلى الخميس من الساعة 8:30 حتى الساعة 18:00.',
      'يحق لكل قارئ أن يستعير خمسة كتب لمدة 28 يوما.',
      'غرامة التأخير هي 3 دراهم عن كل يوم.',
      'تقع قاعة المطالعة في الطابق الثالث وفيها 64 مقعدا.',
      'يمنع إدخال الطعام إلى قاعة المطالعة.',
      'مديرة المكتبة هي سلمى النجار ورقم هاتفها 05-555-0192.',
    ],
    table: [
      ['نوع البطاقة', 'الرسم', 'المدة'],
      ['بالغ', '120', '12 شهرا'],
      ['طالب', '60', '9 أشهر'],
      ['طفل', '15', '18 شهرا'],
    ],
  },
]

const WRITERS: Readonly<Record<string, (text: Text) => string | Buffer>> = {
  txt: ({ title, sentences, table }) =>
    [title, ...sentences, ...table.map(row => row.join('\t'))].join('\n\n'),
  md: ({ title, sentences, table }) => {
    const rows = [table[0]!, table[0]!.map(() => '---'), ...table.slice(1)] // a table has a header
    return `# ${title}\n\n${sentences.join('\n\n')}\n\n${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}\n`
  },
  html: ({ language, title, sentences, table }) => {
    const rows = table.map(
      row => `<tr>${row.map(cell => `<td>${escaped(cell)}</td>`).join('')}</tr>`,
    )
    const paragraphs = sentences.map(sentence => `<p>${escaped(sentence)}</p>`)
    return `<!doctype html>\n<html lang="${language}" dir="rtl"><head><meta charset="utf-8"><title>${title}</title></head><body>\n<h1>${title}</h1>\n${paragraphs.join('\n')}\n<table>\n${rows.join('\n')}\n</table>\n</body></html>\n`
  },
  docx: ({ title, sentences, table }) => {
    const paragraph = (text: string) =>
      `<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`
    const rows = table.map(
      row => `<w:tr>${row.map(cell => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`,
    )
    const grid = `<w:tblGrid>${table[0]?.map(() => '<w:gridCol w:w="1500"/>').join('')}</w:tblGrid>`
    const whole = `<w:tbl><w:tblPr><w:bidiVisual/></w:tblPr>${grid}${rows.join('')}</w:tbl>`
    return wordFile(`${[title, ...sentences].map(paragraph).join('')}${whole}${paragraph('')}`)
  },
  pdf: ({ title, sentences }) =>
    drawnPdf([
      [title, ...sentences].map((text, at) => ({
        text: asSeen(text),
        x: 80,
        y: 700 - at * 24,
        size: 11,
      })),
    ]),
}

/** The characters from left to right as they are seen: numbers keep their order, the rest of the line is the other way round. */
const asSeen = (text: string): string =>
  [...text]
    .toReversed()
    .join('')
    .replace(/[\d:.-]*\d/g, number => [...number].toReversed().join(''))

export function rightToLeftCases(): ParsingCase[] {
  return TEXTS.flatMap(text =>
    Object.entries(WRITERS).map(([format, write]) => ({
      ...({
        kind: 'right to left',
        language: text.language,
        name: `${text.language}-library.${format}`,
      } as const),
      bytes: write(text),
      facts: factsOf(text, format),
    })),
  )
}

/** In plain text a table is words. */
function factsOf({ sentences, table }: Text, format: string): Fact[] {
  const texts = sentences.map((words): Fact => ({ kind: 'text', words }))
  const [header = [], ...rows] = table
  const hasTable = format !== 'txt' && format !== 'pdf'
  const cells = rows.flatMap(
    ([key = '', ...values]) =>
      values.map(
        (value, at): Fact => ({ kind: 'cell', row: [key], column: [header[at + 1]!], value }),
      ), // of a heading each
  )
  const order: Fact = { kind: 'order', first: sentences[0]!, second: sentences.at(-1)! } // there are six
  return [...texts, order, ...(hasTable ? cells : [])]
}

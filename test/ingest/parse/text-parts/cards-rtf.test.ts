import { cardsParser } from '../../../../src/ingest/parse/parsers/cards.ts'
import { rtfParser } from '../../../../src/ingest/parse/parsers/rtf/rtf.ts'
import { type TextPart, testTextParts, WORD } from '../../../fixtures/text-parts.ts'

const READ_IN_CALENDARS =
  'SUMMARY DESCRIPTION LOCATION COMMENT CONTACT CATEGORIES RESOURCES STATUS ATTENDEE ORGANIZER URL RELATED-TO REQUEST-STATUS'.split(
    ' ',
  )
testTextParts(
  {
    specification: 'iCalendar (RFC 5545, RFC 7986)',
    parser: cardsParser,
    mediaType: 'text/calendar',
    build: source =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Base\r\nEND:VEVENT\r\n${source}END:VCALENDAR\r\n`,
  },
  [
    ...['VEVENT', 'VTODO', 'VJOURNAL'].flatMap(component =>
      READ_IN_CALENDARS.map(
        (name): TextPart => [
          '3.8',
          `${name} of ${component}`,
          `BEGIN:${component}\r\n${name}:${WORD}\r\nEND:${component}\r\n`,
        ],
      ),
    ),
    ['3.6.4', 'comment of free times', `BEGIN:VFREEBUSY\r\nCOMMENT:${WORD}\r\nEND:VFREEBUSY\r\n`],
    [
      '3.6.6',
      'text of an alarm',
      `BEGIN:VEVENT\r\nSUMMARY:x\r\nBEGIN:VALARM\r\nDESCRIPTION:${WORD}\r\nEND:VALARM\r\nEND:VEVENT\r\n`,
    ],
    [
      '3.2.2',
      'name of a person',
      `BEGIN:VEVENT\r\nATTENDEE;CN=${WORD}:mailto:a@example.org\r\nEND:VEVENT\r\n`,
    ],
    [
      '3.2.2',
      'quoted name of a person',
      `BEGIN:VEVENT\r\nORGANIZER;CN="${WORD}, Ada":mailto:a@example.org\r\nEND:VEVENT\r\n`,
    ],
    [
      '3.8.1.1',
      'attached file',
      'BEGIN:VEVENT\r\nATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA\r\nEND:VEVENT\r\n',
      'embedded objects',
    ],
    ['RFC 7986 5.1', 'name of the calendar', `NAME:${WORD}\r\n`],
    ['RFC 7986 5.2', 'description of the calendar', `DESCRIPTION:${WORD}\r\n`],
    [
      'RFC 7986 5.11',
      'conference',
      `BEGIN:VEVENT\r\nCONFERENCE;LABEL=${WORD}:https://example.org\r\nEND:VEVENT\r\n`,
    ],
    [
      '3.8.8.2',
      'property of a program',
      `BEGIN:VEVENT\r\nX-NOTE:Bring the ${WORD}\r\nEND:VEVENT\r\n`,
      'extension fields',
    ],
  ],
)

testTextParts(
  {
    specification: 'vCard (RFC 6350)',
    parser: cardsParser,
    mediaType: 'text/vcard',
    build: source => `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Base\r\n${source}END:VCARD\r\n`,
  },
  [
    ...'NICKNAME ORG TITLE ROLE NOTE CATEGORIES EMAIL TEL ADR IMPP RELATED MEMBER LANG GENDER URL BDAY ANNIVERSARY'
      .split(' ')
      .map((name): TextPart => ['6', name, `${name}:${WORD}\r\n`]),
    ['6.2.2', 'part of a name', `N:Brook;Ada;${WORD};Dr.;\r\n`],
    ['6.3.1', 'label of an address', `ADR;LABEL="${WORD} 1":;;Main Street 1;;;;\r\n`],
    ['6.2.4', 'picture', 'PHOTO:data:image/png;base64,AAAA\r\n', 'pictures'],
    ['6.7.5', 'sound', 'SOUND:data:audio/ogg;base64,AAAA\r\n', 'pictures'],
    ['6.10', 'property of a program', `X-NOTE:Bring the ${WORD}\r\n`, 'extension fields'],
  ],
)

const destination = (name: string) => `{\\${name} ${WORD}}`

testTextParts(
  {
    specification: 'Rich Text Format (1.9.1)',
    parser: rtfParser,
    build: source =>
      `{\\rtf1\\ansi ${source.startsWith('{\\info') ? source : ''}Base\\par ${source.startsWith('{\\info') ? '' : source}\\par}`,
  },
  [
    ['Document text', 'text', WORD],
    ['Document text', 'Unicode', `\\u${WORD.charCodeAt(0)}?${WORD.slice(1)}`],
    ['Information group', 'title', `{\\info${destination('title')}}`],
    ['Information group', 'author', `{\\info${destination('author')}}`],
    ...['manager', 'company', 'operator', 'category', 'comment', 'doccomm'].map(
      (name): TextPart => [
        'Information group',
        name,
        `{\\info${destination(name)}}`,
        'document properties',
      ],
    ),
    ['Headers and footers', 'header', destination('header')],
    ['Headers and footers', 'footer of left pages', destination('footerl')],
    ['Footnotes', 'footnote', `x${destination('footnote')}`],
    ['Comments', 'comment', `x{\\*\\annotation ${WORD}}`],
    ['Comments', 'author of a comment', `x{\\*\\atnauthor ${WORD}}{\\*\\annotation y}`],
    ['Pictures', 'picture', 'x{\\*\\shppict{\\pict 00}}{\\nonshppict{\\pict 00}}', 'pictures'],
    [
      'Pictures',
      'text of a picture',
      `x{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv ${WORD}}}}00}}`,
      'text alternatives',
    ],
    [
      'Word 97 to 2007 shapes',
      'text of a shape',
      `x{\\shp{\\*\\shpinst{\\sp{\\sn wzDescription}{\\sv ${WORD}}}}}`,
      'text alternatives',
    ],
    ['Mathematics', 'formula', `x{\\mmath{\\*\\moMath{\\mr ${WORD}}}}`, 'formulas'],
    ['Document variables', 'variable', `x{\\*\\docvar{a}{${WORD}}}`, 'variables'],
    [
      'User-defined properties',
      'property',
      `x{\\*\\userprops{\\propname a}\\proptype30{\\staticval ${WORD}}}`,
      'document properties',
    ],
    ['Form fields', 'field', `x{\\*\\formfield{\\*\\ffhelptext ${WORD}}}`, 'form controls'],
    ['Index entries', 'entry of an index', `x${destination('xe')}`, 'index entries'],
    [
      'Table of contents entries',
      'entry of a list of contents',
      `x${destination('tc')}`,
      'index entries',
    ],
    ['Fields', 'equation field', `{\\field{\\*\\fldinst EQ \\\\x(${WORD})}}`],
    ['Fields', 'result of a field', `{\\field{\\*\\fldinst REF x}{\\fldrslt ${WORD}}}`],
    ['Bullets and numbering', 'number of an item', `{\\listtext ${WORD}.\\tab}x`],
    ['Character formatting', 'hidden text', `{\\v ${WORD}}`, 'hidden elements'],
    ['Track changes', 'deleted text', `{\\deleted ${WORD}}`, 'deleted texts'],
    ['Tables', 'cell', `\\trowd\\cellx1\\cellx2 \\intbl ${WORD}\\cell x\\cell\\row`],
    [
      'Tables',
      'cell of a table in a table',
      `\\trowd\\cellx1\\cellx2 \\intbl x{\\nestcell ${WORD}\\nestcell{\\*\\nesttableprops\\nestrow}}\\cell x\\cell\\row`,
    ],
    ['Objects', 'result of an object', `{\\object\\objemb{\\*\\objdata 00}{\\result ${WORD}}}`],
    [
      'Objects',
      'embedded object',
      '{\\object\\objemb{\\*\\objdata 00}{\\result x}}',
      'embedded objects',
    ],
    ['Word 97 to 2007 shapes', 'text box', `{\\shp{\\*\\shpinst{\\shptxt ${WORD}\\par}}}`],
    ['Word 6 drawing objects', 'text box', `{\\*\\do\\dptxbx{\\dptxbxtext ${WORD}\\par}}`],
  ],
)
